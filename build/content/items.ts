// Reads the items of all collections. The collections to which others refer come first, so that most references lead to
// items that are known already.
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Log } from "../messages.ts";
import { compare } from "../values/compare.ts";
import type { Items } from "./catalog.ts";
import { type CollectionReader, openCollection } from "./collection.ts";
import { isJoin, isWellFormed } from "./link.ts";
import type { Loaded } from "./load.ts";
import type { Folder } from "./read.ts";

/** The items to which others may refer. They are known if the content has faults, too, to help with correcting it. */
export interface Referable {
  /**
   * The items with well-formed keys, without repeats, in order of code units; none if they are more than `most`. Those with
   * faults are as written: other fields may be missing or wrong. Each is read when it is asked for.
   */
  readonly itemsUpTo: (most: number) => Iterable<Item>;
  /** False if there may be more items, so that an unknown reference is not necessarily a fault. */
  readonly whole: boolean;
}

export interface ReadItems {
  /** The items of an operation in its order, if nothing is wrong with them. */
  readonly itemsOf: (operation: string) => Items;
  /** By the name of an operation to whose items others refer. */
  readonly referable: ReadonlyMap<string, Referable>;
}

export function readItemsOf({ api, files, lost }: Folder, vocabulary: Vocabulary, loaded: Loaded, log: Log): ReadItems {
  const references = api.lists.flatMap((each) => each.references);
  const referred = new Set(references.map(({ to }) => to));
  const all = new Map<string, CollectionReader>();
  const find = (name: string): CollectionReader => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`There is no collection ${name}.`);
    return found;
  };
  for (const operation of api.lists) {
    const { name, source } = operation;
    const collection = openCollection(operation, {
      vocabulary,
      log,
      find,
      files: files.filter(({ role }) => role.kind === "items" && role.operation === name),
      isReferredTo: referred.has(name),
      joinedBy: [...new Set(references.filter(({ to }) => to === name).flatMap(({ by }) => by ?? []))],
      isWhole: !lost.has(name) && (source.kind !== "load" || loaded.has(name)),
    });
    all.set(name, collection);
  }
  for (const each of all.values()) {
    const { source } = each.operation;
    if (source.kind === "from") find(source.operation).derived.push(each);
  }
  for (const { name } of targetsFirst(api.lists)) find(name).read(loaded.get(name) ?? []);
  for (const { claims, links } of all.values()) {
    claims.finish();
    links.finish();
  }
  return {
    itemsOf: (name) => find(name).store.items(),
    referable: new Map([...referred].map((name) => [name, referable(find(name))])),
  };
}

/**
 * The collections in an order in which those that are joined come before those that join them, which no declaration makes
 * a circle of, and others that are referred to as far as possible. What is made from a collection is read with it.
 */
function targetsFirst(lists: readonly ListOperation[]): readonly ListOperation[] {
  const rootOf = (operation: ListOperation): ListOperation => {
    const { source } = operation;
    const parent = source.kind === "from" ? lists.find(({ name }) => name === source.operation) : undefined;
    return parent === undefined ? operation : rootOf(parent);
  };
  const before = (operation: ListOperation, onlyJoins: boolean) => {
    const own = lists.filter((each) => rootOf(each) === operation).flatMap((each) => each.references);
    const targets = own.filter((each) => !onlyJoins || isJoin(each)).map(({ to }) => to);
    return lists.filter(({ name }) => targets.includes(name)).map(rootOf);
  };
  const byLinks = ordered(lists, (operation) => before(operation, false));
  return ordered(byLinks, (operation) => before(operation, true));
}

/** Each element behind those that must be before it. Circles are broken anywhere. */
function ordered<Each>(all: readonly Each[], before: (each: Each) => readonly Each[]): readonly Each[] {
  const entered = new Set<Each>();
  const done = new Set<Each>();
  const visit = (each: Each): void => {
    if (entered.has(each)) return;
    entered.add(each);
    before(each).forEach(visit);
    done.add(each);
  };
  all.forEach(visit);
  return [...done];
}

function referable({ operation, store, possible, isWhole }: CollectionReader): Referable {
  return {
    *itemsUpTo(most) {
      const indices = new Map<string, number>();
      for (const [index, key] of store.names.entries()) {
        if (key === "" || indices.has(key) || !isWellFormed(operation, key)) continue;
        if (indices.size === most) return;
        indices.set(key, index);
      }
      for (const [, index] of [...indices].sort(([a], [b]) => compare(a, b))) yield store.at(index);
    },
    whole: isWhole && possible.size === 0,
  };
}
