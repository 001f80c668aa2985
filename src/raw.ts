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

/** The items that a function returned. Throws TypeError if it returned no list. */
export function listedItems(items: unknown, source: string): readonly unknown[] {
  if (!isIterable(items)) throw new TypeError(`${source} returned no list of items.`);
  return [...items];
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;
