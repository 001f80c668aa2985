// The items of all resources: complete, linked and valid.
import { type ListOperation, listOperations, referenced } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { collect, type Fault, type WithFaults } from "./fault.ts";
import { fillFromPath } from "./from-path.ts";
import { checkReference, checkUnique, type Keys, keysOf } from "./link.ts";
import type { Content } from "./read.ts";
import type { Entry } from "./source.ts";
import { validate } from "./validate.ts";

/** By the names of the operations that list them. */
export function readItems(content: Content, vocabulary: Vocabulary): WithFaults<ReadonlyMap<string, readonly Item[]>> {
  const claims = new Map(listOperations.map((operation) => [operation.name, claimsOf(operation, content)]));
  const claimsOn = (operation: ListOperation) => claims.get(operation.name) ?? claimsOf(operation, content);
  const items = new Map<string, readonly Item[]>();
  const faults: (readonly Fault[])[] = [];
  for (const operation of listOperations) {
    const { noun, fromPath, schema: schemaFor } = operation.resource;
    const [entries, linkFaults] = link(operation, claimsOn);
    const schema = schemaFor(vocabulary);
    const [valid, itemFaults] = collect(entries.map((entry) => validate(entry, schema, noun, fromPath)));
    faults.push(linkFaults, itemFaults);
    items.set(operation.name, valid);
  }
  return [items, faults.flat()];
}

/** What the files say that there is of a resource, faulty items included. */
interface Claims {
  /** By file. */
  readonly entries: readonly (readonly Entry[])[];
  readonly keys: Keys;
}

function claimsOf({ name, resource }: ListOperation, { files, lost }: Content): Claims {
  const own = files.filter(({ role }) => role.kind === "items" && role.operation === name);
  const entries = own.map((file) => file.entries);
  return { entries, keys: keysOf(resource, entries.flat(), !lost.has(name) && own.every(({ whole }) => whole)) };
}

/** The entries, with what the paths of their files say of them. */
function link(operation: ListOperation, claimsOn: (operation: ListOperation) => Claims): WithFaults<readonly Entry[]> {
  const { references, fromPath } = operation.resource;
  const { entries, keys } = claimsOn(operation);
  const targetsOf = (field: string) => claimsOn(referenced(operation.resource, field)).keys;
  const all = entries.flat();
  const faults = references.flatMap(({ field }) => checkReference(all, field, targetsOf(field)));
  const [filled, fillFaults] =
    fromPath === undefined
      ? [entries, []]
      : collect(entries.map((each) => fillFromPath(each, fromPath, targetsOf(fromPath))));
  return [filled.flat(), [...checkUnique(keys, all), ...faults, ...fillFaults]];
}
