// Checks a declaration as a whole: the exports of the module, the options and names, and what connects collections. All
// mistakes are reported in one run, apart from those that follow from another.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { completeApi } from "../../src/complete-api.ts";
import { pascal } from "../../src/complete-resource.ts";
import type { ApiDeclaration } from "../../src/declare.ts";
import { checksOf, definitionOf, type Schema, schemasIn } from "../../src/kinds.ts";
import { forms, references, vocabularies } from "../../src/marks.ts";
import { dayOf } from "../deprecations.ts";
import type { Checked, Diagnostic } from "../diagnostics.ts";
import { secondsNow } from "../seconds-now.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { checkCollection, checkField, type Entry } from "./collection.ts";
import { checkDeprecations } from "./deprecation.ts";
import {
  type At,
  alikeName,
  apiOptions,
  checkName,
  checkOptions,
  checkPath,
  collectionOptions,
  documentOptions,
  formHint,
  given,
  isName,
  isObject,
  lower,
  pageOptions,
  type Report,
} from "./options.ts";
import { type Places, spotOf } from "./places.ts";
import { checkSchema, isSchema, isSupported } from "./schema.ts";
import { withPlaces } from "./thrown.ts";
import { isText, joinUse, keyProblem } from "./uses.ts";

/** `exported` are the exports of the module. */
export function checkDeclaration(exported: unknown, places: Places): Checked<Api | undefined> {
  const faults: Diagnostic[] = [];
  const report: Report = (code, at, message, hint) => {
    let place = undefined as ReturnType<Places["find"]>;
    for (const spot of at) place ??= places.find(spot);
    faults.push({ ...(place ?? places.whole), code, message, ...(hint !== undefined && { hint }) });
  };
  // The exports of a CommonJS module are the declaration.
  const api = isObject(exported) && !isKind(exported, "api") ? exported["default"] : exported;
  if (isKind(api, "api")) checkApi(report, api);
  // If a collection is exported in place of an API, the place is the collection.
  else report("no-declaration", [spotOf(api, [])], ...noDeclaration(api, exported));
  if (faults.length > 0) return [undefined, faults.sort(inText)];
  // All parts have been checked.
  const checked = api as ApiDeclaration;
  return [withPlaces(completeApi(checked, today), checked, places), []];
}

/** The day of the build, in UTC. */
const today = (): string => dayOf(secondsNow());

const inText = (a: Diagnostic, b: Diagnostic): number =>
  Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line || a.column - b.column;

/** A declared value with unknown options. */
type Parts = Readonly<Record<string, unknown>>;

const isKind = (value: unknown, kind: string): value is Parts => isObject(value) && value["kind"] === kind;

function noDeclaration(value: unknown, exported: unknown): readonly [message: string, hint: string] {
  const whole = "export default defineApi({ collections: { … } })";
  if (isKind(value, "collection") || isKind(value, "document")) {
    const kind = String(value["kind"]);
    return [`The default export is a ${kind}, and no API.`, `Write export default defineApi({ ${kind}s: { … } }).`];
  }
  if (value !== undefined) return [`The default export is ${given(value)}, and no API.`, `Write ${whole}.`];
  const [name] = Object.entries(Object(exported)).find(([, each]) => isKind(each, "api")) ?? [];
  return ["There is no default export.", `Write ${name === undefined ? whole : `export default ${name}`}.`];
}

