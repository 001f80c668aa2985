// What holds between items: keys are unique, references lead to items that exist. Both are checked on what a file
// says, faulty items included, so that one fault is not reported again by everything that refers to its item.
import type { ListOperation } from "../../src/operations.ts";
import { type Fault, fault } from "./fault.ts";
import type { Entry } from "./source.ts";

/** The keys that the entries of a resource claim. */
export interface Keys {
  /** As written. */
  readonly known: ReadonlySet<string>;
  /** False where a file could not be read: then a key that is not known may still be there. */
  readonly whole: boolean;
}

const textAt = (entry: Entry, field: string): string | undefined => {
  const value: unknown = Object(entry.value)[field];
  return typeof value === "string" ? value : undefined;
};

export function keysOf({ resource }: ListOperation, entries: readonly Entry[], whole: boolean): Keys {
  const known = new Set<string>();
  for (const entry of entries) {
    const key = textAt(entry, resource.key);
    if (key !== undefined) known.add(key);
  }
  return { known, whole };
}

/** Keys are compared without case, for they may become names of files. */
export function checkUnique({ resource: { noun, key } }: ListOperation, entries: readonly Entry[]): readonly Fault[] {
  const firsts = new Map<string, Entry>();
  const faults: Fault[] = [];
  for (const entry of entries) {
    const value = textAt(entry, key);
    if (value === undefined) continue;
    const folded = value.toLowerCase();
    const first = firsts.get(folded);
    if (first === undefined) {
      firsts.set(folded, entry);
      continue;
    }
    const at = (of: Entry) => ({ path: [...of.path, key] });
    faults.push(
      fault("not-unique", entry.source, at(entry), (placeOf) => ({
        noun,
        key,
        value,
        first: placeOf(first.source, at(first)),
      })),
    );
  }
  return faults;
}

/** `wellFormed` is the form of a reference: what does not have it is reported as that. */
export function checkReference(
  entries: readonly Entry[],
  field: string,
  target: ListOperation,
  keys: Keys,
  wellFormed: (value: string) => boolean,
): readonly Fault[] {
  if (!keys.whole) return [];
  const { noun, key } = target.resource;
  return entries.flatMap((entry) => {
    const value = textAt(entry, field);
    if (value === undefined || keys.known.has(value) || !wellFormed(value)) return [];
    const details = { noun, key, value, known: [...keys.known] };
    return [fault("no-such-item", entry.source, { path: [...entry.path, field] }, () => details)];
  });
}

/**
 * Completes a field that the path may give: each entry's value with the field, or a fault. The file's name and that of
 * its first folder give it where they are the key of an item. What cannot be told is reported once a file.
 */
export function fillFromPath(
  entries: readonly Entry[],
  field: string,
  keys: Keys,
): readonly [readonly Entry[], readonly Fault[]] {
  const faults: Fault[] = [];
  const reported = new Set<string>();
  const filled = entries.map((entry): Entry => {
    const given = textAt(entry, field);
    const implied = impliedBy(entry.source.file).filter(({ name }) => keys.known.has(name));
    const contrary = implied.find(({ name }) => name !== (given ?? implied[0]?.name));
    if (contrary !== undefined && (given === undefined || keys.known.has(given))) {
      const at = { path: given === undefined ? entry.path : [...entry.path, field] };
      const details = { value: given ?? implied[0]?.name ?? "", implied: contrary.name, by: contrary.by };
      faults.push(fault("wrong-collection", entry.source, at, () => details));
    }
    const present = typeof entry.value !== "object" || entry.value === null || Object.hasOwn(entry.value, field);
    if (present) return entry;
    const [first] = implied;
    if (first !== undefined) return { ...entry, value: { ...entry.value, [field]: first.name } };
    if (keys.whole && !reported.has(entry.source.file)) {
      reported.add(entry.source.file);
      const details = { name: impliedBy(entry.source.file).at(-1)?.name ?? "", known: [...keys.known] };
      faults.push(fault("no-collection", entry.source, { path: entry.path }, () => details));
    }
    return entry;
  });
  return [filled, faults];
}

/** `records/os/2025.ndjson` may mean "os" or "2025"; `records.json` means nothing. */
function impliedBy(file: string): readonly { readonly name: string; readonly by: "file's name" | "folder" }[] {
  const [, ...below] = file.split("/");
  const name = below.at(-1)?.replace(/\..*$/, "");
  const folder = below.length > 1 ? below[0] : undefined;
  return [
    ...(folder === undefined ? [] : [{ name: folder, by: "folder" } as const]),
    ...(name === undefined ? [] : [{ name, by: "file's name" } as const]),
  ];
}
