// Reads the items of all resources and links them. Files are read again only if some of their rows may conflict with
// other items, or if the places of their faults are unknown.
import { type Api, referenced } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { collect, type Fault, type WithFaults } from "./faults/fault.ts";
import { contraryTo, fillFromPath, isContradictory } from "./from-path.ts";
import { type Done, laneOf, readAgain, readByLane } from "./lanes.ts";
import { checkReference, checkUnique, isUnknown, type Keys, keysOf } from "./link.ts";
import { withMade } from "./made.ts";
import { type Alike, alikeValues, checkAliases, checkAlike } from "./names.ts";
import { checkKeyFolders, checkPathParts } from "./path-parts.ts";
import type { Lane, Suspicion } from "./plain-lines.ts";
import { preparer } from "./prepare.ts";
import type { Folder, Reading } from "./read.ts";
import { type Referable, referable } from "./referable.ts";
import { caselessHash, findRepeats, type Repeats } from "./repeats.ts";
import { type Rows, rowsOf } from "./rows.ts";
import { type Stray, type StraySorter, strayFault, straySorter } from "./strays.ts";
import { validate } from "./validate.ts";

interface ReadItems {
  /** The rows of each operation, by its name. */
  readonly rows: ReadonlyMap<string, readonly Rows[]>;
  /** By the name of an operation to whose items others refer. */
  readonly referable: ReadonlyMap<string, () => Referable>;
}

/** Files that are `done`, by name, are not read again. */
export function readItems(
  folder: Folder,
  vocabulary: Vocabulary,
  cache?: Cache,
  done?: ReadonlyMap<string, Done>,
): WithFaults<ReadItems> {
  const { files, api } = folder;
  const resources = api.lists.map((operation): OwnReadings => {
    const lane = laneOf(operation, api, vocabulary);
    const prepare = preparer(operation, vocabulary);
    const sort = straySorter(operation, api.lists, vocabulary);
    const own = files.filter(({ role }) => role.kind === "items" && role.operation === operation.name);
    return {
      operation,
      lane,
      sort,
      prepare,
      readings: own.map((file) => prepare(readByLane(file, lane, cache, done?.get(file.file)))),
    };
  });
  const linked = link(resources, folder, vocabulary);
  const faults = linked.flatMap((each) => each.faults);
  const rows = new Map(linked.map(({ operation, rows }) => [operation.name, rows]));
  const targets = linked.filter(({ lane }) => lane.isReferredTo);
  const known = targets.map(
    ({ operation, readings, keys }) => [operation.name, () => referable(readings, keys)] as const,
  );
  return [{ rows, referable: new Map(known) }, faults];
}

interface OwnReadings {
  readonly operation: ListOperation;
  readonly lane: Lane;
  readonly prepare: (reading: Reading) => Reading;
  readonly sort: StraySorter;
  /** In the order of their files. */
  readonly readings: readonly Reading[];
}

interface Linked {
  readonly operation: ListOperation;
  readonly lane: Lane;
  readonly readings: readonly Reading[];
  readonly keys: Keys;
  readonly rows: readonly Rows[];
  readonly faults: readonly Fault[];
  /** The files with rows that may conflict with other items, and a test for these rows. */
  readonly doubted: ReadonlyMap<string, Suspicion>;
}

function link(
  resources: readonly OwnReadings[],
  folder: Pick<Folder, "api" | "lost">,
  vocabulary: Vocabulary,
  isAgain = false,
): readonly Linked[] {
  const sorted = withMade(resources.map(sortStrays), vocabulary);
  const keys = new Map(
    sorted.map(({ operation, readings }) => {
      const strays = sorted.flatMap((each) => each.strays.filter(({ fits }) => fits === operation));
      const held = [...readings, { whole: true, rows: [], entries: strays.map(({ entry }) => entry) }];
      return [operation.name, keysOf(operation, held, !folder.lost.has(operation.name))];
    }),
  );
  const linked = sorted.map((own) => linkOne(own, folder.api, keys, vocabulary));
  const faulty = new Set(linked.flatMap(({ faults }) => faults.map(({ at }) => at.source.file)));
  const doubted = new Map(linked.flatMap((each) => [...each.doubted]));
  const isDue = ({ exact, file: { file }, rows }: Reading) =>
    (rows.length > 0 && doubted.has(file)) || (!exact && faulty.has(file));
  if (isAgain || !resources.some(({ readings }) => readings.some(isDue))) return linked;
  const again = resources.map(({ readings, ...own }) => ({
    ...own,
    readings: readings.map((each) => {
      if (!isDue(each)) return each;
      return own.prepare(readAgain(each.file, own.lane, doubted.get(each.file.file) ?? (() => false)));
    }),
  }));
  return link(again, folder, vocabulary, true);
}

