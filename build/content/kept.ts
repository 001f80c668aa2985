// What `dev` keeps of the files that it has read: their items, if no message is about the file. They are added to the next
// table as they are, unless the file, its schema or the keys that its items asked for have changed. Items that have more in
// common with others are read each time.
import type * as z from "zod";
import type { Derived, ListOperation } from "../../src/model/operation.ts";
import { jsonAt, type Values, valuesAt } from "./catalog.ts";
import type { ContentSource } from "./formats/source.ts";
import { type Asked, isJoin } from "./link/references.ts";
import { itemIn, originIn, type TablePart } from "./table/table.ts";

/** The items of a file, all of them valid, each with a key. */
export interface KeptFile {
  /** See `FoundFile`. */
  readonly state: string;
  readonly items: TablePart;
  /** The hashes of the keys. */
  readonly hashes: Uint32Array;
  readonly asked: Asked;
}

type Files = Map<string, KeptFile>;

export class KeptFiles {
  /** By the schema of a collection, which is another one once the declaration or the vocabulary has changed, and by file. */
  #before = new Map<z.ZodType, Files>();
  #now = new Map<z.ZodType, Files>();

  /** Called before the content is read. Files that have not been kept since the last call are forgotten. */
  start(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** What was kept of a file, if it still has the state. Called once for each file. */
  take(schema: z.ZodType, file: string, state: string | undefined): KeptFile | undefined {
    const kept = this.#before.get(schema)?.get(file);
    // What is out of date would take memory until all is read.
    this.#before.get(schema)?.delete(file);
    return kept?.state === state ? kept : undefined;
  }

  keep(schema: z.ZodType, file: string, kept: KeptFile): void {
    const files = this.#now.get(schema) ?? new Map<string, KeptFile>();
    this.#now.set(schema, files.set(file, kept));
  }
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

/** The first items with each value of a filter. What a rule for the values says of others, it says of one of these. */
export function* firstsIn(operation: ListOperation, items: TablePart, source: ContentSource) {
  const firsts = new Set(items.values.flatMap((values) => firstsWith(values)));
  for (const index of firsts) {
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
