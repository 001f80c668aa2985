// The items that a collection derives from the items of another collection, with `from`. Their faults are at the key of
// the source item, and name the derived item.
import type { ListOperation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { DeclarationError } from "../diagnostics.ts";
import type { Fault } from "./faults/fault.ts";
import { fillFromPath } from "./from-path.ts";
import { keysOf } from "./link.ts";
import { nameOf, notMade } from "./prepare.ts";
import type { Reading } from "./read.ts";
import type { Entry, Path, Source } from "./source.ts";
import { validate } from "./validate.ts";

interface Own {
  readonly operation: ListOperation;
  readonly readings: readonly Reading[];
}

/** Adds readings to the operations that derive their items from another collection. */
export function withMade<Each extends Own>(all: readonly Each[], vocabulary: Vocabulary): readonly Each[] {
  if (all.every(({ operation }) => operation.from === undefined)) return all;
  const done = new Map<string, Each>();
  const find = (name: string): Each => {
    const own = all.find(({ operation }) => operation.name === name);
    if (own === undefined) throw new Error(`There is no operation ${name}.`);
    return own;
  };
  const complete = (own: Each): Each => {
    const { name, from } = own.operation;
    const known = done.get(name);
    if (known !== undefined) return known;
    const made =
      from === undefined
        ? own
        : { ...own, readings: readingsFrom(own.operation, from, complete(find(from.operation))) };
    done.set(name, made);
    return made;
  };
  const filled = (source: Own, reading: Reading): readonly Entry[] => {
    const { fromPath, references, noun, nouns } = source.operation.resource;
    const to = references.find(({ field }) => field === fromPath)?.to;
    if (fromPath === undefined || to === undefined) return reading.entries;
    const target = complete(find(to));
    return fillFromPath(reading.entries, { noun, nouns }, fromPath, keysOf(target.operation, target.readings, true))[0];
  };
  const readingsFrom = (operation: ListOperation, from: From, source: Own): readonly Reading[] =>
    source.readings.map((reading) =>
      madeFrom(operation, from, source.operation, { ...reading, entries: filled(source, reading) }, vocabulary),
    );
  return all.map(complete);
}

type From = NonNullable<ListOperation["from"]>;

function madeFrom(
  operation: ListOperation,
  { each }: From,
  of: ListOperation,
  reading: Reading,
  vocabulary: Vocabulary,
): Reading {
  const { noun, nouns, key: sourceKey, schema } = of.resource;
  const faults: Fault[] = [];
  const made: { readonly from: Entry; readonly item: unknown }[] = [];
  let { whole } = reading;
  for (const from of reading.entries) {
    const [item] = validate<Item>(from, schema(vocabulary), { noun, nouns });
    if (item === undefined) {
      whole = false;
      continue;
    }
    try {
      for (const json of each(item)) made.push({ from, item: JSON.parse(json) });
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      whole = false;
      faults.push(
        notMade(`The function of from in ${operation.name}`, error, from.source, { path: [...from.path, sourceKey] }),
      );
    }
  }
  const sources = new Map<Source, Source>();
  const sourceOf = (source: Source): Source => {
    const { placed } = source;
    const own = sources.get(source) ?? {
      ...source,
      placed: ([index]: Path) => {
        const path = [...(made[Number(index)]?.from.path ?? []), sourceKey];
        return { path: placed?.(path).path ?? path, isWritten: false };
      },
      named: ([index]: Path) => nameOf(operation, made[Number(index)]?.item),
    };
    sources.set(source, own);
    return own;
  };
  const entries = made.map(({ from, item }, index) => ({ source: sourceOf(from.source), path: [index], value: item }));
  return { ...reading, source: sourceOf(reading.source), entries, rows: [], shape: "list", whole, faults };
}
