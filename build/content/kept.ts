// What `dev` keeps of the files that it has read: their items, if no message is about the file. They are added to the next
// table as they are, unless the file, its schema or the keys that its items asked for have changed. If no file of a collection
// has changed, its table is used again. Items that depend on other items in further ways are read each time.
import type * as z from "zod";
import type { Derived, ListOperation } from "../../src/model/operation.ts";
import { jsonAt, type Values, valuesAt } from "./catalog.ts";
import type { FoundFile } from "./find/discover.ts";
import type { ContentSource } from "./formats/source.ts";
import type { KeyIndex } from "./link/keys.ts";
import { type Asked, isJoin } from "./link/references.ts";
import { type ItemTable, itemIn, originIn, type TablePart } from "./table/table.ts";

/** The items of a file, all of them valid, each with a key. */
export interface KeptFile {
  /** See `FoundFile`. */
  readonly state: string;
  readonly items: TablePart;
  /** The hashes of the keys. */
  readonly hashes: Uint32Array;
  readonly asked: Asked;
}

/** A collection as it was read. */
export interface KeptCollection {
  /** By path. */
  readonly files: ReadonlyMap<string, KeptFile>;
  /** Whether its items are those of the files, and no message is about them. */
  readonly isWhole: boolean;
  /** The items of the files use its memory. */
  readonly table: ItemTable;
  readonly keys: KeyIndex;
}

/** By the schema of a collection, which is another one once the declaration or the vocabulary has changed. */
type Collections = Map<z.ZodType, KeptCollection>;

export class KeptCollections {
  #before: Collections = new Map();
  #now: Collections = new Map();

  /** Called before the content is read. Collections that have not been kept since the last call are forgotten. */
  start(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** A collection as it was read the last time. */
  before(schema: z.ZodType): KeptCollection | undefined {
    return this.#before.get(schema);
  }

  keep(schema: z.ZodType, collection: KeptCollection): void {
    this.#now.set(schema, collection);
  }
}

/** The items that are kept of a file; undefined if the file is not kept or has changed since. */
export function unchangedIn(
  files: KeptCollection["files"],
  { file, state }: Pick<FoundFile, "file" | "state">,
): KeptFile | undefined {
  const kept = files.get(file);
  return kept?.state === state ? kept : undefined;
}

/** Whether only its key, the values of its filters and its references by key connect an item with others. */
export const isSelfContained = ({
  assets,
  facts,
  item,
  orders,
  references,
  scope,
  transform,
}: ListOperation): boolean =>
  assets.length === 0 &&
  facts === undefined &&
  transform === undefined &&
  !references.some(isJoin) &&
  orders.every(({ derived }) => derived === undefined) &&
  (item === undefined || (item.aliases === undefined && scope.length === 0));

/** The first item with each value of a filter. If a value of any item breaks a rule, one of these items has that value. */
export function* firstsIn(operation: ListOperation, items: TablePart, source: ContentSource) {
  const firsts = new Set(items.values.flatMap((values) => firstsWith(values)));
  // A message about a later item names the first one with a value.
  for (const index of Uint32Array.from(firsts).sort()) {
    const filters = new Map(
      operation.filters.map(({ param }, filter) => [param, valuesAt(items.values[filter] ?? noValues, index)]),
    );
    const derived: Derived = { filters, orders: new Map() };
    yield { item: itemIn(jsonAt(items.whole, index)), derived, origin: originIn(operation, source, items, index) };
  }
}

/** The index of the first item with each value. */
function firstsWith({ known, numbers, starts }: Values): readonly number[] {
  const firsts: number[] = [];
  const seen = new Set<number>();
  for (let item = 0; item + 1 < starts.length && seen.size < known.length; item++) {
    const before = seen.size;
    for (let at = starts[item] ?? 0; at < (starts[item + 1] ?? 0); at++) seen.add(numbers[at] ?? 0);
    if (seen.size > before) firsts.push(item);
  }
  return firsts;
}

const noValues: Values = { known: [], numbers: new Uint32Array(), starts: new Uint32Array() };
