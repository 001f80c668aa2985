// The items of all resources. Each file is read by its own lane, the items of all lanes are linked, and only the files
// with faults are read again, for their places.
import { type ListOperation, listOperations, referenced } from "../../src/operations.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { collect, type Fault, type WithFaults } from "./fault.ts";
import { fillFromPath, hasContrary } from "./from-path.ts";
import { laneOf, readByLane } from "./lanes.ts";
import { checkReference, checkUnique, isUnknown, type Keys, keysOf, textAt } from "./link.ts";
import { type Folder, type Reading, read } from "./read.ts";
import { caselessHash, filesWithRepeats } from "./repeats.ts";
import { type Rows, rowsOf } from "./rows.ts";
import { validate } from "./validate.ts";

/** The rows of each operation, by its name. */
export function readItems(
  { files, lost }: Folder,
  vocabulary: Vocabulary,
  cache?: Cache,
): WithFaults<ReadonlyMap<string, readonly Rows[]>> {
  const resources = listOperations.map((operation): OwnReadings => {
    const lane = laneOf(operation, vocabulary);
    const own = files.filter(({ role }) => role.kind === "items" && role.operation === operation.name);
    return { operation, readings: own.map((file) => readByLane(file, lane, cache)) };
  });
  const linked = link(resources, lost, vocabulary);
  const faults = linked.flatMap((each) => each.faults);
  return [new Map(linked.map(({ operation, rows }) => [operation.name, rows])), faults];
}

interface OwnReadings {
  readonly operation: ListOperation;
  /** In the order of their files. */
  readonly readings: readonly Reading[];
}

interface Linked {
  readonly operation: ListOperation;
  readonly rows: readonly Rows[];
  readonly faults: readonly Fault[];
  /** The files with rows that may not fit together with other items. */
  readonly doubted: ReadonlySet<string>;
}

function link(resources: readonly OwnReadings[], lost: ReadonlySet<string>, vocabulary: Vocabulary): readonly Linked[] {
  const keys = new Map(
    resources.map(({ operation: { name, resource }, readings }) => [name, keysOf(resource, readings, !lost.has(name))]),
  );
  const linked = resources.map((own) => linkOne(own, keys, vocabulary));
  const faulty = new Set(
    linked.flatMap(({ faults, doubted }) => [...doubted, ...faults.map(({ source }) => source.file)]),
  );
  const isDue = ({ exact, file }: Reading) => !exact && faulty.has(file.file);
  if (!resources.some(({ readings }) => readings.some(isDue))) return linked;
  const again = resources.map(({ operation, readings }) => ({
    operation,
    readings: readings.map((each) => (isDue(each) ? read(each.file) : each)),
  }));
  return link(again, lost, vocabulary);
}

function linkOne(
  { operation, readings }: OwnReadings,
  keys: ReadonlyMap<string, Keys>,
  vocabulary: Vocabulary,
): Linked {
  const { noun, key, references, fromPath, schema: schemaFor } = operation.resource;
  const targets = (field: string) => keysIn(keys, referenced(operation.resource, field));
  const entries = readings.flatMap((each) => each.entries);
  const repeats = repeatsIn(readings, key);
  const unique = repeats.size === 0 ? [] : checkUnique(keysIn(keys, operation), entries);
  const unknown = references.flatMap(({ field }) => checkReference(entries, field, targets(field)));
  const [filled, fillFaults] =
    fromPath === undefined
      ? [[entries], []]
      : collect(readings.map((each) => fillFromPath(each.entries, fromPath, targets(fromPath))));
  const schema = schemaFor(vocabulary);
  const [valid, itemFaults] = collect(filled.flat().map((entry) => validate(entry, schema, noun, fromPath)));
  return {
    operation,
    rows: [...readings.flatMap(({ rows }) => rows ?? []), rowsOf(operation, valid)],
    faults: [...readings.flatMap(({ faults }) => faults), ...unique, ...unknown, ...fillFaults, ...itemFaults],
    doubted: new Set([...repeats, ...readings.filter((each) => isDoubted(each, targets, fromPath)).map(fileOf)]),
  };
}

function keysIn(keys: ReadonlyMap<string, Keys>, { name }: ListOperation): Keys {
  const own = keys.get(name);
  if (own === undefined) throw new Error(`The keys of ${name} are not known.`);
  return own;
}

const fileOf = ({ file }: Reading): string => file.file;

/** The files in which a key may be that of another item. */
const repeatsIn = (readings: readonly Reading[], key: string): ReadonlySet<string> =>
  filesWithRepeats(
    readings.map(({ file, rows, entries }) => {
      const texts = entries.flatMap(({ value }) => textAt(value, key) ?? []);
      const hashes = Float64Array.from(texts, (text) => caselessHash(text.toLowerCase()));
      return { file: file.file, columns: rows === undefined ? [hashes] : [rows.hashes, hashes] };
    }),
  );

/** Whether a reference of the rows leads nowhere, or is not what the file's path says. */
const isDoubted = ({ file, rows }: Reading, targets: (field: string) => Keys, fromPath: string | undefined): boolean =>
  (rows?.references ?? []).some(({ field, numbers }) => {
    const keys = targets(field);
    const values = [...numbers.keys()];
    if (values.some((value) => isUnknown(value, keys))) return true;
    return field === fromPath && hasContrary(file.file, values, keys);
  });
