// cursors.json, which a build leaves for the next one: the state of the build, for each build before it the difference from
// its successor, and the list of changes.
import * as z from "zod";
import type { Changes } from "../../src/answers/answers.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Values } from "../content/table/items.ts";
import { encode, generator } from "../files/file.ts";
import { quote } from "../text/quote.ts";
import { jsonMembers, parseBytes } from "../values/json.ts";
import { type BuildState, type CollectionPaging, type CollectionState, noValues } from "./build-state.ts";
import { changesForm, noticeForm } from "./changes.ts";
import { digestLength } from "./digests.ts";

/** The version of the form. Files of another version are unusable. */
export const stateForm = 3;

export interface State {
  readonly last: BuildState;
  /** Newest first. */
  readonly earlier: readonly EarlierBuild[];
  readonly changes: Changes | undefined;
}

/**
 * The start of the file, with the members of this build. The members of earlier builds follow it. Builds with the same
 * cursors and content have the same bytes.
 */
export function currentPart(
  deployment: string,
  { pageCount, collections, documents, declared }: BuildState,
): readonly Uint8Array[] {
  const operations = new Map<string, unknown>();
  const items = new Map<string, unknown>();
  for (const [name, collection] of collections) {
    const { orderKeys, paging, digests } = collection;
    if (paging !== undefined) operations.set(name, operationOf(collection, paging));
    if (digests === undefined) continue;
    items.set(name, {
      key: digests.key,
      order: digests.order,
      // The operation of the same name has the order keys.
      keys: paging === undefined ? orderKeys : undefined,
      digests: digests.bytes.toString("base64"),
    });
  }
  const members = jsonMembers({
    generator,
    form: stateForm,
    deployment,
    pages: pageCount,
    operations: Object.fromEntries(operations),
    items: documents === undefined && items.size === 0 ? undefined : Object.fromEntries(items),
    documents,
    declared,
  });
  return [encode("{"), ...Array.from(members, encode)];
}

const operationOf = (
  { orderKeys, values }: CollectionState,
  { signature, kind, sizes, accepted }: CollectionPaging,
) => ({
  signature,
  paging: kind,
  sizes,
  known: Object.fromEntries(accepted),
  keys: orderKeys,
  values: Object.fromEntries(
    Array.from(accepted, ([param, list]) => [param, indicesOf(values.get(param) ?? noValues, list)]),
  ),
});

/** The whole file. */
export const writeState = (
  current: readonly Uint8Array[],
  { earlier, changes }: Pick<State, "earlier" | "changes">,
): readonly Uint8Array[] => [
  ...current,
  encode(","),
  ...Array.from(jsonMembers({ earlier, changes }), encode),
  encode("}"),
];

/** The indices in `accepted` of the values of an item: -1 if it has none, a list if it has several. */
type Indices = number | readonly number[];

function indicesOf({ known, numbers, starts }: Values, accepted: readonly string[]): readonly Indices[] {
  const indexOf = new Map(accepted.map((value, index) => [value, index]));
  const indices = Int32Array.from(known, (value) => indexOf.get(value) ?? -1);
  return Array.from({ length: starts.length - 1 }, (_, item) => {
    const start = starts[item] ?? 0;
    const end = starts[item + 1] ?? 0;
    if (end - start > 1) return Array.from(numbers.subarray(start, end), (number) => indices[number] ?? -1);
    return start === end ? -1 : (indices[numbers[start] ?? 0] ?? -1);
  });
}

/** The inverse of `indicesOf`. Undefined if there is no value with one of the indices. */
function valuesAtIndices(items: readonly Indices[], accepted: readonly string[]): Values | undefined {
  const starts = new Uint32Array(items.length + 1);
  const numbers: number[] = [];
  for (const [item, indices] of items.entries()) {
    if (typeof indices !== "number") for (const index of indices) numbers.push(index);
    else if (indices !== -1) numbers.push(indices);
    starts[item + 1] = numbers.length;
  }
  if (!numbers.every((index) => index >= 0 && index < accepted.length)) return undefined;
  return { known: accepted, numbers: Uint32Array.from(numbers), starts };
}

/**
 * The number of items to keep, the negative number of items to leave out, or an item to insert: its order key, then for
 * each filter its values.
 */
export type Edit = number | readonly string[];

