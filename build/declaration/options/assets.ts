// The files beside the data: fields with `image()` and `file()`, and the option `files` of an API.
import * as z from "zod";
import { assetMarks as marks } from "../../../src/declare/marks.ts";
import { assetsFolder } from "../../../src/model/api.ts";
import { definitionOf, schemasIn } from "../../../src/model/kinds.ts";
import { quote } from "../../text/quote.ts";
import { bytesOfSize } from "../complete-schema.ts";
import type { DeclaredPart } from "../places.ts";
import { cache } from "./forms.ts";
import type { ApiGroup, CheckedEntry, Report } from "./group.ts";

export const assets = {
  form: { files: z.strictObject({ cache }).optional() },

  /** The files are at BASE/files. */
  check(report, { entries }) {
    if (!namesAssets(entries)) return;
    for (const { name, kind, at } of entries) {
      if (name !== assetsFolder) continue;
      const message = `The name ${quote(name)} is reserved, because a field has image() or file().`;
      report("invalid-name", at([]).slice(-1), message, `Give the ${kind} another name.`);
    }
  },

  complete({ files }) {
    return { filesCache: files?.cache ?? "public, max-age=86400" };
  },
} satisfies ApiGroup;

/** Whether a field names a file beside the data. */
export const namesAssets = (entries: readonly CheckedEntry[]): boolean =>
  entries.some(({ parts }) => parts.some(([, schema]) => marks.of(schema) !== undefined));

export type SchemaPart = CheckedEntry["parts"][number];

/** The schema of an entry, or what it has written. */
export interface CheckedForm extends Pick<CheckedEntry, "kind" | "which" | "options" | "parts"> {
  /** The places of the schema at a path. */
  readonly at: (path: readonly string[]) => readonly DeclaredPart[];
}

/** A field that names a file beside the data. */
export function checkAsset(
  report: Report,
  { kind, which, at, parts }: CheckedForm,
  [path, schema, name]: SchemaPart,
): void {
  const field = `The field ${path.join(".") || "of an item"} of ${which}`;
  const where = at(path);
  if (furtherParts(schema).some((part) => marks.of(part) !== undefined)) {
    const message = `${field} has files as its further values, which have no names.`;
    report("unsuitable-field", where, message, "Use image() or file() in a field, a list or a record.");
  }
  const asset = marks.of(schema);
  if (asset === undefined) return;
  const { max, types }: { readonly max?: unknown; readonly types?: unknown } = asset;
  if (max !== undefined && (typeof max !== "string" || bytesOfSize(max) === undefined))
    report(
      "wrong-option",
      where,
      `${field} has a max that is not a size.`,
      'Write a number and a unit, such as "2MB".',
    );
  if (types !== undefined && !(Array.isArray(types) && types.length > 0 && types.every(isMediaType)))
    report("wrong-option", where, `${field} has types that are not a list of media types.`, 'Write ["image/png"].');
  if (kind === "document" || isInUnion(name, parts)) {
    const message = `${field} names a file, which a document and a union cannot do.`;
    report("unsuitable-field", where, message, "Use image() or file() in a field of a collection.");
  }
}

/** All schemas in those of the unknown fields of an object, and of the elements of a tuple after the last known one. */
function furtherParts(schema: SchemaPart[1]): readonly SchemaPart[1][] {
  const def = definitionOf(schema);
  const further = def.type === "object" ? def.catchall : def.type === "tuple" ? def.rest : undefined;
  return further ? [...schemasIn(further)].map(([, part]) => part) : [];
}

const isMediaType = (type: unknown): boolean =>
  typeof type === "string" && /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/.test(type);

/** Whether a union, or a part of one, is at a path such as `parts[].maker`. */
export const isInUnion = (path: string, parts: readonly SchemaPart[]): boolean =>
  parts.some(([, schema, name]) => {
    const isAbove = path.startsWith(name) && /^(?:$|[.[])/.test(path.slice(name.length));
    return isAbove && definitionOf(schema).type === "union";
  });
