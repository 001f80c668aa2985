// cursors.json as values: the snapshot of the last build, and for each build before it the difference from the next
// one.
import * as z from "zod";
import { generator } from "../generator.ts";
import { parseJson } from "../json.ts";
import { quote } from "../text/quote.ts";
import { changesForm, type Published } from "./changes.ts";
import { digestLength, type ItemDigests } from "./digests.ts";
import { applyEdits, type Columns, type Edit, editsBetween } from "./edits.ts";
import { type OperationSnapshot, type Snapshot, stateForm } from "./snapshot.ts";

/** There may be millions of elements, which z.array takes ten times as long to check. */
const isList = (value: unknown, isElement: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((each) => isElement(each));

const listOf = <T>(isElement: (value: unknown) => boolean) =>
  z.custom<readonly T[]>((value) => isList(value, isElement));

const isText = (value: unknown): boolean => typeof value === "string";
const texts = listOf<string>(isText);
const ascending = z.custom<readonly string[]>(
  (value) => Array.isArray(value) && value.every((each, at) => isText(each) && (at === 0 || value[at - 1] < each)),
);
const indices = listOf<number | readonly number[]>(
  (each) => Number.isSafeInteger(each) || isList(each, Number.isSafeInteger),
);
const edits = listOf<Edit>((each) => Number.isSafeInteger(each) || isList(each, isText));

const pages = z.int().min(0);
const about = {
  paging: z.enum(["exact", "stable"]),
  sizes: z.array(z.int().min(1).max(100)).min(1),
  known: z.record(z.string(), texts),
};
const current = z.object({ signature: z.string(), ...about, keys: ascending, values: z.record(z.string(), indices) });

/** The difference from the same operation of the build after it. */
const difference = z.object({ ...about, edits }).partial();

const earlierBuild = z.object({
  /** The time of the build after it, in seconds since 1970. */
  superseded: z.int().min(0),
  /** The number of pages of the build, without retired ones. */
  pages,
  /** Null: the build did not have the operation. Missing operations do not differ from the build after it. */
  operations: z.record(z.string(), difference.nullable()),
});

const orderField = z.object({
  field: z.string(),
  type: z.enum(["text", "number", "boolean"]),
  descending: z.boolean(),
  fold: z.boolean().optional(),
  natural: z.boolean().optional(),
});

/** `keys` are missing if the operation of the same name has them. */
const digests = z.object({
  key: z.array(z.string()),
  order: z.array(orderField),
  keys: texts.optional(),
  digests: z.string(),
});

/** Builds without a list of changes, and those of earlier versions, have no digests. */
const state = z.object({
  pages,
  operations: z.record(z.string(), current),
  items: z.record(z.string(), digests).optional(),
  documents: z.record(z.string(), z.string()).optional(),
  earlier: z.array(earlierBuild),
  changes: changesForm.optional(),
});

const header = z.object({ generator: z.string(), form: z.int(), deployment: z.string() });

export type EarlierBuild = Readonly<z.infer<typeof earlierBuild>>;
type Difference = z.infer<typeof difference>;

export interface State {
  readonly last: Snapshot;
  /** The number of pages of the last build, without retired ones. */
  readonly pages: number;
  /** Newest first. */
  readonly earlier: readonly EarlierBuild[];
  /** The digests and the list of changes, if the build has them. */
  readonly published: Published | undefined;
}

/** The state, or a clause that says why it is unusable for a deployment. */
export function parseState(text: string, deployment: string): State | string {
  const value = parseJson(text);
  const own = header.safeParse(value).data;
  if (own === undefined || own.generator !== generator) return "it is not a file of this program";
  if (own.form !== stateForm) {
    return `it is of ${own.form > stateForm ? "a later" : "an earlier"} version of this program, in form ${own.form} instead of ${stateForm}`;
  }
  if (own.deployment !== deployment) return `it is of the deployment ${quote(own.deployment)}`;
  const read = state.safeParse(value).data;
  const last = new Map<string, OperationSnapshot>();
  for (const [name, operation] of Object.entries(read?.operations ?? {})) {
    const items = itemsIn(operation);
    if (items === undefined) return "it is damaged";
    const { signature, paging, sizes } = operation;
    last.set(name, { signature, paging, sizes, known: new Map(Object.entries(operation.known)), items });
  }
  const published = read && publishedIn(read, last);
  if (read === undefined || published === "damaged") return "it is damaged";
  return { last, pages: read.pages, earlier: read.earlier, published };
}

function publishedIn(
  { items, documents, changes }: z.infer<typeof state>,
  last: Snapshot,
): Published | "damaged" | undefined {
  if (items === undefined || documents === undefined || changes === undefined) return undefined;
  const collections = new Map<string, ItemDigests>();
  for (const [name, { key, order, digests: text, ...own }] of Object.entries(items)) {
    const keys = own.keys ?? last.get(name)?.items[0];
    const digests = Buffer.from(text, "base64");
    if (keys === undefined || digests.length !== keys.length * digestLength) return "damaged";
    collections.set(name, { key, order, keys: () => keys, digests, isPaged: own.keys === undefined });
  }
  return { digests: { collections, documents }, changes };
}

function itemsIn({ keys, values, known }: z.infer<typeof current>): Columns | undefined {
  const columns = Object.entries(known).map(([param, accepted]) => {
    const own = (values[param] ?? []).map((each) => textOf(each, accepted));
    return own.length === keys.length && own.every((each) => each !== undefined) ? own : undefined;
  });
  return columns.every((each) => each !== undefined) ? [keys, ...columns] : undefined;
}

/** The values with these indices, joined by spaces; undefined if there is no value with one of the indices. */
function textOf(own: number | readonly number[], known: readonly string[]): string | undefined {
  if (typeof own === "number") return own === -1 ? "" : known[own];
  const values = own.map((index) => known[index]);
  return values.includes(undefined) ? undefined : values.join(" ");
}

/** Removes operations from the state of all builds. */
export function without(names: ReadonlySet<string>, { last, earlier, ...others }: State): State {
  const kept = <T>(entries: Iterable<readonly [string, T]>) => [...entries].filter(([name]) => !names.has(name));
  return {
    ...others,
    last: new Map(kept(last)),
    earlier: earlier.map((build) => ({
      ...build,
      operations: Object.fromEntries(kept(Object.entries(build.operations))),
    })),
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

function withDifference(later: OperationSnapshot | undefined, own: Difference): OperationSnapshot | undefined {
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

/** The difference between a build and the one before it; empty if they gave the same cursors. */
export function differences(later: Snapshot, earlier: Snapshot): EarlierBuild["operations"] {
  const gone = [...later.keys()].filter((name) => !earlier.has(name)).map((name) => [name, null] as const);
  const changed = [...earlier].flatMap(([name, own]) => {
    const made = differenceOf(later.get(name), own);
    return Object.keys(made).length === 0 ? [] : [[name, made] as const];
  });
  return Object.fromEntries([...gone, ...changed]);
}

function differenceOf(later: OperationSnapshot | undefined, { paging, sizes, known, items }: OperationSnapshot) {
  const isSame = (own: unknown, other: unknown): boolean =>
    later !== undefined && JSON.stringify(own) === JSON.stringify(other);
  const base = baseOf(later, [...known.keys()]);
  const edits = editsBetween(base, items);
  const isEdited = base !== later?.items || edits.some((edit) => typeof edit !== "number" || edit < 0);
  return {
    ...(isSame(paging, later?.paging) ? {} : { paging }),
    ...(isSame(sizes, later?.sizes) ? {} : { sizes: [...sizes] }),
    ...(isSame([...known], [...(later?.known ?? [])]) ? {} : { known: Object.fromEntries(known) }),
    ...(isEdited ? { edits } : {}),
  };
}