/** z.array takes ten times as long, and there may be millions of elements. */
const isList = (value: unknown, isElement: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((element) => isElement(element));

const listOf = <T>(isElement: (value: unknown) => boolean) =>
  z.custom<readonly T[]>((value) => isList(value, isElement));

const isText = (value: unknown): boolean => typeof value === "string";
const texts = listOf<string>(isText);
const ascending = z.custom<readonly string[]>(
  (value) =>
    Array.isArray(value) && value.every((key, index) => isText(key) && (index === 0 || value[index - 1] < key)),
);
const indices = listOf<Indices>((value) => Number.isSafeInteger(value) || isList(value, Number.isSafeInteger));
const edits = listOf<Edit>((edit) => Number.isSafeInteger(edit) || isList(edit, isText));

const pages = z.int().min(0);
const about = {
  paging: z.enum(["exact", "stable"]),
  sizes: z.array(z.int().min(1).max(100)).min(1),
  known: z.record(z.string(), texts),
};

const operation = z.object({
  signature: z.string(),
  ...about,
  keys: ascending,
  values: z.record(z.string(), indices),
});

/** The members of a build that differ from those of the next one. */
const difference = z.object({ ...about, edits }).partial();

export type CollectionDifference = z.infer<typeof difference>;

const earlierBuild = z.object({
  /** The time of the build after it, in seconds since 1970. */
  superseded: z.int().min(0),
  /** The number of pages of the build, without retired ones. */
  pages,
  /** Null: the build did not have the operation. Missing operations do not differ from the build after it. */
  operations: z.record(z.string(), difference.nullable()),
});

export type EarlierBuild = Readonly<z.infer<typeof earlierBuild>>;

const orderField = z.object({
  field: z.string(),
  type: z.enum(["text", "number", "boolean"]),
  descending: z.boolean(),
  fold: z.boolean().optional(),
  natural: z.boolean().optional(),
});

/** `keys` are missing if the operation of the same name has them. */
const digested = z.object({
  key: z.array(z.string()),
  order: z.array(orderField),
  keys: texts.optional(),
  digests: z.string().transform((text) => Buffer.from(text, "base64")),
});

const declared = z.object({
  names: z.array(z.string()),
  deprecated: z.array(noticeForm),
});

/** Builds without a list of changes have no digests of documents and no names, and seldom digests of items. */
const whole = z.object({
  earlier: z.array(earlierBuild),
  changes: changesForm.optional(),
  pages,
  operations: z.record(z.string(), operation),
  items: z.record(z.string(), digested).optional(),
  documents: z.record(z.string(), z.string()).optional(),
  declared: declared.optional(),
});

const header = z.object({
  generator: z.string(),
  form: z.int(),
  deployment: z.string(),
});

/** Why a state is not used, as a clause. `isForeign`: it is whole, and of another API, deployment or version. */
export interface Unused {
  readonly reason: string;
  readonly isForeign: boolean;
}

export const foreign = (reason: string): Unused => ({ reason, isForeign: true });

export const unreadable = (reason: string): Unused => ({ reason, isForeign: false });

/** The state of the last build of a deployment. */
export function parseState(file: Buffer, deployment: string): State | Unused {
  const value = parseBytes(file);
  const head = header.safeParse(value).data;
  if (head === undefined || head.generator !== generator) return unreadable("stillapi did not write it");
  if (head.form !== stateForm) {
    const version = head.form > stateForm ? "a later" : "an earlier";
    return foreign(`it is of ${version} version of stillapi, in form ${head.form} instead of ${stateForm}`);
  }
  if (head.deployment !== deployment) return foreign(`it belongs to the deployment ${quote(head.deployment)}`);
  const members = whole.safeParse(value).data;
  const last = members && buildIn(members);
  if (members === undefined || last === undefined) return unreadable("it is damaged");
  return { last, earlier: members.earlier, changes: members.changes };
}

/** Undefined if the members contradict one another. */
function buildIn({ pages, operations, items, documents, declared }: z.infer<typeof whole>): BuildState | undefined {
  const paged = new Map(Object.entries(operations));
  const contents = new Map(Object.entries(items ?? {}));
  const collections = new Map<string, CollectionState>();
  // More collections have digests than cursors.
  for (const name of new Set([...contents.keys(), ...paged.keys()])) {
    const collection = collectionIn(paged.get(name), contents.get(name));
    if (collection === undefined) return undefined;
    collections.set(name, collection);
  }
  return { pageCount: pages, collections, documents: items && documents, declared };
}

function collectionIn(
  paged: z.infer<typeof operation> | undefined,
  content: z.infer<typeof digested> | undefined,
): CollectionState | undefined {
  const keys = paged?.keys ?? content?.keys ?? [];
  const values = new Map<string, Values>();
  for (const [param, accepted] of Object.entries(paged?.known ?? {})) {
    const parsed = valuesAtIndices(ownField(paged?.values ?? {}, param) ?? [], accepted);
    if (parsed === undefined || parsed.starts.length !== keys.length + 1) return undefined;
    values.set(param, parsed);
  }
  if (content !== undefined && content.digests.length !== keys.length * digestLength) return undefined;
  return {
    orderKeys: keys,
    values,
    paging: paged && {
      signature: paged.signature,
      kind: paged.paging,
      sizes: paged.sizes,
      accepted: new Map(Object.entries(paged.known)),
    },
    digests: content && { key: content.key, order: content.order, bytes: content.digests },
  };
}
