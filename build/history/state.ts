// cursors.json as values: the snapshot of the last build, and for each build before it the difference from the next
// one.
import * as z from "zod";
import { generator } from "../generator.ts";
import { parseJson } from "../json.ts";
import { quote } from "../quote.ts";
import { applyEdits, editsBetween, isAscending } from "./edits.ts";
import { type OperationSnapshot, type Snapshot, type SnapshotRows, stateForm } from "./snapshot.ts";

/** There may be millions of texts, which z.array takes ten times as long to check. */
const texts = z.custom<string[]>((value) => Array.isArray(value) && value.every((each) => typeof each === "string"));
const indices = z.custom<(number | readonly number[])[]>(
  (value) =>
    Array.isArray(value) &&
    value.every((each) => (Array.isArray(each) ? each.every(Number.isSafeInteger) : Number.isSafeInteger(each))),
);

const sizes = z.array(z.int().min(1).max(100)).min(1);
const known = z.record(z.string(), texts);
const paging = z.enum(["exact", "stable"]);

const current = z.object({
  signature: z.string(),
  paging,
  sizes,
  known,
  keys: texts,
  values: z.record(z.string(), indices),
});

/** The difference from the same operation of the build after it. */
const difference = z.object({
  paging: paging.optional(),
  sizes: sizes.optional(),
  known: known.optional(),
  edits: z.array(z.union([z.int(), z.array(z.string()).min(1)])).optional(),
});

const pages = z.int().min(0);

const earlierBuild = z.object({
  /** The time of the build after it, in seconds since 1970. */
  superseded: z.int().min(0),
  /** The number of pages of the build, without retired ones. */
  pages,
  /** Null: the build did not have the operation. Missing operations do not differ from the build after it. */
  operations: z.record(z.string(), difference.nullable()),
});

const state = z.object({ pages, operations: z.record(z.string(), current), earlier: z.array(earlierBuild) });

export type EarlierBuild = Readonly<z.infer<typeof earlierBuild>>;
type Difference = z.infer<typeof difference>;

export interface State {
  readonly last: Snapshot;
  /** The signature of each operation of the last build; see `signatureOf`. */
  readonly signatures: ReadonlyMap<string, string>;
  /** The number of pages of the last build, without retired ones. */
  readonly pages: number;
  /** Newest first. */
  readonly earlier: readonly EarlierBuild[];
}

const header = z.object({ generator: z.string(), form: z.int(), deployment: z.string() });

/**
 * The state, or a clause that says why it is unusable. If `deployment` is given, the state must be that deployment's.
 */
export function parseState(text: string, deployment?: string): State | string {
  const value = parseJson(text);
  const own = header.safeParse(value).data;
  if (own === undefined || own.generator !== generator) return "it is not a file of this program";
  if (own.form !== stateForm) {
    return `it is of ${own.form > stateForm ? "a later" : "an earlier"} version of this program, in form ${own.form} instead of ${stateForm}`;
  }
  if (deployment !== undefined && own.deployment !== deployment)
    return `it is of the deployment ${quote(own.deployment)}`;
  const read = state.safeParse(value).data;
  const last = read && snapshotIn(read.operations);
  if (read === undefined || last === undefined) return "it is damaged";
  const signatures = new Map(Object.entries(read.operations).map(([name, { signature }]) => [name, signature]));
  return { last, signatures, pages: read.pages, earlier: read.earlier };
}

/** Removes operations from the state of all builds. */
export function without(names: ReadonlySet<string>, { last, earlier, ...state }: State): State {
  const kept = <T>(entries: Iterable<readonly [string, T]>) => [...entries].filter(([name]) => !names.has(name));
  return {
    ...state,
    last: new Map(kept(last)),
    earlier: earlier.map((build) => ({
      ...build,
      operations: Object.fromEntries(kept(Object.entries(build.operations))),
    })),
  };
}

