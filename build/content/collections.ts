// Reads all collections. Those to which others refer come first, so that most references lead to items that have been read.
import { listNamed } from "../../src/model/api.ts";
import type { ListOperation, Reference } from "../../src/model/operation.ts";
import type { AssetFields } from "./assets/fields.ts";
import { CollectionReader, type SourceFiles } from "./collection.ts";
import type { Folder } from "./folder.ts";
import type { ReadContext } from "./item.ts";
import { isByField } from "./link/references.ts";
import type { Loaded } from "./make/load.ts";
import type { Choices } from "./names.ts";
import type { Items } from "./table/items.ts";

export interface ReadItems {
  /** The items of an operation in its order, if nothing is wrong with them. */
  readonly itemsOf: (operation: string) => Items;
  /** The files beside the data that the items of an operation name, by path below content/. */
  readonly assetsOf: (operation: string) => Pick<AssetFields, "named" | "svgs">;
  /** By the name of an operation. */
  readonly itemFiles: ReadonlyMap<string, SourceFiles>;
  /** By the name of an operation to whose items others refer. */
  readonly choices: ReadonlyMap<string, Choices>;
}

export function readItems({ api, files, incomplete }: Folder, loaded: Loaded, context: ReadContext): ReadItems {
  const references = api.collections.flatMap((list) => list.references);
  const referred = new Set(references.map(({ to }) => to));
  const collections = new Map<string, CollectionReader>();
  const isComplete = ({ name, source }: ListOperation): boolean =>
    !incomplete.has(name) &&
    (source.kind !== "load" || loaded.has(name)) &&
    (source.kind !== "from" || source.collections.every((source) => isComplete(listNamed(api, source))));
  const find = (name: string): CollectionReader => {
    const collection = collections.get(name);
    if (collection === undefined) throw new Error(`There is no collection ${name}.`);
    return collection;
  };
  for (const operation of api.collections) {
    const { name } = operation;
    const collection = new CollectionReader(operation, {
      ...context,
      find,
      files: files.filter(({ role }) => role.kind === "items" && role.operation === name),
      isReferredTo: referred.has(name),
      referredFields: [...new Set(references.filter(({ to }) => to === name).flatMap(({ by }) => by ?? []))],
      isComplete: isComplete(operation),
    });
    collections.set(name, collection);
  }
  for (const collection of collections.values()) {
    const { source } = collection.operation;
    if (source.kind === "from") for (const parent of source.collections) find(parent).children.push(collection);
  }
  for (const { name } of targetsFirst(api.collections)) find(name).read(loaded.get(name) ?? []);
  for (const collection of collections.values()) collection.finish();
  return {
    itemsOf: (name) => find(name).items(),
    assetsOf: (name) => find(name).assets,
    itemFiles: new Map([...collections].map(([name, { itemFiles }]) => [name, itemFiles])),
    choices: new Map([...referred].map((name) => [name, find(name).names.choices()])),
  };
}

/**
 * The collections in the order in which they are read: first, as far as possible, those to which others refer. References
 * by another field than the key decide, because those need the other collection, and the declaration allows no circles of
 * them. Other references may form circles, so one sorting cannot do both. Items that are made from a collection are read
 * with it.
 */
function targetsFirst(lists: readonly ListOperation[]): readonly ListOperation[] {
  const rootsOf = (operation: ListOperation): readonly ListOperation[] => {
    const { source } = operation;
    if (source.kind !== "from") return [operation];
    return lists.filter(({ name }) => source.collections.includes(name)).flatMap(rootsOf);
  };
  const targetsOf = (operation: ListOperation, isRelevant: (reference: Reference) => boolean) => {
    const references = lists.filter((list) => rootsOf(list).includes(operation)).flatMap((list) => list.references);
    const names = new Set(references.filter(isRelevant).map(({ to }) => to));
    return lists.filter(({ name }) => names.has(name)).flatMap(rootsOf);
  };
  const byReferences = sorted(lists, (operation) => targetsOf(operation, () => true));
  return sorted(byReferences, (operation) => targetsOf(operation, isByField));
}

/** Each element after those that it needs. Circles are broken anywhere. */
function sorted<Element>(
  all: readonly Element[],
  needsOf: (element: Element) => readonly Element[],
): readonly Element[] {
  const entered = new Set<Element>();
  const done = new Set<Element>();
  const visit = (element: Element): void => {
    if (entered.has(element)) return;
    entered.add(element);
    needsOf(element).forEach(visit);
    done.add(element);
  };
  all.forEach(visit);
  return [...done];
}