function checkApi(report: Report, api: Parts): void {
  const { kind: _, site: __, ...options } = api;
  const at: At = (path, part) => [spotOf(api, path, part)];
  checkOptions(report, apiOptions, options, "The API", at);
  checkPages(report, api["pages"], (path, part) => at(["pages", ...path], part));
  const entriesOf = (kind: Entry["kind"]) =>
    Object.entries(Object(isObject(api[`${kind}s`]) ? api[`${kind}s`] : {})).flatMap(([name, each]) => {
      const entry = entryOf(report, kind, name, each, at([`${kind}s`, name], "name"));
      return entry === undefined ? [] : [entry];
    });
  const entries = [...entriesOf("collection"), ...entriesOf("document")];
  const declared = { ...Object(api["documents"]), ...Object(api["collections"]) };
  if (isObject(api["collections"]) && Object.keys(declared).length === 0) {
    const message = "The API has no collections and no documents.";
    report("empty-api", at([]), message, "Declare one with defineCollection.");
  }
  checkNames(report, entries, at);
  const collections = entries.filter(({ kind }) => kind === "collection");
  for (const entry of collections) checkCollection(report, entry);
  checkDeprecations(report, entries);
  checkMarks(report, entries, Object.keys(Object(api["collections"])));
  checkJoins(report, entries);
  checkCircles(report, collections, Object(api["collections"]));
}

const kinds = {
  collection: { define: "defineCollection", options: collectionOptions, other: "document" },
  document: { define: "defineDocument", options: documentOptions, other: "collection" },
} as const;

/** Undefined if it is not what the function returns that defines it. */
function entryOf(
  report: Report,
  kind: Entry["kind"],
  name: string,
  each: unknown,
  named: ReturnType<At>,
): Entry | undefined {
  const { define, options: known, other } = kinds[kind];
  const which = `The ${kind} ${quote(name)}`;
  checkName(report, kind, name, named);
  if (isKind(each, other)) {
    report("wrong-option", named, `${which} is declared as a ${other}.`, `Move it to ${other}s.`);
    return undefined;
  }
  const declaration = isKind(each, kind) ? each["declaration"] : each;
  if (!isKind(each, kind) || !isObject(declaration)) {
    const message = `${which} must be what ${define} returns, but is ${given(declaration)}.`;
    report(
      "wrong-option",
      [...(isKind(each, kind) ? [spotOf(each, [])] : []), ...named],
      message,
      `Write ${define}({ … }).`,
    );
    return undefined;
  }
  const at: At = (path, part) => [spotOf(each, path, part), ...named];
  const options = checkOptions(report, known, declaration, which, at);
  const lost = Object.entries(declaration).some(([option, value]) => value !== undefined && !(option in options));
  return { kind, name, which, options, lost, at, ...checkSchema(report, options["schema"], which, at) };
}

/** `at` returns the places of the option `pages`, or of a page in it. */
function checkPages(report: Report, pages: unknown, at: At): void {
  for (const [path, page] of Object.entries(isObject(pages) ? pages : {})) {
    checkPath(report, path, at([path], "name"));
    const which = `The page ${quote(path)}`;
    if (isObject(page)) checkOptions(report, pageOptions, page, which, (inner, part) => at([path, ...inner], part));
    else {
      const message = `${which} must be an object, but is ${given(page)}.`;
      report("wrong-option", at([path]), message, "Write { title, render }.");
    }
  }
}

/** Checks that names differ, and the titles of schemas, which name types in programs that are made from the documents. */
function checkNames(report: Report, entries: readonly Entry[], named: At): void {
  const titles = new Map<string, Entry>();
  for (const [index, entry] of entries.entries()) {
    const { name, kind, which, schema, at } = entry;
    const other = entries.slice(0, index).find((each) => alikeName(name, [each.name]) !== undefined);
    if (other !== undefined) {
      const difference = other.name === name ? "have one name" : "differ in hyphens and underscores only";
      const message = `${other.which} and ${lower(which)} ${difference}.`;
      report("duplicate-name", named([`${kind}s`, name], "name"), message, "Give one another name.");
    }
    const declared: unknown = schema && z.globalRegistry.get(schema)?.title;
    if (schema === undefined || (declared === undefined && !isName(name))) continue;
    const title = declared ?? pascal(name);
    const first = titles.get(String(title));
    if (typeof title !== "string" || !/^[A-Za-z][A-Za-z0-9_]*$/.test(title)) {
      const message = `The title of ${lower(which)} is ${given(title)}, which is no name of a type.`;
      report("invalid-name", at(["schema"]), message, `Write letters and digits, such as ${quote(pascal(name))}.`);
    } else if (first === undefined) titles.set(title, entry);
    else if (alikeName(name, [first.name]) === undefined) {
      const message = `${first.which} and ${lower(which)} both have the title ${quote(title)}.`;
      report("duplicate-name", at(["schema"]), message, "Give one another title, with .meta({ title }).");
    }
  }
}

