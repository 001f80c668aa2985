// Checks the references and vocabularies in schemas.
import { definitionOf } from "../../src/kinds.ts";
import { forms, references, vocabularies } from "../../src/marks.ts";
import { quote } from "../quote.ts";
import { nearest } from "../slips.ts";
import { listed } from "../words.ts";
import { isText, notKey } from "./alternatives.ts";
import type { CollectionEntry } from "./check-collection.ts";
import { checkName, formHint, lower } from "./options.ts";
import type { Report } from "./places.ts";
import { given, isSchema, isSupported } from "./schema.ts";

/** Whether references can hold the key of a collection. True if the key has a fault. */
export function hasTextKey({ schema, options: { key } }: CollectionEntry): boolean {
  const form: unknown = schema?.shape[String(key)];
  return typeof key === "string" ? !isSchema(form) || notKey(form) !== undefined || isText(form) : key === undefined;
}

/** Checks the targets of references and the names of vocabularies. Keys of the collections `untextual` are no single text. */
export function checkMarks(
  report: Report,
  { which, at, parts }: CollectionEntry,
  collections: readonly string[],
  untextual: ReadonlySet<string>,
): void {
  const known = collections.length === 0 ? "There are no collections." : `The collections are ${listed(collections)}.`;
  for (const [path, each] of parts) {
    const subject = `The field ${path.join(".")} of ${lower(which)}`;
    const to: unknown = references.of(each)?.to;
    const where = at(["schema", ...path]);
    if (references.of(each) !== undefined && !(typeof to === "string" && collections.includes(to))) {
      const hint = (typeof to === "string" ? nearest(to, collections) : undefined) ?? known;
      const what = typeof to === "string" ? quote(to) : given(to);
      report.add("no-such-collection", where, `${subject} refers to ${what}, which is no collection.`, hint);
    } else if (typeof to === "string" && untextual.has(to)) {
      const message = `${subject} refers to ${quote(to)}, whose key is no single text.`;
      report.add("unsuitable-field", where, message, "A reference holds a key that is one text.");
    }
    const words = vocabularies.of(each);
    if (words === undefined) continue;
    const name: unknown = words.name;
    if (typeof name === "string") checkName(report, "vocabulary", name, where);
    else report.add("invalid-name", where, `${subject} has words of ${given(name)}, which is no name.`, formHint);
    if (name === "country" && words.known === undefined) {
      const message = `${subject} has words of the vocabulary "country", which has the codes of ISO 3166-1.`;
      report.add("reserved-name", where, message, 'Give it another name, or use country from "stillapi/forms".');
    }
    const form: unknown = words.form;
    if (form !== undefined && !(isSchema(form) && isSupported(form) && isText(form))) {
      const message = `${subject} has words with a form that is no schema of a text.`;
      report.add("not-a-schema", where, message, 'Use a form from "stillapi/forms", or leave it out.');
    }
  }
}

/** Reports a vocabulary with several forms. */
export function checkWords(report: Report, entries: readonly CollectionEntry[]): void {
  const known = new Map<string, string>();
  for (const { parts, which, at } of entries) {
    for (const [path, each] of parts) {
      const words = vocabularies.of(each);
      if (words === undefined || typeof words.name !== "string") continue;
      const form = formOf(words.form);
      const other = known.get(words.name) ?? form;
      known.set(words.name, other);
      if (other === form) continue;
      const field = `the field ${path.join(".")} of ${lower(which)}`;
      const message = `The words of the vocabulary ${quote(words.name)} have another form in ${field} than before.`;
      const hint = "Give them one form, or give one vocabulary another name.";
      report.add("differing-words", at(["schema", ...path]), message, hint);
    }
  }
}

/** The same text for equal forms. */
function formOf(form: unknown): string {
  if (!isSchema(form)) return "";
  const checks = definitionOf(form).checks?.map((check) =>
    String(Object(check._zod.def).pattern ?? check._zod.def.check),
  );
  return JSON.stringify([forms.of(form)?.text, checks]);
}