interface SortedReadings extends Pick<OwnReadings, "operation" | "lane" | "readings"> {
  /** Stray items in the files of these readings, which are not among their entries. */
  readonly strays: readonly Stray[];
}

function sortStrays({ operation, lane, readings, sort }: OwnReadings): SortedReadings {
  const sorted = readings.map(sort);
  return { operation, lane, readings: sorted.map(([own]) => own), strays: sorted.flatMap(([, strays]) => strays) };
}

function linkOne(
  { operation, lane, readings, strays }: SortedReadings,
  api: Api,
  keys: ReadonlyMap<string, Keys>,
  vocabulary: Vocabulary,
): Linked {
  const { noun, nouns, references, innerReferences, fromPath, schema: schemaFor } = operation.resource;
  const targets = (field: string) => keysIn(keys, referenced(api, operation.resource, field));
  const entries = readings.flatMap((each) => each.entries);
  const ownKeys = keysIn(keys, operation);
  const columns = readings.flatMap(({ rows }) => rows.flatMap((each) => each.columns));
  const alike = alikeValues(operation, columns, entries);
  const repeats = repeatsIn(readings, ownKeys);
  const unique = repeats.files.size === 0 ? [] : checkUnique(ownKeys, entries);
  const links = [...references, ...innerReferences];
  const unknown = [...new Set(links.map(({ field }) => field))].flatMap((field) => {
    const held = links.flatMap((each) => (each.field === field ? (keys.get(each.to) ?? []) : []));
    return checkReference(entries, field, held, field === fromPath);
  });
  const names = { noun, nouns };
  const [filled, fillFaults] =
    fromPath === undefined
      ? [[entries], []]
      : collect(
          readings.map((each) => fillFromPath(each.entries, names, fromPath, targets(fromPath), each.rows.length > 0)),
        );
  const schema = schemaFor(vocabulary);
  const [valid, itemFaults] = collect(filled.flat().map((entry) => validate(entry, schema, names, fromPath)));
  return {
    operation,
    lane,
    readings,
    keys: ownKeys,
    rows: [...readings.flatMap(({ rows }) => rows), rowsOf(operation, lane.keepsKeys, valid)],
    faults: [
      ...readings.flatMap(({ faults }) => faults),
      ...strays.map((stray) => strayFault(stray, operation)),
      ...[unique, unknown, fillFaults, itemFaults, checkPathParts(entries, operation, schema)].flat(),
      ...checkKeyFolders(entries, ownKeys),
      ...checkAliases(entries, operation, ownKeys),
      ...checkAlike(entries, alike),
    ],
    doubted: new Map(readings.flatMap((each) => doubtIn(each, repeats, references.length, targets, fromPath, alike))),
  };
}

function keysIn(keys: ReadonlyMap<string, Keys>, { name }: ListOperation): Keys {
  const own = keys.get(name);
  if (own === undefined) throw new Error(`The keys of ${name} are not known.`);
  return own;
}

/** Keys that may occur more than once. */
const repeatsIn = (readings: readonly Reading[], { keyIn }: Keys): Repeats =>
  findRepeats(
    readings.map(({ file, rows, entries }) => {
      const texts = entries.flatMap(({ value }) => keyIn(value) ?? []);
      const hashes = Float64Array.from(texts, (text) => caselessHash(text.toLowerCase()));
      return { file: file.file, columns: [...rows.map((each) => each.hashes), hashes] };
    }),
  );

/** Whether rows of a file may have a repeated key, a reference to no item, or one that contradicts the file's path. */
function doubtIn(
  { file: { file }, rows }: Reading,
  repeats: Repeats,
  references: number,
  targets: (field: string) => Keys,
  fromPath: string | undefined,
  alike: readonly Alike[],
): readonly (readonly [file: string, Suspicion])[] {
  // The columns of references come first.
  const doubtful = (rows[0]?.columns ?? []).map(({ field }, index) => {
    const texts = new Set(rows.flatMap(({ columns }) => [...(columns[index]?.numbers.keys() ?? [])]));
    const isAlike = (text: string) => alike.some(({ filter, texts }) => filter.field === field && texts.has(text));
    if (index >= references) return new Set([...texts].filter(isAlike));
    const keys = targets(field);
    const isContrary = field === fromPath ? contraryTo(file, keys) : () => false;
    return new Set([...texts].filter((value) => isUnknown(value, keys) || isContrary(value)));
  });
  const hasTwoNames = fromPath !== undefined && isContradictory(file, targets(fromPath));
  if (!repeats.files.has(file) && !hasTwoNames && doubtful.every(({ size }) => size === 0)) return [];
  const suspicion: Suspicion = (key, references, isFirst) =>
    repeats.hashes.has(caselessHash(key)) ||
    references.some((value, index) => doubtful[index]?.has(value)) ||
    // A fault of the path itself is reported at the file's first item.
    (isFirst && hasTwoNames);
  return [[file, suspicion]];
}