/** Checks the references and vocabularies in schemas. */
function checkMarks(report: Report, entries: readonly Entry[], collections: readonly string[]): void {
  const known = collections.length === 0 ? "There are no collections." : `The collections are ${listed(collections)}.`;
  const untextual = new Set(entries.filter((each) => !hasTextKey(each)).map(({ name }) => name));
  const vocabularyForms = new Map<string, string>();
  const all = entries.flatMap(({ which, at, parts }) =>
    parts.map(([path, each]) => [each, `field ${path.join(".")} of ${lower(which)}`, at(["schema", ...path])] as const),
  );
  for (const [each, field, where] of all) {
    const reference = references.of(each);
    const to: unknown = reference?.to;
    if (reference !== undefined && !(typeof to === "string" && collections.includes(to))) {
      const hint = (typeof to === "string" ? nearest(to, collections) : undefined) ?? known;
      const message = `The ${field} refers to ${given(to)}, which is no collection.`;
      report("no-such-collection", where, message, hint);
    } else if (typeof to === "string" && untextual.has(to)) {
      const message = `The ${field} refers to ${quote(to)}, whose key is no single text.`;
      report("unsuitable-field", where, message, "A reference holds a key that is one text.");
    }
    const words = vocabularies.of(each);
    if (words === undefined) continue;
    const name: unknown = words.name;
    if (typeof name === "string") checkName(report, "vocabulary", name, where);
    else report("invalid-name", where, `The ${field} has words of ${given(name)}, which is no name.`, formHint);
    if (name === "country" && words.known === undefined) {
      const message = `The ${field} has words of the vocabulary "country", which has the codes of ISO 3166-1.`;
      report("reserved-name", where, message, 'Give it another name, or use country from "stillapi/forms".');
    }
    const form: unknown = words.form;
    if (form !== undefined && !(isSchema(form) && isSupported(form) && isText(form))) {
      const message = `The ${field} has words with a form that is no schema of a text.`;
      report("not-a-schema", where, message, 'Use a form from "stillapi/forms", or leave it out.');
    }
    const own = formOf(form);
    const other = vocabularyForms.get(String(name)) ?? own;
    vocabularyForms.set(String(name), other);
    if (other === own) continue;
    const message = `The words of the vocabulary ${quote(String(name))} have another form in the ${field} than before.`;
    report("differing-words", where, message, "Give them one form, or give one vocabulary another name.");
  }
}

/** Checks the fields by which references name items in place of their keys. */
function checkJoins(report: Report, entries: readonly Entry[]): void {
  for (const { kind, which, at, parts, options } of entries) {
    for (const [path, each] of parts) {
      const isUnion = definitionOf(each).type === "union";
      if (isUnion && [...schemasIn(each)].some(([, inner]) => references.of(inner)?.by !== undefined)) {
        const message = `The field ${path.join(".")} of ${lower(which)} is a union with a reference by another field, so nothing tells which values to look up.`;
        const hint = "Leave by out, and write the key in the content. A reference may be nullable or optional.";
        report("unsuitable-field", at(["schema", ...path]), message, hint);
        break;
      }
      const { to, by } = references.of(each) ?? {};
      if (by === undefined) continue;
      const where = at(["schema", ...path]);
      const target = entries.find(({ kind, name }) => kind === "collection" && name === to);
      const field = `field ${path.join(".")} of ${lower(which)}`;
      if (kind === "document") {
        const message = `The ${field} refers by another field, but a document has keys.`;
        report("unsuitable-field", where, message, "Write the key in the content, and leave by out.");
      } else if (options.from !== undefined) {
        const message = `The ${field} refers by another field, but the items that from gets have keys.`;
        report("unsuitable-field", where, message, "Leave by out.");
      } else if (typeof by !== "string") {
        const message = `The ${field} refers by ${given(by)}, which is no field.`;
        report("no-such-field", where, message, 'Write { by: "FIELD" }.');
      } else if (target !== undefined) checkField(report, target, by, where, joinUse);
    }
  }
}

