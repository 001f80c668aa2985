// What functions of the declaration get and return is data: a tree of its own, of what JSON has. Without this a Map would
// be published as {} and a list's undefined as null, and one item could change another.
import type { Path } from "../../messages.ts";
import { maxDepth } from "./format.ts";

/** A copy of a value as data, or the first part of it that JSON does not have: `what` it is, and its path. */
export type Copied = { readonly data: unknown } | NotData;

export interface NotData {
  readonly path: Path;
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

/** Leaves the walk over a value. */
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
  // It probably contains itself.
  if (depth > maxDepth) throw new Refused([], `more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) return Array.from(value, (each, index) => partOf(each, index, depth));
  if ("toJSON" in value && typeof value.toJSON === "function") return dataIn(value.toJSON(), depth + 1);
  const kind = Object.prototype.toString.call(value);
  // Other kinds, such as Map, have their content elsewhere than in fields.
  if (kind !== "[object Object]") throw new Refused([], `of the type ${kind.slice("[object ".length, -1)}`);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const each: unknown = value[key as never];
    if (each !== undefined) setField(copy, key, partOf(each, key, depth));
  }
  return copy;
}

/** Builds the path of what is refused on the way out, because most values need none. */
function partOf(value: unknown, step: Path[number], depth: number): unknown {
  try {
    return dataIn(value, depth + 1);
  } catch (error) {
    throw error instanceof Refused ? new Refused([step, ...error.path], error.what) : error;
  }
}

/** A copy of what is data already. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const each = copy[key];
    if (typeof each === "object" && each !== null) setField(copy, key, copyOf(each));
  }
  return copy;
}

/** Sets `__proto__` like any other field. */
export function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
