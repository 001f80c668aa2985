// The difference between the items of an earlier build and the build after it: the shortest script that turns the later
// items into the earlier ones.

/** Items in order: a list of their order keys, and further lists with as many elements. */
export type Columns = readonly (readonly string[])[];

/** The number of items to keep, the negative number of items to remove, or an item to insert: its element of each column. */
export type Edit = number | readonly string[];

/** The shortest script from `later` to `earlier`. The keys of both ascend, without repeats. */
export function editsBetween(later: Columns, earlier: Columns): readonly Edit[] {
  const edits: Edit[] = [];
  const count = (by: 1 | -1) => {
    const last = edits.at(-1);
    if (typeof last === "number" && Math.sign(last) === by) edits[edits.length - 1] = last + by;
    else edits.push(by);
  };
  const [keys = [], others = []] = [later[0], earlier[0]];
  let [at, from] = [0, 0];
  const isSame = () => later.every((column, index) => column[at] === earlier[index]?.[from]);
  while (at < keys.length || from < others.length) {
    const [own, other] = [keys[at], others[from]];
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
  const runs = later.map((): (readonly string[])[] => []);
  let [at, last]: [number, string?] = [0];
  for (const edit of edits) {
    const isKept = typeof edit === "number" && edit > 0;
    const added = isKept
      ? later.map((column) => column.slice(at, at + edit))
      : typeof edit === "number"
        ? []
        : edit.map((each) => [each]);
    if (typeof edit === "number") at += Math.abs(edit);
    if (at > keys.length) return undefined;
    if (added.length === 0) continue;
    const [first, end] = [added[0]?.[0], added[0]?.at(-1)];
    // Of consecutive items that are kept, only the first has to be checked.
    if (added.length !== later.length || first === undefined || (last !== undefined && last >= first)) return undefined;
    for (const [index, run] of added.entries()) runs[index]?.push(run);
    last = end;
  }
  return at === keys.length ? runs.map(joined) : undefined;
}

/**
 * `concat` takes a tenth of the time of `flat`: thousands of builds may be read, each with all items. Its arguments lie
 * on the stack, so there are a thousand at a time.
 */
function joined(runs: readonly (readonly string[])[]): readonly string[] {
  let all: readonly string[] = [];
  for (let index = 0; index < runs.length; index += 1_000) all = all.concat(...runs.slice(index, index + 1_000));
  return all;
}
