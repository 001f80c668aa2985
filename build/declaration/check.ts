// Checks a declaration as a whole: the exports of the module, each API with its options and names, the connections of
// collections, and the bases of several APIs.
// One run reports all mistakes, except those that follow from others.
import * as z from "zod";
import type { ApiDeclaration } from "../../src/declare/declare.ts";
import { type Api, type Apis, areNested } from "../../src/model/api.ts";
import { isObject } from "../../src/model/fields.ts";
import type { Log } from "../messages.ts";
import { describe, quote } from "../text/quote.ts";
import { pascal } from "../text/words.ts";
import { checkSchema } from "./check-schema.ts";
import { completeApi } from "./complete.ts";
import { checkConnections } from "./connections.ts";
import { areAlike, checkName, isName, isTypeName } from "./names.ts";
import { baseOf } from "./options/api.ts";
import { checkUse } from "./options/deprecated.ts";
import type { CheckedApi, CheckedEntry, OptionPlaces, Report } from "./options/group.ts";
import { apiGroups, apiOptions, checkOptions, entryGroups, entryOptions } from "./options.ts";
import type { Places } from "./places.ts";
import { programWith } from "./thrown.ts";

/** `exported` are the exports of the module. Returns nothing if an error is reported. */
export function checkDeclaration(exported: unknown, places: Places, log: Log): Apis | undefined {
  const report: Report = (code, parts, text, hint) => {
    const at = parts.map((part) => places.find(part)).find((place) => place !== undefined) ?? places.whole;
    log.report({ code, at, text: text.charAt(0).toUpperCase() + text.slice(1), hint });
  };
  // The exports of a CommonJS module are the declaration.
  const isDeclared = isKind(exported, "api") || Array.isArray(exported);
  const declared: unknown = isObject(exported) && !isDeclared ? exported["default"] : exported;
  const all: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const apis = all.filter((api) => isKind(api, "api"));
  // One file lists the words of a vocabulary, so its form is the same in all APIs.
  const wordForms = new Map<string, string>();
  for (const api of apis) checkApi(report, api, wordForms);
  checkSeveral(report, apis);
  if (all.length === 0 || apis.length < all.length) reportOther(report, declared);
  if (log.hasErrors()) return undefined;
  // All parts have been checked.
  const program = programWith(places);
  const [first, ...others] = apis.map((api): Api => completeApi(api as unknown as ApiDeclaration, program));
  return first && [first, ...others];
}

/** Reports a default export that is neither an API nor a list of APIs. */
function reportOther(report: Report, declared: unknown): void {
  const hint = "Write export default defineApi({ collections: { … } }).";
  const refuse = (text: string) => report("no-declaration", [{ of: declared }], text, hint);
  if (declared === undefined) refuse("There is no default export.");
  // If a collection is exported in place of an API, the place is the collection.
  else if (!Array.isArray(declared)) refuse(`The default export is ${describe(declared, "")}, not an API.`);
  else if (declared.length === 0) refuse("The default export is a list without an API.");
  else {
    for (const [index, other] of declared.entries()) {
      if (isKind(other, "api")) continue;
      const text = `The default export is a list whose element ${index + 1} is ${describe(other, "")}, not an API.`;
      report("no-declaration", [{ of: other }], text, "Write the results of defineApi, as in export default [v2, v1].");
    }
  }
}

/**
 * Reports what several APIs cannot have: a base that is the other's or a part of it, an output below the other's, and a
 * replacement that is none of them.
 */
function checkSeveral(report: Report, apis: readonly Parts[]): void {
  const bases = apis.map(baseOf);
  for (const [index, api] of apis.entries()) {
    const { site } = api;
    const base = baseOf(api);
    const earlier = bases.slice(0, index);
    const other = earlier.includes(base) ? base : earlier.find((one) => areNested(one, base));
    const at: OptionPlaces = (path, part) => [{ of: { site }, path, part }];
    if (other === base) {
      report("duplicate-name", at(["base"]), `Two APIs have the base ${base}.`, "Give one of them another base.");
    } else if (other !== undefined) {
      const [outer = "", inner = ""] = [base, other].sort((one, two) => one.length - two.length);
      const text = `The base ${outer} is a part of the base ${inner}, so that both APIs have the paths below ${inner}.`;
      report("duplicate-name", at(["base"]), text, "Give one of them another base, such as /api/v1 beside /api/v2.");
    }
    for (const name of Object.keys(partsOf(api["outputs"]))) {
      const owner = bases.find((one) => one !== base && `${name}/`.toLowerCase().startsWith(`${one}/`));
      if (owner === undefined) continue;
      const text = `The path of the output ${quote(name)} is below ${owner}, the base of another API.`;
      report("invalid-name", at(["outputs", name], "name"), text, "Declare it in that API.");
    }
    const use = isObject(api["deprecated"]) ? api["deprecated"]["use"] : undefined;
    checkUse(report, `the API ${base}`, use, base, bases, at(["deprecated", "use"]));
  }
}

