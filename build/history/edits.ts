// The difference between a build and the one before it. Of the items it is the shortest script that turns the later ones
// into the earlier ones.

import type { Columns, OperationSnapshot, Snapshot } from "./snapshot.ts";
import type { EarlierBuild, Edit } from "./state.ts";

/** The shortest script from `later` to `earlier`. The keys of both ascend, without repeats. */
export function editsBetween(later: Columns, earlier: Columns): readonly Edit[] {
  const edits: Edit[] = [];
  const count = (by: 1 | -1) => {
    const last = edits.at(-1);
    if (typeof last === "number" && Math.sign(last) === by) edits[edits.length - 1] = last + by;
    else edits.push(by);
  };
  const keys = later[0] ?? [];
  const others = earlier[0] ?? [];
  let at = 0;
  let from = 0;
  const isSame = () => later.every((column, index) => column[at] === earlier[index]?.[from]);
  while (at < keys.length || from < others.length) {
    const own = keys[at];
    const other = others[from];
    if (own !== undefined && own === other && isSame()) {
      count(1);
      at++;
      from++;
    } else if (other === undefined || (own !== undefined && own <= other)) {
      count(-1);
      at++;
    } else {
      edits.push(earlier.map((column) => column[from] ?? ""));
      from++;
    }
  }
  return edits;
}

/** The earlier items; undefined if the script does not apply to these items. */
export function applyEdits(later: Columns, edits: readonly Edit[]): Columns | undefined {
  const [keys = []] = later;
  const earlier = later.map((): string[] => []);
  let at = 0;
  for (const edit of edits) {
    const isRun = typeof edit === "number";
    const added = isRun ? later.map((column) => column.slice(at, at + edit)) : edit.map((each) => [each]);
    if (isRun) at += Math.abs(edit);
    if (at > keys.length || added.length !== later.length) return undefined;
    if (isRun && edit <= 0) continue;
    // Of consecutive items that are kept, only the first has to be checked.
    const last = earlier[0]?.at(-1) ?? "";
    const first = added[0]?.[0] ?? "";
    if (earlier[0]?.length !== 0 && last >= first) return undefined;
    for (const [index, column] of earlier.entries()) for (const each of added[index] ?? []) column.push(each);
  }
  return at === keys.length ? earlier : undefined;
}

/** The difference between a build and the one before it; empty if they gave the same cursors. */
export function differences(later: Snapshot, earlier: Snapshot): EarlierBuild["operations"] {
  const gone = [...later.keys()].filter((name) => !earlier.has(name)).map((name) => [name, null] as const);
  const changed = [...earlier].map(([name, own]) => [name, differenceOf(later.get(name), own)] as const);
  return Object.fromEntries([...gone, ...changed.filter(([, own]) => Object.keys(own).length > 0)]);
}

function differenceOf(later: OperationSnapshot | undefined, { paging, sizes, known, items }: OperationSnapshot) {
  const isSame = (own: unknown, other: unknown): boolean =>
    later !== undefined && JSON.stringify(own) === JSON.stringify(other);
  const base = baseOf(later, [...known.keys()]);
  const edits = items === later?.items ? [] : editsBetween(base, items);
  const isEdited = base !== later?.items || edits.some((edit) => typeof edit !== "number" || edit < 0);
  return {
    ...(isSame(paging, later?.paging) ? {} : { paging }),
    ...(isSame(sizes, later?.sizes) ? {} : { sizes: [...sizes] }),
    ...(isSame([...known], [...(later?.known ?? [])]) ? {} : { known: Object.fromEntries(known) }),
    ...(isEdited ? { edits } : {}),
  };
}

/** The snapshot of the build before `later`, from its difference; undefined if the difference does not apply. */
export function earlierSnapshot(later: Snapshot, { operations }: EarlierBuild): Snapshot | undefined {
  const earlier = new Map(later);
  for (const [name, own] of Object.entries(operations)) {
    const operation = own && withDifference(later.get(name), own);
    if (operation === undefined) return undefined;
    if (operation === null) earlier.delete(name);
    else earlier.set(name, operation);
  }
  return earlier;
}

function withDifference(
  later: OperationSnapshot | undefined,
  own: NonNullable<EarlierBuild["operations"][string]>,
): OperationSnapshot | undefined {
  const { paging = later?.paging ?? "exact", sizes = later?.sizes } = own;
  const known = own.known === undefined ? later?.known : new Map(Object.entries(own.known));
  if (known === undefined || sizes === undefined) return undefined;
  const items = own.edits === undefined ? later?.items : applyEdits(baseOf(later, [...known.keys()]), own.edits);
  return items && { signature: later?.signature ?? "", paging, sizes, known, items };
}

/** The items to which edits apply: the items of the later build if the filters are the same, none if they differ. */
const baseOf = (later: OperationSnapshot | undefined, params: readonly string[]): Columns =>
  later !== undefined && [...later.known.keys()].join() === params.join()
    ? later.items
    : [[], ...params.map((): readonly string[] => [])];
