// Opens and reads all collections. Those to which others refer come first, so that most references lead to items that are
// known already.
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import type { ListOperation, Reference } from "../../src/model/operation.ts";
import type { Log } from "../messages.ts";
import type { Items } from "./catalog.ts";
import { CollectionReader } from "./collection.ts";
import type { Folder } from "./find/read.ts";
import type { Choices } from "./link/keys.ts";
import { isJoin } from "./link/references.ts";
import type { Loaded } from "./make/load.ts";

export interface ReadItems {
  /** The items of an operation in its order, if nothing is wrong with them. */
  readonly itemsOf: (operation: string) => Items;
  /** By the name of an operation to whose items others refer. */
  readonly choices: ReadonlyMap<string, Choices>;
}

export function readItemsOf({ api, files, lost }: Folder, vocabulary: Vocabulary, loaded: Loaded, log: Log): ReadItems {
  const references = api.lists.flatMap((each) => each.references);
  const referred = new Set(references.map(({ to }) => to));
  const collections = new Map<string, CollectionReader>();
  const find = (name: string): CollectionReader => {
    const found = collections.get(name);
    if (found === undefined) throw new Error(`There is no collection ${name}.`);
    return found;
  };
  for (const operation of api.lists) {
    const { name, source } = operation;
    const collection = new CollectionReader(operation, {
      vocabulary,
      log,
      find,
      files: files.filter(({ role }) => role.kind === "items" && role.operation === name),
      isReferredTo: referred.has(name),
      joinedBy: [...new Set(references.filter(({ to }) => to === name).flatMap(({ by }) => by ?? []))],
      isComplete: !lost.has(name) && (source.kind !== "load" || loaded.has(name)),
    });
    collections.set(name, collection);
  }
  for (const collection of collections.values()) {
    const { source } = collection.operation;
    if (source.kind === "from") find(source.operation).derived.push(collection);
  }
  for (const { name } of targetsFirst(api.lists)) find(name).read(loaded.get(name) ?? []);
  for (const collection of collections.values()) collection.finish();
  return {
    itemsOf: (name) => find(name).table.items(),
    choices: new Map([...referred].map((name) => [name, find(name).keys.choices()])),
  };
}

/**
 * The collections in the order in which they are read: those that are joined before those that join them, which no
 * declaration makes a circle of, and others that are referred to first as far as possible. Other references may form
 * circles, so one sorting cannot do both. Items that are made from a collection are read with it.
 */
function targetsFirst(lists: readonly ListOperation[]): readonly ListOperation[] {
  const rootOf = (operation: ListOperation): ListOperation => {
    const { source } = operation;
    const parent = source.kind === "from" ? lists.find(({ name }) => name === source.operation) : undefined;
    return parent === undefined ? operation : rootOf(parent);
  };
  const targetsOf = (operation: ListOperation, isMeant: (reference: Reference) => boolean) => {
    const references = lists.filter((each) => rootOf(each) === operation).flatMap((each) => each.references);
    const names = new Set(references.filter(isMeant).map(({ to }) => to));
    return lists.filter(({ name }) => names.has(name)).map(rootOf);
  };
  const byReferences = sorted(lists, (operation) => targetsOf(operation, () => true));
  return sorted(byReferences, (operation) => targetsOf(operation, isJoin));
}

/** Each element behind those that must be before it. Circles are broken anywhere. */
function sorted<Each>(all: readonly Each[], before: (each: Each) => readonly Each[]): readonly Each[] {
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
