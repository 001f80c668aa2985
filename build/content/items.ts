// Reads the items of all collections. The collections to which others refer come first, so that most references lead to
// items that are known already.
import type { ListOperation } from "../../src/operation.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Items } from "./catalog.ts";
import { type Collection, openCollection } from "./collection.ts";
import type { Fault } from "./fault.ts";
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
  const referred = new Set(api.lists.flatMap(linksOf));
  for (const operation of api.lists) {
    const { name, load } = operation;
    const own = files.filter(({ role }) => role.kind === "items" && role.operation === name);
    const isWhole = !lost.has(name) && (load === undefined || loaded.has(name));
    all.set(
      name,
      openCollection(operation, { vocabulary, find, files: own, isReferredTo: referred.has(name), isWhole }),
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

/** The names of the collections to which items refer. */
const linksOf = ({ resource: { references, innerReferences } }: ListOperation): readonly string[] =>
  [...references, ...innerReferences].map(({ to }) => to);

function targetsFirst(lists: readonly ListOperation[]): readonly ListOperation[] {
  const ordered = new Set<ListOperation>();
  const visit = (operation: ListOperation, above: readonly ListOperation[]): void => {
    if (above.includes(operation)) return;
    const targets = linksOf(operation).flatMap((name) => lists.filter((each) => each.name === name));
    for (const target of targets) visit(target, [...above, operation]);
    ordered.add(operation);
  };
  for (const operation of lists) visit(operation, []);
  return [...ordered];
}