function snapshotIn(operations: Readonly<Record<string, z.infer<typeof current>>>): Snapshot | undefined {
  const snapshot = new Map<string, OperationSnapshot>();
  for (const [name, { keys, values: indices, known, paging, sizes }] of Object.entries(operations)) {
    const values = new Map<string, readonly string[]>();
    for (const [param, own] of Object.entries(indices)) {
      const texts = own.map((each) => textOf(each, known[param] ?? []));
      if (texts.length !== keys.length || !texts.every((text) => text !== undefined)) return undefined;
      values.set(param, texts);
    }
    if (!isAscending(keys)) return undefined;
    snapshot.set(name, { paging, sizes, known: new Map(Object.entries(known)), rows: { keys, values } });
  }
  return snapshot;
}

/** The values with these indices, joined by spaces; undefined if there is no value with one of the indices. */
function textOf(own: number | readonly number[], names: readonly string[]): string | undefined {
  if (typeof own === "number") return own === -1 ? "" : names[own];
  const values = own.map((index) => names[index]);
  return values.includes(undefined) ? undefined : values.join(" ");
}

/** The snapshot of the build before `later`, from its difference; undefined if the difference does not apply. */
export function earlierSnapshot(later: Snapshot, { operations }: EarlierBuild): Snapshot | undefined {
  const earlier = new Map(later);
  for (const [name, own] of Object.entries(operations)) {
    if (own === null) {
      earlier.delete(name);
      continue;
    }
    const operation = withDifference(later.get(name), own);
    if (operation === undefined) return undefined;
    earlier.set(name, operation);
  }
  return earlier;
}

function withDifference(later: OperationSnapshot | undefined, own: Difference): OperationSnapshot | undefined {
  const { paging = later?.paging ?? "exact", sizes = later?.sizes } = own;
  const known = own.known === undefined ? later?.known : new Map(Object.entries(own.known));
  if (known === undefined || sizes === undefined) return undefined;
  const rows = own.edits === undefined ? later?.rows : applyEdits(baseOf(later, [...known.keys()]), own.edits);
  return rows && { paging, sizes, known, rows };
}

/** The rows to which edits apply: the rows of the later build if the filters are the same, none if they differ. */
function baseOf(later: OperationSnapshot | undefined, params: readonly string[]): SnapshotRows {
  const rows = later?.rows;
  if (rows !== undefined && [...rows.values.keys()].join() === params.join()) return rows;
  return { keys: [], values: new Map(params.map((param) => [param, []])) };
}

/** The difference between a build and the one before it; empty if they gave the same cursors. */
export function differences(later: Snapshot, earlier: Snapshot): EarlierBuild["operations"] {
  const gone = [...later.keys()].filter((name) => !earlier.has(name)).map((name) => [name, null] as const);
  const changed = [...earlier].flatMap(([name, own]) => {
    const made = differenceOf(later.get(name), own);
    return Object.keys(made).length === 0 ? [] : [[name, made] as const];
  });
  return Object.fromEntries([...gone, ...changed]);
}

function differenceOf(later: OperationSnapshot | undefined, earlier: OperationSnapshot): Difference {
  const isSame = (part: (of: OperationSnapshot) => unknown): boolean =>
    later !== undefined && JSON.stringify(part(later)) === JSON.stringify(part(earlier));
  const base = baseOf(later, [...earlier.known.keys()]);
  const edits = editsBetween(base, earlier.rows);
  const isEdited = base !== later?.rows || edits.some((edit) => typeof edit !== "number" || edit < 0);
  return {
    ...(isSame(({ paging }) => paging) ? {} : { paging: earlier.paging }),
    ...(isSame(({ sizes }) => sizes) ? {} : { sizes: [...earlier.sizes] }),
    ...(isSame(({ known }) => [...known]) ? {} : { known: knownIn(earlier) }),
    ...(isEdited ? { edits: edits.map((edit) => (typeof edit === "number" ? edit : [...edit])) } : {}),
  };
}

const knownIn = ({ known }: OperationSnapshot): Record<string, string[]> =>
  Object.fromEntries([...known].map(([param, values]) => [param, [...values]]));
