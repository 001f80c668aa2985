// The difference between the items of an earlier build and the build after it: the shortest script that turns the later
// items into the earlier ones.
import type { SnapshotRows } from "./snapshot.ts";

/**
 * Keep so many items, remove so many (negative), or insert one: its key and its values, in the order of the filters.
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

/** The earlier items; undefined if the script does not fit these items. */
export function applyEdits(later: SnapshotRows, edits: readonly Edit[]): SnapshotRows | undefined {
  const keys: string[] = [];
  const values = [...later.values].map(([param, from]) => ({ param, from, to: [] as string[] }));
  let at = 0;
  /** Keys must ascend. Keys kept in a row do already. */
  const isNext = (key: string | undefined): boolean => (keys.at(-1) ?? "") < (key ?? "") || keys.length === 0;
  for (const edit of edits) {
    if (typeof edit !== "number") {
      const [key = "", ...own] = edit;
      if (own.length !== values.length || !isNext(key)) return undefined;
      keys.push(key);
      for (const [index, { to }] of values.entries()) to.push(own[index] ?? "");
      continue;
    }
    const end = at + Math.abs(edit);
    if (end > later.keys.length) return undefined;
    if (edit > 0) {
      if (!isNext(later.keys[at])) return undefined;
      append(later.keys, at, end, keys);
      for (const { from, to } of values) append(from, at, end, to);
    }
    at = end;
  }
  if (at !== later.keys.length) return undefined;
  return { keys, values: new Map(values.map(({ param, to }) => [param, to])) };
}

function append(from: readonly string[], start: number, end: number, to: string[]): void {
  for (let at = start; at < end; at++) to.push(from[at] ?? "");
}

export const isAscending = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
