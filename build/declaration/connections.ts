// Checks the connections between collections and fields: references, vocabularies, the collections from which items are
// made, and the replacements of deprecated parts.
import * as z from "zod";
import { deprecations, references, vocabularies } from "../../src/declare/marks.ts";
import { fieldOf, ownField } from "../../src/model/fields.ts";
import { definitionOf } from "../../src/model/kinds.ts";
import { describe, quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { isSchema, isSupported } from "./check-schema.ts";
import { checkName } from "./names.ts";
import { type CheckedForm, checkAsset, isInUnion, type SchemaPart } from "./options/assets.ts";
import { checkUse, deprecation } from "./options/deprecated.ts";
import { areOfOne, checkField, isKey, isText, useOf } from "./options/field-use.ts";
import type { CheckedEntry, OptionPlaces, Report } from "./options/group.ts";
import { sourcesIn } from "./options/source.ts";
import { checkOptions } from "./options.ts";
import type { DeclaredPart } from "./places.ts";

type Collections = Readonly<Record<string, unknown>>;

/** `collections` are all declared collections, including faulty ones. `wordForms`: see `checkWords`. */
export function checkConnections(
  report: Report,
  entries: readonly CheckedEntry[],
  collections: Collections,
  wordForms: Map<string, string>,
): void {
  for (const entry of entries) {
    for (const option of ["schema", "written"] as const) {
      const { parts } = option === "schema" ? entry : entry.written;
      const at = (path: readonly string[]) => entry.at([option, ...path]);
      const checked = { ...entry, parts, at };
      for (const part of parts) {
        checkReference(report, checked, part, entries, Object.keys(collections));
        checkWords(report, checked, part, wordForms);
        checkAsset(report, checked, part);
      }
    }
  }
  checkCircles(report, entries, collections);
  checkDeprecations(report, entries);
}

function checkReference(
  report: Report,
  { kind, which, options, at, parts }: CheckedForm,
  [path, schema, name]: SchemaPart,
  entries: readonly CheckedEntry[],
  collections: readonly string[],
): void {
  const reference = references.of(schema);
  if (reference === undefined) return;
  const { to, by, missing }: { readonly to: unknown; readonly by?: unknown; readonly missing?: unknown } = reference;
  const field = `The field ${path.join(".")} of ${which}`;
  const where = at(path);
  const target = entries.find((entry) => entry.kind === "collection" && entry.name === to);
  if (typeof to !== "string" || !collections.includes(to)) {
    const hint = nearest(String(to), collections) ?? `The collections are: ${listed(collections)}.`;
    report("no-such-name", where, `${field} refers to ${describe(to, "")}, which is not a collection.`, hint);
  } else if (target !== undefined && !hasSingleKey(target)) {
    const message = `${field} refers to ${quote(to)}, whose key has several fields.`;
    report("unsuitable-field", where, message, "A reference holds a key that is one string or one integer.");
  } else if (target !== undefined && isRecordKey(schema, parts) && !hasTextKey(target)) {
    const message = `${field} is a record whose keys refer to ${quote(to)}, whose key is not a string.`;
    report("unsuitable-field", where, message, "The keys of a record are strings.");
  }
  if (missing !== undefined && missing !== "warn")
    report("wrong-option", where, `${field} has the option missing, which must be "warn".`);
  if (missing !== undefined && by !== undefined)
    report("wrong-option", where, `${field} has both by and missing: what leads nowhere has no key.`, "Remove one.");
  if (by === undefined) return;
  if (kind === "document" || options.from !== undefined || isInUnion(name, parts)) {
    const message = `${field} refers by another field, which a document, a union and items made with from cannot do.`;
    report("unsuitable-field", where, message, "Leave by out, and write the key.");
  } else if (target !== undefined) checkField(report, target, String(by), where, joinUse);
}

/** A field by which others refer to items, in place of the key. */
const joinUse = useOf("a reference", "a string or an integer, possibly null", (schema) =>
  areOfOne(schema, "text", "integer", "null"),
);

const isRecordKey = (schema: SchemaPart[1], parts: readonly SchemaPart[]): boolean =>
  parts.some(([, part]) => {
    const def = definitionOf(part);
    return def.type === "record" && def.keyType === schema;
  });

/** Whether references can hold the key of a collection. True if the key has a fault. */
const hasSingleKey = ({ options: { key } }: CheckedEntry): boolean => typeof key === "string" || key === undefined;

/** Whether the keys of a collection are texts. True if the key has a fault. */
function hasTextKey({ schema, options: { key } }: CheckedEntry): boolean {
  const form: unknown = ownField(schema?.shape, String(key));
  return typeof key === "string" ? !isSchema(form) || !isKey(form) || isText(form) : key === undefined;
}

/** `forms` has the forms of the vocabularies that were checked before, as JSON schemas. */
function checkWords(
  report: Report,
  { which, at }: CheckedForm,
  [path, schema]: SchemaPart,
  forms: Map<string, string>,
): void {
  const words = vocabularies.of(schema);
  if (words === undefined) return;
  const name = String(words.name);
  const { form }: { readonly form: unknown } = words;
  const field = `field ${path.join(".")} of ${which}`;
  const where = at(path);
  checkName(report, "vocabulary", name, where);
  if (form !== undefined && !(isSchema(form) && isSupported(form) && isText(form))) {
    const message = `The ${field} has words with a form that is not a schema of a string.`;
    report("unsupported-schema", where, message, 'Use a form from "stillapi/forms", or leave it out.');
    return;
  }
  const text = form === undefined ? "" : JSON.stringify(z.toJSONSchema(form));
  const first = forms.get(name) ?? text;
  forms.set(name, first);
  if (first === text) return;
  const message = `The words of the vocabulary ${quote(name)} have another form in the ${field} than in a field before it.`;
  report("differing-words", where, message, "Use one form, or rename one of the vocabularies.");
}

/** Another collection that must be complete before a collection can be. */
interface Need {
  readonly of: CheckedEntry;
  readonly at: readonly DeclaredPart[];
}

/** Checks that no collection needs itself: by its key, by the collection from which it is made, or by references. */
function checkCircles(report: Report, entries: readonly CheckedEntry[], collections: Collections): void {
  const needsOf = ({ schema, options, parts, at }: CheckedEntry): readonly Need[] => {
    const { key, from } = options;
    const needs = (name: string | undefined, where: Need["at"]): readonly Need[] =>
      entries.flatMap((of) => (of.kind === "collection" && of.name === name ? [{ of, at: where }] : []));
    const form: unknown = ownField(schema?.shape, String(key));
    const isRead = from === undefined;
    return [
      ...sourcesIn(options, collections).flatMap((source) => needs(source, [{ of: from ?? {} }, ...at([])])),
      ...(isSchema(form) ? needs(references.of(form)?.to, at(["schema", String(key)])) : []),
      // A collection is read after those to which it refers by another field than their key.
      ...parts.flatMap(([path, part]) => {
        const reference = references.of(part);
        return isRead && reference?.by !== undefined ? needs(reference.to, at(["schema", ...path])) : [];
      }),
    ];
  };
  const reported = new Set<CheckedEntry>();
  for (const entry of entries) {
    const way = reported.has(entry) ? undefined : wayTo(entry, needsOf(entry), needsOf);
    const [first] = way ?? [];
    if (way === undefined || first === undefined) continue;
    for (const { of } of way) reported.add(of);
    const names = [entry, ...way.map(({ of }) => of)].map(({ name }) => name).join(" → ");
    const message = `${entry.which} needs itself before it is read: ${names}.`;
    report(
      "circular",
      first.at,
      message,
      "Give one of them a key of its form, files of its own, or a reference by key.",
    );
  }
}

/** A shortest way that starts with one of the needs `first` and ends with `end`. */
function wayTo(end: CheckedEntry, first: readonly Need[], needsOf: (entry: CheckedEntry) => readonly Need[]) {
  const visited = new Set<CheckedEntry>();
  const ways = first.map((need) => [need]);
  for (const way of ways) {
    const last = way.at(-1)?.of;
    if (last === end) return way;
    if (last === undefined || visited.has(last)) continue;
    visited.add(last);
    ways.push(...needsOf(last).map((need) => [...way, need]));
  }
  return undefined;
}

/** Checks the notices of fields. */
function checkDeprecations(report: Report, entries: readonly CheckedEntry[]): void {
  for (const { which, at, schema, parts } of entries) {
    const fields = parts.map(([, , field]) => field).filter(isField);
    const itself = schema === undefined ? [] : [[[], schema, ""] as const];
    for (const [path, part, field] of [...itself, ...parts]) {
      const notice: unknown = deprecations.of(part);
      if (notice === undefined && z.globalRegistry.get(part)?.deprecated !== true) continue;
      const subject = field === "" ? "schema" : `field ${field}`;
      const where = at(["schema", ...path]);
      if (!isField(field)) {
        const message = `The ${subject} of ${which} is deprecated, but only collections, documents, filters, orders and fields can be.`;
        report("wrong-option", where, message, deprecationHint);
      } else if (notice === undefined) {
        report("wrong-option", where, `The ${subject} of ${which} is deprecated without a notice.`, deprecationHint);
      } else {
        const of = `the ${subject} of ${which}`;
        const atPart: OptionPlaces = (inner, name) => at(["schema", ...path, ...inner], name);
        checkOptions(report, deprecation, notice, `the deprecation of ${of}`, atPart);
        checkUse(report, of, fieldOf(notice, "use"), field, fields, at(["schema", ...path, "use"]));
      }
    }
  }
}

/** The schema of an item, of a list's elements, or of a record's values is not a field. */
const isField = (name: string): boolean => name !== "" && !/[\]*]$/.test(name);

const deprecationHint = 'Use deprecated(slug, { since: "2026-12-01" }) of "stillapi/forms".';
