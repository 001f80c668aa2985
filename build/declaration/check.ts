// Checks a declaration as a whole: the exports of the module, the names, and the rules for several collections. All
// mistakes are reported in one run, apart from those that follow from another.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { completeApi } from "../../src/complete-api.ts";
import { pascal } from "../../src/complete-resource.ts";
import type { ApiDeclaration } from "../../src/declare.ts";
import type { Checked, Diagnostic } from "../diagnostics.ts";
import { quote } from "../quote.ts";
import { secondsNow } from "../seconds-now.ts";
import { nearest } from "../slips.ts";
import { type CollectionEntry, checkFields, checkSchema } from "./check-collection.ts";
import { checkMarks, checkWords, hasTextKey } from "./check-marks.ts";
import { checkKeys, checkOrigins, checkSources } from "./check-sources.ts";
import {
  alikeName,
  checkName,
  checkOptions,
  checkPages,
  collectionForms,
  documentForms,
  isName,
  lower,
} from "./options.ts";
import { type At, openReport, type Places, type Report, spotOf, spotsOf } from "./places.ts";
import { given, isObject } from "./schema.ts";
import { withPlaces } from "./thrown.ts";

/** `exported` are the exports of the module. */
export function checkDeclaration(exported: unknown, places: Places): Checked<Api | undefined> {
  const report = openReport(places);
  const api = defaultOf(exported);
  if (!isKind(api, "api")) {
    // If a collection is exported in place of an API, the place is the collection.
    const at = isObject(api) ? [spotOf(api, [])] : [];
    report.add("no-declaration", at, ...noDeclaration(api, exported));
    return [undefined, report.faults];
  }
  checkApi(report, api);
  const entries = [...entriesOf(report, api, "collection"), ...entriesOf(report, api, "document")];
  checkNames(report, entries, api);
  const collections = Object.keys(declaredIn(api, "collection"));
  const untextual = new Set(entries.filter((each) => !hasTextKey(each)).map(({ name }) => name));
  for (const entry of entries) {
    if (entry.kind === "collection") {
      checkFields(report, entry);
      checkSources(report, entry);
    }
    checkMarks(report, entry, collections, untextual);
  }
  checkKeys(report, entries);
  checkOrigins(report, entries, declaredIn(api, "collection"));
  checkTitles(report, entries);
  checkWords(report, entries);
  if (report.faults.length > 0) return [undefined, [...report.faults].sort(inText)];
  // All parts have been checked.
  const checked = api as unknown as ApiDeclaration;
  return [withPlaces(completeApi(checked, today), checked, places), []];
}

/** The day of the build, in UTC. */
const today = (): string => new Date(secondsNow() * 1_000).toISOString().slice(0, 10);

const inText = (a: Diagnostic, b: Diagnostic): number =>
  Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line || a.column - b.column;

/** A declared value with unknown options. */
type Parts = Readonly<Record<string, unknown>>;

const isKind = (value: unknown, kind: string): value is Parts => isObject(value) && value["kind"] === kind;

/** The exports of a CommonJS module are the declaration. */
const defaultOf = (exported: unknown): unknown =>
  isObject(exported) && !isKind(exported, "api") ? exported["default"] : exported;

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

const apiOptions = {
  base: true,
  collections: true,
  documents: true,
  pages: true,
} satisfies Readonly<Record<Exclude<keyof ApiDeclaration, "kind" | "site">, true>>;

/** One part or several, each with a letter or digit at its start. */
const base = /^(?:\/[a-z0-9][a-z0-9.-]*)+$/;

function checkApi(report: Report, api: Parts): void {
  const at: At = (path, part) => [spotOf(api, path, part)];
  const known = Object.keys(apiOptions);
  for (const option of Object.keys(api)) {
    if (known.includes(option) || option === "kind" || option === "site") continue;
    const hint = nearest(option, known) ?? `Its options are ${known.join(", ")}.`;
    report.add("unknown-option", at([option], "name"), `The API has no option ${quote(option)}.`, hint);
  }
  const prefix = api["base"];
  if (prefix !== undefined && !(typeof prefix === "string" && base.test(prefix))) {
    const message = `The option base must be a path such as /api/v1, but is ${given(prefix)}.`;
    const hint = "Each part is a slash, and lowercase letters, digits, dots and hyphens; there is no slash at the end.";
    report.add("wrong-option", at(["base"]), message, hint);
  }
  for (const option of ["collections", "documents"]) {
    const value = api[option];
    if (isObject(value)) continue;
    if (value === undefined) {
      const hint = "Without collections it is an empty object.";
      report.add("missing-option", at([]), `The API must have the option ${option}.`, hint);
    } else report.add("wrong-option", at([option]), `The option ${option} must be an object, but is ${given(value)}.`);
  }
  checkPages(report, api["pages"], (path, part) => at(["pages", ...path], part));
  const declared = { ...declaredIn(api, "collection"), ...declaredIn(api, "document") };
  if (isObject(api["collections"]) && Object.keys(declared).length === 0) {
    const message = "The API has no collections and no documents.";
    report.add("empty-api", at([]), message, "Declare one with defineCollection.");
  }
}

