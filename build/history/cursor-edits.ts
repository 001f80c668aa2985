// The difference between a build and the one before it. For items, the difference is the shortest script that turns the
// later items into the earlier ones.
import { type Values, valuesAt } from "../content/table/items.ts";
import { type CollectionState, type CollectionStates, noValues } from "./build-state.ts";
import type { CollectionDifference, EarlierBuild, Edit } from "./state.ts";

/** Items in their order, with the values of the same filters. */
export type FilteredItems = Pick<CollectionState, "orderKeys" | "values">;

/**
 * The shortest script from `later` to `earlier`, which have the same filters. `[3, -1, ["b", "lhr1 fra1"], 2]` keeps three
 * items, leaves out the next one, inserts an item with the order key `b`, and keeps two.
 */
export function editsBetween(later: FilteredItems, earlier: FilteredItems): readonly Edit[] {
  const edits: Edit[] = [];
  const count = (by: 1 | -1) => {
    const last = edits.at(-1);
    if (typeof last === "number" && Math.sign(last) === by) edits[edits.length - 1] = last + by;
    else edits.push(by);
  };
  const comparisons = [...earlier.values].map(([param, values]) =>
    comparisonOf(later.values.get(param) ?? noValues, values),
  );
  let laterIndex = 0;
  let earlierIndex = 0;
  while (laterIndex < later.orderKeys.length || earlierIndex < earlier.orderKeys.length) {
    const laterKey = later.orderKeys[laterIndex];
    const earlierKey = earlier.orderKeys[earlierIndex];
    const hasSameKey = laterKey !== undefined && laterKey === earlierKey;
    if (hasSameKey && comparisons.every((isSame) => isSame(laterIndex, earlierIndex))) {
      count(1);
      laterIndex++;
      earlierIndex++;
    } else if (earlierKey === undefined || (laterKey !== undefined && laterKey <= earlierKey)) {
      count(-1);
      laterIndex++;
    } else {
      edits.push(insertion(earlier, earlierIndex));
      earlierIndex++;
    }
  }
  return edits;
}

/** Compares the values of an item in one build with the values of an item in another one, both by their indices. */
function comparisonOf(later: Values, earlier: Values): (laterIndex: number, earlierIndex: number) => boolean {
  const laterNumbers = new Map(later.known.map((value, number) => [value, number]));
  const numbers = earlier.known.map((value) => laterNumbers.get(value));
  return (laterIndex, earlierIndex) => {
    const start = later.starts[laterIndex] ?? 0;
    const end = later.starts[laterIndex + 1] ?? 0;
    const earlierStart = earlier.starts[earlierIndex] ?? 0;
    const earlierEnd = earlier.starts[earlierIndex + 1] ?? 0;
    if (end - start !== earlierEnd - earlierStart) return false;
    for (let offset = 0; offset < end - start; offset++) {
      const number = numbers[earlier.numbers[earlierStart + offset] ?? 0];
      if (later.numbers[start + offset] !== number) return false;
    }
    return true;
  };
}

const insertion = ({ orderKeys, values }: FilteredItems, index: number): Edit => [
  orderKeys[index] ?? "",
  ...Array.from(values.values(), (ofFilter) => textOf(ofFilter, index)),
];

// In a script, the values of an item are one text: `lhr1 fra1`. Values have no spaces.
const textOf = (values: Values, index: number): string => valuesAt(values, index).join(" ");
const valuesIn = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));

/** The earlier items. Undefined if the script does not apply to these items. */
export function applyEdits(later: FilteredItems, edits: readonly Edit[]): FilteredItems | undefined {
  const keys: string[] = [];
  const lists = [...later.values].map(([param, values]) => ({ param, list: new ValueList(values) }));
  let laterIndex = 0;
  for (const edit of edits) {
    const isRun = typeof edit === "number";
    const start = laterIndex;
    if (isRun) laterIndex += Math.abs(edit);
    else if (edit.length !== 1 + lists.length) return undefined;
    if (laterIndex > later.orderKeys.length) return undefined;
    if (isRun && edit <= 0) continue;
    // Of consecutive items that are kept, only the first has to be checked.
    const first = (isRun ? later.orderKeys[start] : edit[0]) ?? "";
    const last = keys.at(-1);
    if (last !== undefined && last >= first) return undefined;
    if (isRun) {
      for (let index = start; index < laterIndex; index++) keys.push(later.orderKeys[index] ?? "");
      for (const { list } of lists) list.keep(start, laterIndex);
    } else {
      keys.push(first);
      for (const [index, { list }] of lists.entries()) list.insert(valuesIn(edit[index + 1] ?? ""));
    }
  }
  if (laterIndex < later.orderKeys.length) return undefined;
  return { orderKeys: keys, values: new Map(lists.map(({ param, list }) => [param, list.values()])) };
}

