// Checks what connects collections: references, vocabularies, and the collections from which items are made.
import { checksOf, definitionOf, type Schema, schemasIn } from "../../src/kinds.ts";
import { forms, references, vocabularies } from "../../src/marks.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { checkField, type Entry } from "./collection.ts";
import { checkName } from "./names.ts";
import { given, lower, type Report } from "./options.ts";
import { type Spot, spotOf } from "./places.ts";
import { isSchema, isSupported } from "./schema.ts";
import { isKey, isText, joinUse } from "./uses.ts";

interface Part {
  readonly entry: Entry;
  readonly schema: Schema;
  /** `field parts.maker of the collection "things"` */
  readonly field: string;
  readonly where: readonly Spot[];
  /** Whether it is one of several alternatives, or part of one. */
  readonly isInUnion: boolean;
}

const partsIn = (entries: readonly Entry[]): readonly Part[] =>
  entries.flatMap((entry) => {
    let endOfUnion = 0;
    return entry.parts.map(([path, schema], index): Part => {
      const isInUnion = index < endOfUnion;
      if (!isInUnion && definitionOf(schema).type === "union") endOfUnion = index + [...schemasIn(schema)].length;
      const field = `field ${path.join(".")} of ${lower(entry.which)}`;
      return { entry, schema, field, where: entry.at(["schema", ...path]), isInUnion };
    });
  });

/** `collections` are the names of all collections, also of those with faults. */
export function checkReferences(report: Report, entries: readonly Entry[], collections: readonly string[]): void {
  for (const { entry, schema, field, where, isInUnion } of partsIn(entries)) {
    const reference = references.of(schema);
    if (reference === undefined) continue;
    const { to, by }: { readonly to: unknown; readonly by?: unknown } = reference;
    const target = entries.find(({ kind, name }) => kind === "collection" && name === to);
    if (typeof to !== "string" || !collections.includes(to)) {
      const hint = nearest(String(to), collections) ?? `The collections are: ${listed(collections)}.`;
      report("no-such-collection", where, `The ${field} refers to ${given(to)}, which is no collection.`, hint);
    } else if (target !== undefined && !hasTextKey(target)) {
      const message = `The ${field} refers to ${quote(to)}, whose key is no single text.`;
      report("unsuitable-field", where, message, "A reference holds a key that is one text.");
    }
    if (by === undefined) continue;
    if (entry.kind === "document" || entry.options.from !== undefined || isInUnion) {
      const message = `The ${field} refers by another field, which a document, a union and items made with from cannot do.`;
      report("unsuitable-field", where, message, "Leave by out, and write the key.");
    } else if (target !== undefined) checkField(report, target, String(by), where, joinUse);
  }
}

/** Whether references can hold the key of a collection. True if the key has a fault. */
function hasTextKey({ schema, options: { key } }: Entry): boolean {
  const form: unknown = schema?.shape[String(key)];
  return typeof key === "string" ? !isSchema(form) || !isKey(form) || isText(form) : key === undefined;
}

export function checkVocabularies(report: Report, entries: readonly Entry[]): void {
  const formsByName = new Map<string, string>();
  for (const { schema, field, where } of partsIn(entries)) {
    const words = vocabularies.of(schema);
    if (words === undefined) continue;
    const name = String(words.name);
    const form: unknown = words.form;
    if (words.known === undefined) checkName(report, "vocabulary", name, where);
    if (form !== undefined && !(isSchema(form) && isSupported(form) && isText(form))) {
      const message = `The ${field} has words with a form that is no schema of a text.`;
      report("not-a-schema", where, message, 'Use a form from "stillapi/forms", or leave it out.');
    }
    const own = textOfForm(form);
    const first = formsByName.get(name) ?? own;
    formsByName.set(name, first);
    if (first === own) continue;
    const message = `The words of the vocabulary ${quote(name)} have another form in the ${field} than before.`;
    report("differing-words", where, message, "Give them one form, or give one vocabulary another name.");
  }
}

/** The same text for equal forms. */
function textOfForm(form: unknown): string {
  if (!isSchema(form)) return "";
  const checks = checksOf(form).map((check) => String(Object(check).pattern ?? check.check));
  return JSON.stringify([forms.of(form)?.text, checks]);
}

/** Checks that no collection needs itself: by its key, or to be read. `declared` are all collections by name. */
export function checkCircles(
  report: Report,
  entries: readonly Entry[],
  declared: Readonly<Record<string, unknown>>,
): void {
  const named = (name: string | undefined) =>
    entries.filter((each) => each.kind === "collection" && each.name === name);
  const keysOf = ({ schema, options: { key } }: Entry) => {
    const field: unknown = schema?.shape[String(key)];
    return isSchema(field) ? named(references.of(field)?.to) : [];
  };
  for (const [{ which, at, options }, names] of circlesIn(entries, keysOf)) {
    const message = `The key of ${lower(which)} is a reference that leads back to it: ${names.join(" → ")}.`;
    report("circular-keys", at(["schema", String(options.key)]), message, "Give one of them a key of its form.");
  }
  const made = entries.filter(({ options }) => options.from !== undefined);
  const sourceOf = ({ options: { from } }: Entry) =>
    from && Object.keys(declared).find((name) => declared[name] === from.collection);
  const spotsOf = ({ options: { from }, at }: Entry) => [spotOf(from, []), ...at([])];
  for (const entry of made.filter((each) => sourceOf(each) === undefined)) {
    const message = `The items of ${lower(entry.which)} are made from a collection that the API does not have.`;
    report("no-such-collection", spotsOf(entry), message, "Add it to collections, or name another.");
  }
  // A collection is read after the one that it is made from, or after those to which it refers by another field.
  const joinsOf = ({ parts, options }: Entry) =>
    options.from === undefined ? parts.filter(([, each]) => references.of(each)?.by !== undefined) : [];
  const readBefore = (entry: Entry) => [
    ...named(sourceOf(entry)),
    ...joinsOf(entry).flatMap(([, each]) => named(references.of(each)?.to)),
  ];
  const joined = entries.filter((each) => !made.includes(each));
  for (const [entry, names] of circlesIn([...joined, ...made], readBefore)) {
    const message = `The items of ${lower(entry.which)} would have to be read before themselves: ${names.join(" → ")}.`;
    const join = joinsOf(entry).find(([, each]) => references.of(each)?.to === names[1]);
    if (join === undefined)
      report("circular-sources", spotsOf(entry), message, "Read the items of one of them from files.");
    else report("circular-keys", entry.at(["schema", ...join[0]]), message, "Leave by out, and write the key.");
  }
}

/** The first entry of each circle, and the names along the circle. */
function circlesIn(entries: readonly Entry[], next: (entry: Entry) => readonly Entry[]) {
  const reported = new Set<Entry>();
  return entries.flatMap((entry) => {
    const way = reported.has(entry) ? undefined : wayTo(entry, next(entry), next);
    for (const each of way ?? []) reported.add(each);
    return way === undefined ? [] : [[entry, [entry, ...way].map(({ name }) => name)] as const];
  });
}

/** A shortest way from one of the entries `first` to `end`, with both. */
function wayTo(end: Entry, first: readonly Entry[], next: (entry: Entry) => readonly Entry[]) {
  const passed = new Set<Entry>();
  const ways = first.map((each) => [each]);
  for (const way of ways) {
    const last = way.at(-1);
    if (last === end) return way;
    if (last === undefined || passed.has(last)) continue;
    passed.add(last);
    ways.push(...next(last).map((each) => [...way, each]));
  }
  return undefined;
}
