// The effect of a save in one line: what the declaration adds or removes, then the changed items by their keys and fields.
import path from "node:path";
import type { Colors } from "picocolors/types.js";
import { itemChanges, itemLines } from "../../diff/changes.ts";
import { declaredBetween, declaredIn } from "../../history/declared.ts";
import type { PlannedApi } from "../../plan/api.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { escaped } from "../../text/quote.ts";
import { integer, plural } from "../../text/words.ts";
import { fieldChanges } from "../../values/field-changes.ts";

export interface SavedChange {
  /** The key of an item, the name of a document, or a name of the declaration, such as `nodes.filters.region`. */
  readonly name: string;
  readonly kind: "added" | "removed" | "changed" | "deprecated";
  /** The fields of the item that differ. */
  readonly fields: readonly string[];
}

/** The most differences that are collected. */
const maxChanges = 100;

/** The differences between the answers of two builds, by API; at most a hundred. */
export function changesBetween(before: BuildPlan, after: BuildPlan): readonly SavedChange[] {
  const changes: SavedChange[] = [];
  for (const api of after.apis) {
    const { base } = api.table;
    const earlier = before.apis.find(({ table }) => table.base === base);
    if (earlier === undefined) {
      changes.push({ name: base, kind: "added", fields: [] });
      continue;
    }
    const prefix = after.apis.length === 1 ? "" : `${base}: `;
    for (const change of [...declaredChanges(earlier, api), ...changesOf(earlier, api)])
      changes.push({ ...change, name: prefix + change.name });
  }
  for (const { table } of before.apis)
    if (!after.apis.some((api) => api.table.base === table.base))
      changes.push({ name: table.base, kind: "removed", fields: [] });
  return changes.slice(0, maxChanges);
}

function declaredChanges(before: PlannedApi, after: PlannedApi): readonly SavedChange[] {
  const namesOf = ({ catalog, deployment }: PlannedApi) => declaredIn(catalog.api, deployment);
  const changes = declaredBetween(namesOf(before), namesOf(after));
  if (changes === undefined) return [];
  const { added, removed, deprecated } = changes;
  return [
    ...added.map((name) => ({ name, kind: "added" as const, fields: [] })),
    ...removed.map((name) => ({ name, kind: "removed" as const, fields: [] })),
    ...deprecated.map(({ name }) => ({ name, kind: "deprecated" as const, fields: [] })),
  ];
}

function changesOf(before: PlannedApi, after: PlannedApi): readonly SavedChange[] {
  const { lists, documents } = after.catalog.api;
  const itemsOf = ({ catalog, deployment }: PlannedApi, name: string) =>
    itemLines(deployment.operations.includes(name) ? catalog.items.get(name) : undefined);
  const items = lists.flatMap((list) => itemChanges(itemsOf(before, list.name), itemsOf(after, list.name), list));
  const changes = documents.flatMap(({ name: key }) => {
    const documentBefore = before.deployment.documents.get(key);
    const documentAfter = after.deployment.documents.get(key);
    const fields = fieldChanges(documentBefore ?? {}, documentAfter ?? {});
    if (fields.length === 0) return [];
    if (documentBefore === undefined) return { key, kind: "added" as const, fields };
    return { key, kind: documentAfter === undefined ? ("removed" as const) : ("changed" as const), fields };
  });
  return [...items, ...changes].slice(0, maxChanges).map(({ key, kind, fields }) => {
    // Each field once, without the path inside it.
    const names = fields.map(({ field }) => field.replace(/[[. ].*$/, ""));
    return { name: key, kind, fields: kind === "changed" ? [...new Set(names)] : [] };
  });
}

/** The most files and items that are named. */
const maxNamed = 3;

/** `14:03:21 nodes/europe.ndjson`; without `files`, the name of the content folder. */
export function filesText(time: Date, files: readonly string[], content: string, colors: Colors): string {
  const named = (files.length === 0 ? [path.basename(content)] : files).slice(0, maxNamed);
  const names = named.map((file) => colors.bold(escaped(file))).join(", ");
  const rest = files.length - named.length;
  const clock = time.toTimeString().slice(0, 8);
  return `${colors.dim(clock)} ${names}${rest > 0 ? ` and ${plural(rest, "other file")}` : ""}`;
}

/** `14:03:21 nodes/europe.ndjson: nod_lhr1a changed status, nod_lhr1b added and 2 more in 0.2 s` */
export function savedText(head: string, changes: readonly SavedChange[], milliseconds: number, colors: Colors): string {
  const named = changes.slice(0, maxNamed).map(({ name, kind, fields }) => [escaped(name), kind, fields.join(", ")]);
  const texts = named.map((words) => words.join(" ").trimEnd()).join(", ");
  const rest = changes.length - named.length;
  const more = rest === 0 ? "" : ` and ${changes.length >= maxChanges ? "at least " : ""}${integer(rest)} more`;
  const seconds = colors.dim(`in ${(milliseconds / 1_000).toFixed(1)} s`);
  return `${head}: ${texts || "no item changed"}${more} ${seconds}`;
}
