// Values that functions of the declaration receive and return are copied to data: trees of JSON's values that share no part.
// Otherwise a Map would be published as {} and undefined in a list as null, and one item could change another.
import { setField } from "../../../src/model/fields.ts";
import type { Path } from "../../messages.ts";
import { maxDepth } from "./format.ts";

/** A copy of a value as data, or the first part of the value that JSON does not have. */
export type Copied = { readonly data: unknown } | NotData;

export interface NotData {
  readonly path: Path;
  /** Describes the part: `a function`. */
  readonly what: string;
}

/** Copies a value, with `toJSON` applied, such as that of dates. Fields that are undefined are left out, as by JSON.stringify. */
export function dataOf(value: unknown): Copied {
  try {
    return { data: dataIn(value, 0) };
  } catch (error) {
    if (error instanceof Refused) return { path: error.path, what: error.what };
    throw error;
  }
}

/** Ends the walk over a value. */
class Refused extends Error {
  readonly path: Path;
  readonly what: string;
  constructor(path: Path, what: string) {
    super(what);
    this.path = path;
    this.what = what;
  }
}

function dataIn(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (typeof value === "number" || value === undefined) throw new Refused([], String(value));
  if (typeof value !== "object") throw new Refused([], `a ${typeof value}`);
  // The value probably contains itself.
  if (depth > maxDepth) throw new Refused([], `more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) return Array.from(value, (element, index) => partOf(element, index, depth));
  if ("toJSON" in value && typeof value.toJSON === "function") return dataIn(value.toJSON(), depth + 1);
  const kind = Object.prototype.toString.call(value);
  // Other kinds, such as Map, do not have their content in fields.
  if (kind !== "[object Object]") throw new Refused([], `of the type ${kind.slice("[object ".length, -1)}`);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const part: unknown = value[key as never];
    if (part !== undefined) setField(copy, key, partOf(part, key, depth));
  }
  return copy;
}

/** Adds a step to the path of a refused part on the way out, because most values need no path. */
function partOf(value: unknown, step: Path[number], depth: number): unknown {
  try {
    return dataIn(value, depth + 1);
  } catch (error) {
    throw error instanceof Refused ? new Refused([step, ...error.path], error.what) : error;
  }
}

/** A copy of a value that is data. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === "object" && part !== null) setField(copy, key, copyOf(part));
  }
  return copy;
}
