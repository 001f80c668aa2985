// What functions of the declaration get and return is data: a tree of its own, of what JSON has. Without this a Map would
// be published as {} and a list's undefined as null, and one item could change another.
import { maxDepth, type Path } from "./formats/format.ts";

/** A value that JSON does not have, with its path in what a function returned. */
export class NoData extends Error {
  readonly path: Path;
  readonly what: string;
  constructor(path: Path, what: string) {
    super(what);
    this.path = path;
    this.what = what;
  }
}

/**
 * A copy of a value, with `toJSON` applied, such as that of dates. Fields that are undefined are left out, as by
 * JSON.stringify. Throws NoData.
 */
export function dataOf(value: unknown, depth = 0): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (typeof value === "number" || value === undefined) throw new NoData([], String(value));
  if (typeof value !== "object") throw new NoData([], `a ${typeof value}`);
  // It probably contains itself.
  if (depth > maxDepth) throw new NoData([], `more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) return Array.from(value, (each, index) => partOf(each, index, depth));
  if ("toJSON" in value && typeof value.toJSON === "function") return dataOf(value.toJSON(), depth + 1);
  const kind = Object.prototype.toString.call(value);
  // Other kinds, such as Map, have their content elsewhere than in fields.
  if (kind !== "[object Object]") throw new NoData([], `of the type ${kind.slice("[object ".length, -1)}`);
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
    return dataOf(value, depth + 1);
  } catch (error) {
    throw error instanceof NoData ? new NoData([step, ...error.path], error.what) : error;
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
