// The difference between the items of an earlier build and the build after it: the shortest script that turns the later
// items into the earlier ones.
import type { SnapshotRows } from "./snapshot.ts";

/**
 * The number of items to keep, the negative number of items to remove, or an item to insert: its key and its values, in
 * the order of the filters.
 */
export type Edit = number | readonly string[];

const column = ({ values }: SnapshotRows, index: number): readonly string[] =>
  [...values.values()].map((each) => each[index] ?? "");

/** The shortest script from `later` to `earlier`. Both are in the order of their keys, without repeats. */
export function editsBetween(later: SnapshotRows, earlier: SnapshotRows): readonly Edit[] {
  const edits: Edit[] = [];
  const count = (by: 1 | -1) => {
    const last = edits.at(-1);
    if (typeof last === "number" && Math.sign(last) === by) edits[edits.length - 1] = last + by;
    else edits.push(by);
  };
  const params = [...later.values.keys()];
  const isSame = (one: number, other: number): boolean =>
    params.every((param) => later.values.get(param)?.[one] === earlier.values.get(param)?.[other]);
  let [at, from] = [0, 0];
  while (at < later.keys.length || from < earlier.keys.length) {
    const [own, other] = [later.keys[at], earlier.keys[from]];
    if (own !== undefined && own === other && isSame(at, from)) {
      count(1);
      at++;
      from++;
    } else if (other === undefined || (own !== undefined && own <= other)) {
      count(-1);
      at++;
    } else {
      edits.push([other, ...column(earlier, from)]);
      from++;
    }
  }
  return edits;
}

/** The earlier items; undefined if the script does not apply to these items. */
export function applyEdits(later: SnapshotRows, edits: readonly Edit[]): SnapshotRows | undefined {
  const keys: (readonly string[])[] = [];
  const values = [...later.values].map(([param, from]) => ({ param, from, to: emptyRuns() }));
  let [at, last]: [number, string?] = [0];
  /** Whether a key follows the last one. Of consecutive items that are kept, only the first has to be checked. */
  const isNext = (key = ""): boolean => last === undefined || last < key;
  for (const edit of edits) {
    if (typeof edit !== "number") {
      const [key = "", ...own] = edit;
      if (own.length !== values.length || !isNext(key)) return undefined;
      keys.push([key]);
      last = key;
      for (const [index, { to }] of values.entries()) to.push([own[index] ?? ""]);
      continue;
    }
    const end = at + Math.abs(edit);
    if (end > later.keys.length) return undefined;
    if (edit > 0) {
      if (!isNext(later.keys[at])) return undefined;
      keys.push(later.keys.slice(at, end));
      last = later.keys[end - 1];
      for (const { from, to } of values) to.push(from.slice(at, end));
    }
    at = end;
  }
  if (at !== later.keys.length) return undefined;
  return { keys: joined(keys), values: new Map(values.map(({ param, to }) => [param, joined(to)])) };
}

const emptyRuns = (): (readonly string[])[] => [];

/** The most arguments of one call. All arguments lie on the stack. */
const mostArguments = 1_000;

/** `concat` takes a tenth of the time of `flat`. Thousands of builds may be read, each with all items. */
function joined(runs: readonly (readonly string[])[]): readonly string[] {
  const none: readonly string[] = [];
  if (runs.length <= mostArguments) return none.concat(...runs);
  const groups = Array.from({ length: Math.ceil(runs.length / mostArguments) }, (_, index) =>
    joined(runs.slice(index * mostArguments, (index + 1) * mostArguments)),
  );
  return joined(groups);
}

export const isAscending = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