/** A declared value with unknown options. */
type Parts = Readonly<Record<string, unknown>>;

const isKind = (value: unknown, kind: string): value is Parts => isObject(value) && value["kind"] === kind;

const partsOf = (value: unknown): Parts => (isObject(value) ? value : {});

function checkApi(report: Report, { kind: _, site, ...options }: Parts, wordForms: Map<string, string>): void {
  const at: OptionPlaces = (path, part) => [{ of: { site }, path, part }];
  const valid = checkOptions(report, apiOptions, options, "the API", at).options;
  const collections = partsOf(options["collections"]);
  const documents = partsOf(options["documents"]);
  const entries = [
    ...Object.entries(collections).flatMap(([name, value]) => entryOf(report, "collection", name, value, at)),
    ...Object.entries(documents).flatMap(([name, value]) => entryOf(report, "document", name, value, at)),
  ];
  const isEmpty = entries.every(({ options }) => options.published === false);
  const isRead = Object.keys({ ...collections, ...documents }).length === entries.length;
  if (isObject(options["collections"]) && isEmpty && isRead) {
    const message = `The API has no ${entries.length === 0 ? "" : "published "}collections and no documents.`;
    report("empty-api", at([]), message, "Declare one with defineCollection.");
  }
  checkNames(report, entries);
  const api: CheckedApi = { base: baseOf(valid), options, entries, collections, at };
  for (const group of apiGroups) group.check(report, api);
  for (const entry of entries) {
    for (const group of entryGroups[entry.kind]) group.check(report, entry, api);
  }
  checkConnections(report, entries, collections, wordForms);
}

/** Empty if the value is not the result of the function that defines such an entry. */
function entryOf(
  report: Report,
  kind: CheckedEntry["kind"],
  name: string,
  value: unknown,
  ofApi: OptionPlaces,
): readonly CheckedEntry[] {
  const which = `the ${kind} ${quote(name)}`;
  const named = ofApi([`${kind}s`, name], "name");
  checkName(report, kind, name, named);
  const declaration = isKind(value, kind) ? value["declaration"] : value;
  const at: OptionPlaces = (path, part) => [...(isKind(value, kind) ? [{ of: value, path, part }] : []), ...named];
  if (!isKind(value, kind) || !isObject(declaration)) {
    const define = kind === "collection" ? "defineCollection" : "defineDocument";
    const message = `${which} must be the result of ${define}, but is ${describe(declaration, "")}.`;
    report("wrong-option", at([]), message, `Write ${define}({ … }).`);
    return [];
  }
  const { options, faulty: faultyOptions } = checkOptions(report, entryOptions[kind], declaration, which, at);
  const schema = checkSchema(report, "schema", options["schema"], which, at);
  const written = checkSchema(report, "written", options["written"], which, at);
  if (options["written"] !== undefined && declaration["transform"] === undefined) {
    const message = `${which} has the option written, but no transform: its files have what schema says.`;
    report("wrong-option", at(["written"], "name"), message, "Remove it.");
  }
  return [{ kind, name, which, options, faultyOptions, at, ...schema, written }];
}

/** Checks that names differ, and titles of schemas, which are names of types in programs generated from the documents. */
function checkNames(report: Report, entries: readonly CheckedEntry[]): void {
  const titles = new Map<unknown, CheckedEntry>();
  for (const [index, entry] of entries.entries()) {
    const { name, which, schema, at } = entry;
    const other = entries.slice(0, index).find((earlier) => areAlike(name, earlier.name));
    if (other !== undefined) {
      const message = `The names of ${other.which} and ${which} differ only in hyphens and underscores.`;
      report("duplicate-name", at([]).slice(-1), message, "Rename one of them.");
    }
    const declared: unknown = schema && z.globalRegistry.get(schema)?.title;
    if (schema === undefined || (declared === undefined && !isName(name))) continue;
    const title = declared ?? pascal(name);
    const first = titles.get(title) ?? entry;
    titles.set(title, first);
    if (typeof title !== "string" || !isTypeName(title)) {
      const message = `The title of ${which} is ${describe(title, "")}, which is not a valid name of a type.`;
      report("invalid-name", at(["schema"]), message, `Write letters and digits, such as ${quote(pascal(name))}.`);
    } else if (!areAlike(name, first.name)) {
      const message = `${first.which} and ${which} both have the title ${quote(title)}.`;
      report("duplicate-name", at(["schema"]), message, "Change one of the titles, with .meta({ title }).");
    }
  }
}
