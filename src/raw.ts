// Raw items: the data of files, databases and other APIs, before a declaration makes items from it.

/** An item as it was read. The values of CSV are texts. */
export type RawItem = Readonly<Record<string, unknown>>;

/** The context of a raw item that a `transform` receives besides its fields. */
export interface RawContext {
  /** The path of its file below content/. */
  readonly file: string;
  /** The name of its file without the extension. */
  readonly name: string;
  /** The text behind the front matter of Markdown, if there is any. */
  readonly body: string | undefined;
  /** The day of the build in UTC, such as 2026-11-20. An item that depends on it changes without a commit. */
  readonly date: string;
}

/**
 * Returns the item of a raw item, as data of JSON, before it is checked; undefined leaves it out. It depends on nothing
 * but its parameters, and is not async.
 */
export type Transform = (raw: RawItem, context: RawContext) => (object & { readonly then?: never }) | undefined;

/** The JSON of each item that a function returned. Throws TypeError if it returned no list. */
export function jsonOfItems(items: unknown, source: string): readonly string[] {
  if (!isIterable(items)) throw new TypeError(`${source} returned no list of items.`);
  return Array.from(items, toJson);
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

/** Like JSON.stringify, which writes null for some numbers that JSON does not have. Throws TypeError instead. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  if (json.includes("null")) JSON.stringify(value, refuseNoNumber);
  return json;
}

function refuseNoNumber(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`${key === "" ? "An item" : key} is ${value}, which JSON does not have.`);
  }
  return value;
}
