// The effect of a save in one line: the changed items by their keys and fields.
import path from "node:path";
import type { Colors } from "picocolors/types.js";
import type { BuildPlan } from "../../build.ts";
import { type FieldChange, fieldChanges } from "../../diff/fields.ts";
import { itemChanges } from "../../diff/items.ts";
import { escaped } from "../../text/quote.ts";
import { integer, plural } from "../../text/words.ts";

export interface SavedChange {
  /** The key of an item, or the name of a document. */
  readonly name: string;
  readonly kind: "added" | "removed" | "changed";
  /** The fields of the item that differ. */
  readonly fields: readonly string[];
}

/** The most differences that are collected. */
const most = 100;

/** The differences between the answers of two builds, by operation; at most a hundred. */
export function changesBetween(earlier: BuildPlan, plan: BuildPlan): readonly SavedChange[] {
  const { api } = plan.catalog;
  const changes: SavedChange[] = [];
  const itemsOf = ({ catalog, deployment }: BuildPlan, name: string) =>
    deployment.operations.includes(name) ? catalog.items.get(name) : undefined;
  for (const { name, resource } of api.lists) {
    const room = most - changes.length;
    for (const { key, kind, fields } of itemChanges(itemsOf(earlier, name), itemsOf(plan, name), resource, room)) {
      changes.push({ name: key, kind, fields: kind === "changed" ? namesOf(fields) : [] });
    }
  }
  for (const { name } of api.documents) {
    const [old, current] = [earlier, plan].map(({ deployment }) => deployment.documents.get(name));
    const fields = namesOf(fieldChanges(old ?? {}, current ?? {}));
    if (old === undefined && current !== undefined) changes.push({ name, kind: "added", fields: [] });
    else if (old !== undefined && current === undefined) changes.push({ name, kind: "removed", fields: [] });
    else if (fields.length > 0) changes.push({ name, kind: "changed", fields });
  }
  return changes;
}

/** Each field once, without the path inside of it. */
const namesOf = (fields: readonly FieldChange[]): readonly string[] => [
  ...new Set(fields.map(({ field }) => field.replace(/[[. ].*$/, ""))),
];

/** The most files and items that are named. */
const mostNamed = 3;

/** `nod_lhr1a changed status, nod_lhr1b added and 2 more`, or nothing. */
function changesText(changes: readonly SavedChange[]): string {
  const named = changes.slice(0, mostNamed).map(({ name, kind, fields }) => {
    const what = fields.length === 0 ? "" : ` ${fields.join(", ")}`;
    return `${escaped(name)} ${kind}${what}`;
  });
  const rest = changes.length - named.length;
  const more = rest === 0 ? "" : ` and ${changes.length >= most ? "at least " : ""}${integer(rest)} more`;
  return `${named.join(", ")}${more}`;
}

/** `14:03:21 nodes/europe.ndjson`; without `files`, the name of the content folder. */
export function filesText(time: Date, files: readonly string[], content: string, colors: Colors): string {
  const named = files.slice(0, mostNamed).map((file) => colors.bold(escaped(file)));
  const rest = files.length - named.length;
  const names = named.length === 0 ? colors.bold(escaped(path.basename(content))) : named.join(", ");
  return `${colors.dim(clock(time))} ${names}${rest > 0 ? ` and ${plural(rest, "other file")}` : ""}`;
}

/** The local time of day. */
const clock = (time: Date): string => time.toTimeString().slice(0, 8);

/** `14:03:21 nodes/europe.ndjson: nod_lhr1a changed status in 0.2 s` */
export function savedText(head: string, changes: readonly SavedChange[], milliseconds: number, colors: Colors): string {
  const items = changes.length === 0 ? "no item changed" : changesText(changes);
  return `${head}: ${items} ${colors.dim(`in ${(milliseconds / 1_000).toFixed(1)} s`)}`;
}
