// What a save changed, in one line: the items by their keys and fields. Items are compared by the digests that both builds
// have in memory, so a change among a million is found in some twenty steps.
import path from "node:path";
import type { Colors } from "picocolors/types.js";
import type { Item } from "../../src/resource.ts";
import type { BuildPlan } from "../build-plan.ts";
import type { SerializedItems } from "../pages/listing.ts";
import { escaped } from "../quote.ts";
import { integer, plural } from "./columns.ts";

export interface ItemChange {
  /** The key of an item, or the name of a document. */
  readonly name: string;
  readonly kind: "added" | "removed" | "changed";
  /** The fields that differ. */
  readonly fields: readonly string[];
}

/** Further differences are not looked for. */
const most = 100;

/** The differences between the answers of two builds, an operation at a time; at most a hundred of them. */
export function changesBetween(earlier: BuildPlan, plan: BuildPlan): readonly ItemChange[] {
  const changes: ItemChange[] = [];
  const before = new Map(wholeLists(earlier));
  const after = new Map(wholeLists(plan));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, own] = [before.get(name), after.get(name)];
    const key = (own ?? old)?.operation.resource.key ?? "";
    for (const change of itemChanges(old?.items, own?.items, key, most - changes.length)) changes.push(change);
  }
  const documents = [earlier.deployment.documents, plan.deployment.documents] as const;
  for (const name of new Set(documents.flatMap((each) => [...each.keys()]))) {
    const [old, own] = documents.map((each) => each.get(name));
    const change = changeOf(name, old, own);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

const wholeLists = ({ api }: BuildPlan) =>
  api.listings.flatMap(({ operation, filter, items }) =>
    filter === undefined ? [[operation.name, { operation, items }] as const] : [],
  );

/** Walks two ordered lists at once, from one difference to the next. */
export function itemChanges(
  before: SerializedItems | undefined,
  after: SerializedItems | undefined,
  key: string,
  room = most,
): readonly ItemChange[] {
  const pairs = new Map<string, { old?: Item; own?: Item }>();
  const note = (item: Item, side: "old" | "own") => {
    const name = String(item[key]);
    pairs.set(name, { ...pairs.get(name), [side]: item });
  };
  const [olds, owns] = [before?.count ?? 0, after?.count ?? 0];
  let [i, j] = [0, 0];
  while (pairs.size < room) {
    const same = before && after ? equalFrom(before, i, after, j) : 0;
    i += same;
    j += same;
    if (i === olds && j === owns) break;
    const order = i === olds ? 1 : j === owns ? -1 : compare(before?.orderKey(i), after?.orderKey(j));
    if (order <= 0 && before !== undefined) note(itemAt(before, i++), "old");
    if (order >= 0 && after !== undefined) note(itemAt(after, j++), "own");
  }
  return [...pairs].flatMap(([name, { old, own }]) => changeOf(name, old, own) ?? []);
}

/** How many items from two places on are the same. */
function equalFrom(before: SerializedItems, i: number, after: SerializedItems, j: number): number {
  const isSame = (count: number) => before.digest(i, i + count, 0) === after.digest(j, j + count, 0);
  let least = 0;
  let beyond = Math.min(before.count - i, after.count - j) + 1;
  while (beyond - least > 1) {
    const middle = (least + beyond) >>> 1;
    if (isSame(middle)) least = middle;
    else beyond = middle;
  }
  return least;
}

const compare = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

const decoder = new TextDecoder();

const itemAt = (items: SerializedItems, index: number): Item =>
  JSON.parse(decoder.decode(items.slice(index, index + 1).slice()));

function changeOf(name: string, old: Item | undefined, own: Item | undefined): ItemChange | undefined {
  if (old === undefined && own === undefined) return undefined;
  if (old === undefined) return { name, kind: "added", fields: [] };
  if (own === undefined) return { name, kind: "removed", fields: [] };
  const fields = [...new Set([...Object.keys(old), ...Object.keys(own)])].filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(own[field]),
  );
  return fields.length === 0 ? undefined : { name, kind: "changed", fields };
}

/** How many files and items are named. */
const mostNamed = 3;

/** `nod_lhr1a changed status, nod_lhr1b added and 2 more`, or nothing. */
function changesText(changes: readonly ItemChange[]): string {
  const told = changes.slice(0, mostNamed).map(({ name, kind, fields }) => {
    const what = fields.length === 0 ? "" : ` ${fields.join(", ")}`;
    return `${escaped(name)} ${kind}${what}`;
  });
  const rest = changes.length - told.length;
  const more = rest === 0 ? "" : ` and ${changes.length >= most ? "at least " : ""}${integer(rest)} more`;
  return `${told.join(", ")}${more}`;
}

/** `14:03:21 nodes/europe.ndjson`; of other names than files of content, such as those of editors, there are none. */
export function filesText(time: Date, files: readonly string[], content: string, colors: Colors): string {
  const named = files.slice(0, mostNamed).map((file) => colors.bold(escaped(file)));
  const rest = files.length - named.length;
  const names = named.length === 0 ? colors.bold(escaped(path.basename(content))) : named.join(", ");
  return `${colors.dim(clock(time))} ${names}${rest > 0 ? ` and ${plural(rest, "other file")}` : ""}`;
}

/** The time of day where the program runs. */
const clock = (time: Date): string => time.toTimeString().slice(0, 8);

/** `14:03:21 nodes/europe.ndjson: nod_lhr1a changed status → 228 files in 0.2 s` */
export function savedText(
  head: string,
  changes: readonly ItemChange[],
  files: number,
  milliseconds: number,
  colors: Colors,
): string {
  const items = changes.length === 0 ? "" : `: ${changesText(changes)}`;
  const outcome = files === 0 ? "no file changed" : plural(files, "file");
  return `${head}${items} ${colors.green("→")} ${outcome} in ${(milliseconds / 1_000).toFixed(1)} s`;
}