/** The declared collections or documents by name. Empty if the option is no object. */
function declaredIn(api: Parts, kind: CollectionEntry["kind"]): Parts {
  const declared = api[`${kind}s`];
  return isObject(declared) ? declared : {};
}

const kinds = {
  collection: { define: "defineCollection", forms: collectionForms, other: "document" },
  document: { define: "defineDocument", forms: documentForms, other: "collection" },
} as const;

function entriesOf(report: Report, api: Parts, kind: CollectionEntry["kind"]): readonly CollectionEntry[] {
  const { define, forms, other } = kinds[kind];
  return Object.entries(declaredIn(api, kind)).flatMap(([name, each]): readonly CollectionEntry[] => {
    const which = `The ${kind} ${quote(name)}`;
    const named = spotOf(api, [`${kind}s`, name], "name");
    checkName(report, kind, name, [named]);
    if (isKind(each, other)) {
      report.add("wrong-option", [named], `${which} is declared as a ${other}.`, `Move it to ${other}s.`);
      return [];
    }
    const isDefined = isKind(each, kind);
    const declaration = isDefined ? each["declaration"] : each;
    if (!isDefined || !isObject(declaration)) {
      const spots = isDefined ? [spotOf(each, []), named] : [named];
      const message = `${which} must be what ${define} returns, but is ${given(declaration)}.`;
      report.add("wrong-option", spots, message, `Write ${define}({ … }).`);
      return [];
    }
    const at: At = (path, part) => [...spotsOf(each, path, part), named];
    const options = checkOptions(report, forms, declaration, which, at);
    const lost = Object.entries(declaration).some(([option, value]) => value !== undefined && !(option in options));
    const entry = { kind, name, which, options, lost, at };
    return [{ ...entry, ...checkSchema(report, entry) }];
  });
}

function checkNames(report: Report, entries: readonly CollectionEntry[], api: Parts): void {
  for (const [index, { name, kind, which }] of entries.entries()) {
    const others = entries.slice(0, index);
    const alike = alikeName(
      name,
      others.map((other) => other.name),
    );
    const other = others.find((each) => each.name === alike);
    if (other === undefined) continue;
    const difference = alike === name ? "have one name" : "differ in hyphens and underscores only";
    const message = `${other.which} and ${lower(which)} ${difference}.`;
    report.add("duplicate-name", [spotOf(api, [`${kind}s`, name], "name")], message, "Give one another name.");
  }
}

/** Checks the titles of schemas, which name types in programs that are generated from the documents of the API. */
function checkTitles(report: Report, entries: readonly CollectionEntry[]): void {
  const first = new Map<string, CollectionEntry>();
  for (const entry of entries) {
    if (entry.schema === undefined) continue;
    const declared: unknown = z.globalRegistry.get(entry.schema)?.title;
    if (declared === undefined && !isName(entry.name)) continue;
    const title = declared ?? pascal(entry.name);
    const where = entry.at(["schema"]);
    if (typeof title !== "string" || !/^[A-Za-z][A-Za-z0-9_]*$/.test(title)) {
      const message = `The title of ${lower(entry.which)} is ${given(title)}, which is no name of a type.`;
      report.add("invalid-name", where, message, `Write letters and digits, such as ${quote(pascal(entry.name))}.`);
      continue;
    }
    const other = first.get(title);
    if (other === undefined) first.set(title, entry);
    else if (alikeName(entry.name, [other.name]) === undefined) {
      const message = `${other.which} and ${lower(entry.which)} both have the title ${quote(title)}.`;
      report.add("duplicate-name", where, message, "Give one another title, with .meta({ title }).");
    }
  }
}
