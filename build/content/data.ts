// What functions of the declaration get and return is data: a tree of its own, of what JSON has. Without this a Map would
// be published as {} and a list's undefined as null, and one item could change another.
import type { Path } from "./source.ts";

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

/** As deep as the values of a file may be; deeper ones probably contain themselves. */
const mostDeep = 64;

/**
 * A copy of a value, with `toJSON` applied, such as that of dates. Fields that are undefined are left out, as by
 * JSON.stringify. Throws NoData.
 */
export function dataOf(value: unknown, path: Path = []): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw new NoData(path, String(value));
    case "object":
      return value === null ? null : dataIn(value, path);
    default:
      throw new NoData(path, typeof value === "undefined" ? "undefined" : `a ${typeof value}`);
  }
}

/** A copy of what is data already. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const each = copy[key];
    if (typeof each !== "object" || each === null) continue;
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copyOf(each) });
    else copy[key] = copyOf(each);
  }
  return copy;
}

function dataIn(value: object, path: Path): unknown {
  if (path.length > mostDeep) throw new NoData(path, "more than 64 levels deep");
  if (Array.isArray(value)) return Array.from(value, (each, index) => dataOf(each, [...path, index]));
  if ("toJSON" in value && typeof value.toJSON === "function") return dataOf(value.toJSON(), path);
  const kind = Object.prototype.toString.call(value);
  // Other kinds, such as Map, have their content elsewhere than in fields.
  if (kind !== "[object Object]") throw new NoData(path, `of the type ${kind.slice("[object ".length, -1)}`);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const each: unknown = value[key as never];
    if (each === undefined) continue;
    const own = typeof each === "object" ? dataOf(each, [...path, key]) : scalarOf(each, path, key);
    if (key === "__proto__") Object.defineProperty(copy, key, { value: own, enumerable: true });
    else copy[key] = own;
  }
  return copy;
}

/** Makes a path only for what is refused. */
const scalarOf = (value: unknown, path: Path, key: string): unknown =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
    ? value
    : dataOf(value, [...path, key]);