/** The values of a filter in items that are derived from the items of a later build. */
class ValueList {
  readonly #later: Values;
  readonly #known: string[];
  readonly #numberOf: Map<string, number>;
  readonly #numbers: number[] = [];
  readonly #starts = [0];

  constructor(later: Values) {
    this.#later = later;
    this.#known = [...later.known];
    this.#numberOf = new Map(later.known.map((value, number) => [value, number]));
  }

  /** Adds items of the later build, from `start` up to but without `end`. */
  keep(start: number, end: number): void {
    const { numbers, starts } = this.#later;
    for (let index = start; index < end; index++) {
      const last = starts[index + 1] ?? 0;
      for (let at = starts[index] ?? 0; at < last; at++) this.#numbers.push(numbers[at] ?? 0);
      this.#starts.push(this.#numbers.length);
    }
  }

  insert(values: readonly string[]): void {
    for (const value of values) {
      const number = this.#numberOf.get(value) ?? this.#known.length;
      if (number === this.#known.length) {
        this.#numberOf.set(value, number);
        this.#known.push(value);
      }
      this.#numbers.push(number);
    }
    this.#starts.push(this.#numbers.length);
  }

  values(): Values {
    return { known: this.#known, numbers: Uint32Array.from(this.#numbers), starts: Uint32Array.from(this.#starts) };
  }
}

/** The difference between a build and the one before it; empty if both returned the same cursors. */
export function differences(later: CollectionStates, earlier: CollectionStates): EarlierBuild["operations"] {
  const operations = new Map<string, CollectionDifference | null>();
  for (const [name, { paging }] of later) {
    if (paging !== undefined && earlier.get(name)?.paging === undefined) operations.set(name, null);
  }
  for (const [name, collection] of earlier) {
    const difference = differenceOf(later.get(name), collection);
    if (Object.keys(difference).length > 0) operations.set(name, difference);
  }
  return Object.fromEntries(operations);
}

function differenceOf(later: CollectionState | undefined, earlier: CollectionState): CollectionDifference {
  const difference: CollectionDifference = {};
  const { paging } = earlier;
  if (earlier === later || paging === undefined) return difference;
  const { kind, sizes, accepted } = paging;
  const laterPaging = later?.paging;
  if (kind !== laterPaging?.kind) difference.paging = kind;
  if (!isSame(sizes, laterPaging?.sizes)) difference.sizes = [...sizes];
  if (laterPaging === undefined || !isSame([...accepted], [...laterPaging.accepted])) {
    difference.known = Object.fromEntries(accepted);
  }
  const base = baseOf(later, [...accepted.keys()]);
  const edits = editsBetween(base, earlier);
  const isEdited = edits.some((edit) => typeof edit !== "number" || edit < 0);
  if (base !== later || isEdited) difference.edits = edits;
  return difference;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The collections of the build before `later`, from its difference. Undefined if the difference does not apply. */
export function earlierStates(later: CollectionStates, { operations }: EarlierBuild): CollectionStates | undefined {
  const earlier = new Map<string, CollectionState>();
  for (const [name, collection] of later) {
    if (collection.paging !== undefined) earlier.set(name, { ...collection, digests: undefined });
  }
  for (const [name, difference] of Object.entries(operations)) {
    if (difference === null) {
      earlier.delete(name);
      continue;
    }
    const collection = withDifference(earlier.get(name), difference);
    if (collection === undefined) return undefined;
    earlier.set(name, collection);
  }
  return earlier;
}

function withDifference(
  later: CollectionState | undefined,
  difference: CollectionDifference,
): CollectionState | undefined {
  const { paging: kind = later?.paging?.kind ?? "exact", sizes = later?.paging?.sizes, known, edits } = difference;
  const accepted = known === undefined ? later?.paging?.accepted : new Map(Object.entries(known));
  if (accepted === undefined || sizes === undefined) return undefined;
  const items = edits === undefined ? later : applyEdits(baseOf(later, [...accepted.keys()]), edits);
  if (items === undefined) return undefined;
  const signature = later?.paging?.signature ?? "";
  return {
    ...items,
    paging: { signature, kind, sizes, accepted },
    digests: undefined,
  };
}

/** The items to which edits apply: the items of the later build if its filters are the same, otherwise none. */
function baseOf(later: CollectionState | undefined, params: readonly string[]): FilteredItems {
  if (later?.paging !== undefined && [...later.values.keys()].join() === params.join()) return later;
  return { orderKeys: [], values: new Map(params.map((param) => [param, noValues])) };
}
