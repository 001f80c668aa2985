// cursors.json: what a build leaves for the next one. It has the snapshot of the build with digests of its items, for each
// build before it the difference from the next one, and the list of changes.
import { isAscii } from "node:buffer";
import * as z from "zod";
import type { Changes } from "../../src/answers/answers.ts";
import { encode, generator } from "../files/file.ts";
import { quote } from "../text/quote.ts";
import { jsonMembers, parseJson } from "../values/json.ts";
import { changesForm, type Digests, digestLength, type ItemDigests } from "./changes.ts";
import type { Snapshot } from "./snapshot.ts";

/** The version of the form. Files of another version are unusable. */
export const stateForm = 2;

/** A build: what decides its cursors, and what decides its changes. */
export interface BuildState {
  readonly snapshot: Snapshot;
  /** The number of pages of the build, without retired ones. */
  readonly pages: number;
  /** Undefined if the build has no list of changes. */
  readonly digests: Digests | undefined;
}

export interface State {
  readonly last: BuildState;
  /** Newest first. */
  readonly earlier: readonly EarlierBuild[];
  readonly changes: Changes | undefined;
}

/**
 * The start of the file: the members of this build, which members of the builds before it follow. Builds with the same
 * cursors and content have the same bytes.
 */
export function currentPart(deployment: string, { snapshot, pages, digests }: BuildState): Buffer {
  const operations = [...snapshot].map(
    ([
      name,
      {
        known,
        items: [keys, ...columns],
        ...about
      },
    ]) => {
      const values = [...known].map(([param, accepted], index) => [param, indicesOf(columns[index] ?? [], accepted)]);
      return [name, { ...about, known: Object.fromEntries(known), keys, values: Object.fromEntries(values) }];
    },
  );
  const head = { generator, form: stateForm, deployment, pages, operations: Object.fromEntries(operations) };
  const items = [...(digests?.collections ?? [])].map(([name, { digests: own, keys, ...about }]) => {
    // Operations with cursors have their order keys in the snapshot.
    const form = { ...about, ...(snapshot.has(name) ? {} : { keys }), digests: own.toString("base64") };
    return [name, form];
  });
  const content = digests && { items: Object.fromEntries(items), documents: digests.documents };
  return Buffer.concat([encode("{"), ...Array.from(jsonMembers({ ...head, ...content }), encode)]);
}

/** The whole file, in parts. */
export const writeState = (
  current: Buffer,
  { earlier, changes }: Pick<State, "earlier" | "changes">,
): readonly Uint8Array[] => [
  current,
  Buffer.concat([encode(","), ...Array.from(jsonMembers({ earlier, changes }), encode), encode("}")]),
];

/** The values of each item as their indices in `known`: -1 if it has none, a list if it has several. */
function indicesOf(column: readonly string[], known: readonly string[]): readonly (number | readonly number[])[] {
  const places = new Map<string, number | readonly number[]>(known.map((value, index) => [value, index]));
  return column.map((text) => {
    const found = places.get(text);
    if (found !== undefined) return found;
    const own = text.split(" ").flatMap((value) => places.get(value) ?? []);
    const indices = own.length > 1 ? own : (own[0] ?? -1);
    places.set(text, indices);
    return indices;
  });
}

/** The number of items to keep, the negative number of items to remove, or an item to insert: its element of each column. */
export type Edit = number | readonly string[];

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

const operation = z
  .object({ signature: z.string(), ...about, keys: ascending, values: z.record(z.string(), indices) })
  .transform(({ keys, values, known, ...others }, context) => {
    const columns = Object.entries(known).map(([param, accepted]) =>
      (values[param] ?? []).map((each) => textOf(each, accepted)).filter((text) => text !== undefined),
    );
    if (columns.some(({ length }) => length !== keys.length)) context.addIssue("It has a value that is not known.");
    return { ...others, known: new Map(Object.entries(known)), items: [keys, ...columns] };
  });

/** The values with these indices, joined by spaces; undefined if there is no value with one of the indices. */
function textOf(own: number | readonly number[], known: readonly string[]): string | undefined {
  if (typeof own === "number") return own === -1 ? "" : known[own];
  const values = own.map((index) => known[index]);
  return values.includes(undefined) ? undefined : values.join(" ");
}

const earlierBuild = z.object({
  /** The time of the build after it, in seconds since 1970. */
  superseded: z.int().min(0),
  /** The number of pages of the build, without retired ones. */
  pages,
  /** Null: the build did not have the operation. Missing operations do not differ from the build after it. */
  operations: z.record(
    z.string(),
    z
      .object({ ...about, edits })
      .partial()
      .nullable(),
  ),
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

/** A list that does not name its state, as before version 2, starts anew. */
const namesState = (list: unknown): boolean => typeof list === "object" && list !== null && "build" in list;

const rest = z.object({
  earlier: z.array(earlierBuild),
  changes: z.preprocess((list) => (namesState(list) ? list : undefined), changesForm.optional()),
});

/** Builds without a list of changes, and those of earlier versions, have no digests. */
const whole = rest.extend({
  pages,
  operations: z.record(z.string(), operation),
  items: z.record(z.string(), digested).optional(),
  documents: z.record(z.string(), z.string()).optional(),
});

const header = z.object({ generator: z.string(), form: z.int(), deployment: z.string() });

/**
 * The state of the last build, or a clause that says why it is unusable for the deployment. A last build that is the same
 * as `today` is not parsed: the state of a million items has 50 MB.
 */
export function parseState(state: Buffer, deployment: string, today: BuildState, current: Buffer): State | string {
  if (current.equals(state.subarray(0, current.length))) {
    // The other members follow a comma.
    const own = rest.safeParse(parseJson(`{${textIn(state.subarray(current.length + 1))}`)).data;
    return own === undefined ? "it is damaged" : { ...own, changes: own.changes, last: today };
  }
  const value = parseJson(textIn(state));
  const own = header.safeParse(value).data;
  if (own === undefined || own.generator !== generator) return "it is not a file of this program";
  if (own.form !== stateForm) {
    return `it is of ${own.form > stateForm ? "a later" : "an earlier"} version of this program, in form ${own.form} instead of ${stateForm}`;
  }
  if (own.deployment !== deployment) return `it is of the deployment ${quote(own.deployment)}`;
  const read = whole.safeParse(value).data;
  if (read === undefined) return "it is damaged";
  const snapshot = new Map(Object.entries(read.operations));
  const collections = new Map<string, ItemDigests>();
  for (const [name, { keys = snapshot.get(name)?.items[0] ?? [], ...others }] of Object.entries(read.items ?? {})) {
    if (others.digests.length !== keys.length * digestLength) return "it is damaged";
    collections.set(name, { ...others, keys });
  }
  const digests = read.items && read.documents && { collections, documents: read.documents };
  return { last: { snapshot, pages: read.pages, digests }, earlier: read.earlier, changes: read.changes };
}

/** ASCII needs no decoding, which would be an eighth of what it takes to read the state of 100,000 items. */
const textIn = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString("latin1") : new TextDecoder().decode(bytes));
