// Reads the items of all collections. The collections to which others refer come first, so that most references lead to
// items that are known already.
import type { ListOperation } from "../../src/operation.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Items } from "./catalog.ts";
import { type Collection, openCollection } from "./collection.ts";
import type { Fault } from "./fault.ts";
import { isJoin } from "./join.ts";
import type { Loaded } from "./load.ts";
import type { Folder } from "./read.ts";
import { type Referable, referable } from "./referable.ts";

export interface ReadItems {
  /** The items of an operation in its order, if nothing is wrong with them. */
  readonly itemsOf: (operation: string) => Items;
  /** By the name of an operation to whose items others refer. */
  readonly referable: ReadonlyMap<string, () => Referable>;
  readonly faults: readonly Fault[];
  /** The operations with faults, and those whose items are made from theirs. */
  readonly faulty: readonly string[];
}

export function readItemsOf({ api, files, lost }: Folder, vocabulary: Vocabulary, loaded: Loaded): ReadItems {
  const all = new Map<string, Collection>();
  const find = (name: string): Collection => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`There is no collection ${name}.`);
    return found;
  };
  const references = api.lists.flatMap(({ resource }) => resource.references);
  const referred = new Set(references.map(({ to }) => to));
  for (const operation of api.lists) {
    const { name, load } = operation;
    const own = files.filter(({ role }) => role.kind === "items" && role.operation === name);
    const isWhole = !lost.has(name) && (load === undefined || loaded.has(name));
    all.set(
      name,
      openCollection(operation, {
        vocabulary,
        find,
        files: own,
        isReferredTo: referred.has(name),
        joinedBy: [...new Set(references.filter(({ to }) => to === name).flatMap(({ by }) => by ?? []))],
        isWhole,
      }),
    );
  }
  for (const each of all.values()) {
    if (each.operation.from !== undefined) find(each.operation.from.operation).derived.push(each);
  }
  for (const operation of targetsFirst(api.lists)) find(operation.name).read(loaded.get(operation.name) ?? []);
  const faults = new Map(
    [...all].map(([name, { faults, claims, links }]) => [name, [faults, claims.faults(), links.faults()].flat()]),
  );
  const isFaulty = ({ name, from }: ListOperation): boolean =>
    faults.get(name)?.length !== 0 || (from !== undefined && isFaulty(find(from.operation).operation));
  return {
    itemsOf: (name) => find(name).store.items(),
    referable: new Map([...referred].map((name) => [name, () => referable(find(name))])),
    faults: [...faults.values()].flat(),
    faulty: api.lists.filter(isFaulty).map(({ name }) => name),
  };
}

/**
 * The collections in an order in which those that are joined come before those that join them, which no declaration makes
 * a circle of, and others that are referred to as far as possible. What is made from a collection is read with it.
 */
function targetsFirst(lists: readonly ListOperation[]): readonly ListOperation[] {
  const rootOf = (operation: ListOperation): ListOperation => {
    const parent = lists.find(({ name }) => name === operation.from?.operation);
    return parent === undefined ? operation : rootOf(parent);
  };
  const targets = new Map<ListOperation, readonly { readonly isJoin: boolean; readonly root: ListOperation }[]>();
  for (const operation of lists) {
    const own = operation.resource.references.flatMap((each) =>
      lists.filter(({ name }) => name === each.to).map((to) => ({ isJoin: isJoin(each), root: rootOf(to) })),
    );
    const root = rootOf(operation);
    targets.set(root, [...(targets.get(root) ?? []), ...own]);
  }
  const targetsOf = (operation: ListOperation) => targets.get(operation) ?? [];
  const byLinks = ordered(lists, (operation) => targetsOf(operation).map(({ root }) => root));
  return ordered(byLinks, (operation) => targetsOf(operation).flatMap(({ isJoin, root }) => (isJoin ? root : [])));
}

/** Each element behind those that must be before it. Circles are broken anywhere. */
function ordered<Each>(all: readonly Each[], before: (each: Each) => readonly Each[]): readonly Each[] {
  const [entered, done] = [new Set<Each>(), new Set<Each>()];
  const visit = (each: Each): void => {
    if (entered.has(each)) return;
    entered.add(each);
    for (const other of before(each)) visit(other);
    done.add(each);
  };
  for (const each of all) visit(each);
  return [...done];
}