/** Whether references can hold the key of a collection. True if the key has a fault. */
function hasTextKey({ schema, options: { key } }: Entry): boolean {
  const form: unknown = schema?.shape[String(key)];
  return typeof key === "string"
    ? !isSchema(form) || keyProblem(form) !== undefined || isText(form)
    : key === undefined;
}

/** The same text for equal forms. */
function formOf(form: unknown): string {
  if (!isSchema(form)) return "";
  const checks = checksOf(form).map((check) => String(Object(check).pattern ?? check.check));
  return JSON.stringify([forms.of(form)?.text, checks]);
}

/** Checks that no collection needs itself: by its key, by the collection that it is made from, or to be read. */
function checkCircles(report: Report, entries: readonly Entry[], declared: Parts): void {
  const named = (name: string | undefined) => entries.filter((each) => each.name === name);
  const keysOf = ({ schema, options: { key } }: Entry) => {
    const field: unknown = schema?.shape[String(key)];
    return isSchema(field) ? named(references.of(field)?.to) : [];
  };
  for (const [{ which, at, options }, names] of circlesIn(entries, keysOf)) {
    const message = `The key of ${lower(which)} is a reference that leads back to it: ${names}.`;
    report("circular-keys", at(["schema", String(options.key)]), message, "Give one of them a key of its form.");
  }
  const sourceOf = ({ options: { from } }: Entry) =>
    from && Object.keys(declared).find((name) => declared[name] === from.collection);
  const spots = ({ options: { from }, at }: Entry) => [spotOf(from, []), ...at([])];
  for (const entry of entries.filter((each) => each.options.from !== undefined && sourceOf(each) === undefined)) {
    const message = `The items of ${lower(entry.which)} are made from a collection that the API does not have.`;
    report("no-such-collection", spots(entry), message, "Add it to collections, or name another.");
  }
  const sourcesOf = (entry: Entry) => named(sourceOf(entry));
  for (const [entry, names] of circlesIn(entries, sourcesOf)) {
    const message = `The items of ${lower(entry.which)} are made from themselves: ${names}.`;
    report("circular-sources", spots(entry), message, "Read the items of one of them from files.");
  }
  // A collection is read after those to which it refers by another field, and after the one that it is made from.
  const joinsOf = ({ parts, options }: Entry) =>
    options.from === undefined ? parts.filter(([, each]) => references.of(each)?.by !== undefined) : [];
  const joined = (schema: Schema) => named(references.of(schema)?.to);
  const before = (entry: Entry) => [...joinsOf(entry).flatMap(([, each]) => joined(each)), ...sourcesOf(entry)];
  const joins = entries.flatMap((root) => joinsOf(root).map(([path, each]) => ({ root, path, each })));
  const circle = joins.find(({ root, each }) => wayTo(root, joined(each), before) !== undefined);
  if (circle === undefined) return;
  const { which, at } = circle.root;
  const message = `The field ${circle.path.join(".")} of ${lower(which)} refers by another field, for which ${lower(which)} would have to be read before itself.`;
  report("circular-keys", at(["schema", ...circle.path]), message, "Write the key in the content, and leave by out.");
}

/** The first entry of each circle, and the names along the circle. */
function circlesIn(entries: readonly Entry[], next: (entry: Entry) => readonly Entry[]) {
  const reported = new Set<Entry>();
  return entries.flatMap((entry) => {
    const way = reported.has(entry) ? undefined : wayTo(entry, next(entry), next);
    for (const each of way ?? []) reported.add(each);
    return way === undefined ? [] : [[entry, [entry, ...way].map(({ name }) => name).join(" → ")] as const];
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
