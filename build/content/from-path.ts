// records/os/2025.ndjson: a field may be omitted if the name of the file, or of its first folder, supplies it.
import type { Resource } from "../../src/resource.ts";
import { closest } from "../slips.ts";
import { type Fault, fault, type WithFaults } from "./faults/fault.ts";
import { stem } from "./globs.ts";
import { type Keys, textAt } from "./link.ts";
import { type Entry, isPartial } from "./source.ts";

type Names = Pick<Resource, "noun" | "nouns">;

/**
 * Fills in the field of a file's entries from its path. A field that contradicts the path is a fault. `others`: whether
 * the file has further entries, which all have the field.
 */
export function fillFromPath(
  entries: readonly Entry[],
  names: Names,
  field: string,
  keys: Keys,
  others = false,
): WithFaults<readonly Entry[]> {
  const file = entries[0]?.source.file ?? "";
  const implied = impliedBy(file, keys);
  const [first] = implied;
  const filled: Entry[] = [];
  const faults: Fault[] = [...contradictions(entries[0], names, field, implied)];
  const silent: Entry[] = [];
  for (const entry of entries) {
    const given = textAt(entry.value, field);
    if (given !== undefined && first !== undefined && isContrary(given, implied, keys)) {
      faults.push(contrary(entry, [...entry.path, field], names, field, { name: given, by: names.noun }, first));
    }
    const absent = isObject(entry.value) && !Object.hasOwn(entry.value, field);
    if (absent && first === undefined && !isPartial(entry.value) && !misspells(entry.value, field)) silent.push(entry);
    const fill = absent && first !== undefined && keys.wellFormed(first.name);
    filled.push(fill ? { ...entry, value: { ...Object(entry.value), [field]: first.name } } : entry);
  }
  if (!keys.whole) return [filled, faults];
  // If all entries rely on the file's name, the name is at fault: one fault, and not one for each entry.
  const some = others || entries.some(({ value }) => Object.hasOwn(Object(value), field));
  const named = namesIn(file).map(({ name }) => name);
  const meant = named.map(keys.meantBy).find((guess) => guess !== undefined);
  const missing = missingOf(named, keys);
  for (const { source, path } of some ? silent : silent.slice(0, 1)) {
    faults.push(
      fault("no-collection", source, { path }, () => ({ noun: names.noun, field, target: keys.noun, meant, missing })),
    );
  }
  return [filled, faults];
}

/** The missing item that a path names: `records/videos.yaml` names the collection videos. */
function missingOf(named: readonly string[], { noun, wellFormed, fileFor }: Keys) {
  const name = named.find(wellFormed);
  return name === undefined ? undefined : { noun, name, add: fileFor(name) };
}

/** Whether a file's path contradicts itself. */
export const isContradictory = (file: string, keys: Keys): boolean =>
  new Set(impliedBy(file, keys).map(({ name }) => name)).size > 1;

/** Whether an item's value contradicts its file's path. */
export function contraryTo(file: string, keys: Keys): (value: string) => boolean {
  const implied = impliedBy(file, keys);
  return (value) => isContrary(value, implied, keys);
}

const isContrary = (given: string, implied: readonly Implied[], { known }: Keys): boolean =>
  known.has(given) && implied.length > 0 && !implied.some(({ name }) => name === given);

interface Implied {
  readonly name: string;
  /** The noun of the items, `folder` or `file's name`. */
  readonly by: string;
}

const impliedBy = (file: string, { known }: Keys): readonly Implied[] =>
  namesIn(file).filter(({ name }) => known.has(name));

/** `records/os/2025.ndjson` may mean "os" or "2025"; `records.json` implies nothing. */
function namesIn(file: string): readonly Implied[] {
  const [, ...below] = file.split("/");
  const last = below.at(-1);
  const folder = below.length > 1 ? below[0] : undefined;
  return [
    ...(folder === undefined ? [] : [{ name: folder, by: "folder" }]),
    ...(last === undefined ? [] : [{ name: stem(last), by: "file's name" }]),
  ];
}

/** A path that contradicts itself is one fault, however many entries its file has. */
function contradictions(
  head: Entry | undefined,
  names: Names,
  field: string,
  [first, second]: readonly Implied[],
): readonly Fault[] {
  if (head === undefined || first === undefined || second === undefined || first.name === second.name) return [];
  return [contrary(head, head.path, names, field, first, second)];
}

const contrary = (
  { source }: Entry,
  path: Entry["path"],
  names: Names,
  field: string,
  one: Implied,
  other: Implied,
): Fault =>
  fault("wrong-collection", source, { path }, () => ({
    ...names,
    field,
    value: one.name,
    by: one.by,
    implied: other.name,
    impliedBy: other.by,
  }));

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const misspells = (value: object, field: string): boolean =>
  Object.keys(value).some((key) => closest(key, [field]) !== undefined);
