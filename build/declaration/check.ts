// Checks a declaration as a whole: what the module exports, the names, and what collections have in common. All
// mistakes are reported in one run, and none that only follows from another.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { completeApi } from "../../src/complete-api.ts";
import { pascal } from "../../src/complete-resource.ts";
import type { ApiDeclaration } from "../../src/declare.ts";
import { forms, references, vocabularies } from "../../src/marks.ts";
import type { PageData } from "../../src/pages.ts";
import { type Checked, DeclarationError, type Diagnostic } from "../diagnostics.ts";
import { quote } from "../quote.ts";
import { secondsNow } from "../seconds-now.ts";
import { nearest } from "../slips.ts";
import { checkFields, checkMarks, checkSchema, type Entry, hasTextKey } from "./check-collection.ts";
import { checkOrigins, checkSources } from "./check-sources.ts";
import { alikeName, checkName, isName } from "./names.ts";
import { checkOptions, collectionForms, documentForms, lower } from "./options.ts";
import { checkPages } from "./pages.ts";
import type { Places, Spot } from "./places.ts";
import { openReport, type Report } from "./report.ts";
import { definitionOf, given, isSchema } from "./schema.ts";
import { thrown } from "./thrown.ts";

/** `exported` is what the declaration's module exports. */
export function checkDeclaration(exported: unknown, places: Places): Checked<Api | undefined> {
  const report = openReport(places);
  const declaration = defaultOf(exported);
  if (!isKind(declaration, "api")) {
    report.add("no-declaration", exportSpots(declaration), ...noDeclaration(declaration, exported));
    return [undefined, report.faults];
  }
  const api: Parts = declaration;
  checkApi(report, api);
  const entries = [
    ...entriesOf(report, api, "collections", "collection"),
    ...entriesOf(report, api, "documents", "document"),
  ];
  checkNames(report, entries, api);
  const collections = namesIn(api, "collections");
  const untextual = new Set(entries.filter((each) => !hasTextKey(each)).map(({ name }) => name));
  for (const entry of entries) {
    if (entry.kind === "collection") {
      checkFields(report, entry);
      checkSources(report, entry);
    }
    checkMarks(report, entry, collections, untextual);
  }
  checkKeys(report, entries);
  if (isObject(api["collections"])) checkOrigins(report, entries, api["collections"]);
  checkTitles(report, entries);
  checkWords(report, entries);
  if (report.faults.length > 0) return [undefined, [...report.faults].sort(inText)];
  // Its parts have been checked.
  const checked = declaration as unknown as ApiDeclaration;
  return [withPlaces(completeApi(checked, today), checked, places), []];
}

/** The day of the build, in UTC. */
const today = (): string => new Date(secondsNow() * 1_000).toISOString().slice(0, 10);

/** An error that a function of the declaration throws becomes a fault at its place. */
function withPlaces({ lists, pages, ...api }: Api, { site, collections }: ApiDeclaration, places: Places): Api {
  const placed = lists.map((list) => {
    const { name, load, transform, from } = list;
    const declared = collections[name];
    const at = (option: string) => spotsOf(declared, [option], "name")[0];
    const failed = (error: unknown, spot: Spot | undefined, what?: string) =>
      new DeclarationError(thrown(error, places, what, spot));
    const guarded =
      <Given extends readonly unknown[], Result>(call: (...given: Given) => Result, spot: Spot | undefined) =>
      (...given: Given): Result => {
        try {
          return call(...given);
        } catch (error) {
          throw failed(error, spot);
        }
      };
    return {
      ...list,
      ...(load && {
        load: () =>
          load().catch((error) => {
            throw failed(error, at("load"), `The items of ${name} cannot be loaded`);
          }),
      }),
      ...(transform && { transform: guarded(transform, at("transform")) }),
      ...(from && {
        from: { ...from, each: guarded(from.each, { site: declared?.declaration.from?.site, path: [] }) },
      }),
    };
  });
  const operations = api.operations.map((operation) => placed.find(({ name }) => name === operation.name) ?? operation);
  const placedPages = pages.map((page) => ({
    ...page,
    render(data: PageData) {
      try {
        return page.render(data);
      } catch (error) {
        const spot = { site, path: ["pages", page.path, "render"], part: "name" } as const;
        throw new DeclarationError(thrown(error, places, `The page ${page.path} cannot be rendered`, spot));
      }
    },
  }));
  return { ...api, lists: placed, operations, pages: placedPages };
}

const inText = (a: Diagnostic, b: Diagnostic): number =>
  Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line || a.column - b.column;

/** A declared API of which nothing is known. */
interface Parts {
  readonly site?: unknown;
  readonly [option: string]: unknown;
}

const isObject = (value: unknown): value is Parts =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isKind = (value: unknown, kind: string): value is Parts => isObject(value) && value["kind"] === kind;

/** A CommonJS module exports the declaration itself. */
const defaultOf = (exported: unknown): unknown =>
  isObject(exported) && !isKind(exported, "api") ? exported["default"] : exported;

const siteOf = ({ site }: Parts): string | undefined => (typeof site === "string" ? site : undefined);

/** The place of a collection that is exported in place of an API. */
const exportSpots = (value: unknown): readonly Spot[] => (isObject(value) ? [{ site: siteOf(value), path: [] }] : []);

function noDeclaration(value: unknown, exported: unknown): readonly [message: string, hint: string] {
  const whole = "export default defineApi({ collections: { … } })";
  if (isKind(value, "collection") || isKind(value, "document")) {
    const kind = String(value["kind"]);
    return [`The default export is a ${kind}, and no API.`, `Write export default defineApi({ ${kind}s: { … } }).`];
  }
  if (value !== undefined) return [`The default export is ${given(value)}, and no API.`, `Write ${whole}.`];
  const named = Object.entries(Object(exported)).find(([, each]) => isKind(each, "api"));
  if (named === undefined) return ["There is no default export.", `Write ${whole}.`];
  return ["There is no default export.", `Write export default ${named[0]}.`];
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
  const at = (path: readonly string[], part?: Spot["part"]): readonly Spot[] => [spotOf(api, path, part)];
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
  const names = [...namesIn(api, "collections"), ...namesIn(api, "documents")];
  if (names.length === 0 && isObject(api["collections"])) {
    report.add(
      "empty-api",
      at([]),
      "The API has no collections and no documents.",
      "Declare one with defineCollection.",
    );
  }
}

const spotOf = (declared: Parts, path: readonly string[], part: Spot["part"] = "value"): Spot => ({
  site: siteOf(declared),
  path,
  part,
});

/** The places of an option of a collection, which `extend` may give, or the collection that it extends. */
function spotsOf(declared: unknown, path: readonly string[], part?: Spot["part"]): readonly Spot[] {
  if (!isObject(declared)) return [];
  const extended = isObject(declared["extended"]) ? declared["extended"] : undefined;
  if (extended === undefined) return [spotOf(declared, path, part)];
  const [option, ...steps] = path;
  const own = option === "schema" ? ["fields", ...steps] : path;
  const held = own.slice(0, option === "schema" || option === "filters" ? 2 : 1);
  const isOwn = held.reduce<unknown>((value, step) => Object(value)[step], extended["more"]) !== undefined;
  const ownSpot = { ...spotOf(declared, isOwn ? own : [], part), argument: 1 };
  return isOwn ? [ownSpot] : [...spotsOf(extended["collection"], path, part), ownSpot];
}

const namesIn = (api: Parts, option: "collections" | "documents"): readonly string[] =>
  isObject(api[option]) ? Object.keys(api[option]) : [];

function entriesOf(
  report: Report,
  api: Parts,
  option: "collections" | "documents",
  kind: Entry["kind"],
): readonly Entry[] {
  const declared = api[option];
  if (!isObject(declared)) return [];
  return Object.entries(declared).flatMap(([name, each]): readonly Entry[] => {
    const which = `The ${kind} ${quote(name)}`;
    const named = spotOf(api, [option, name], "name");
    checkName(report, kind, name, [named]);
    const define = kind === "collection" ? "defineCollection" : "defineDocument";
    const other = kind === "collection" ? "document" : "collection";
    if (isKind(each, other)) {
      report.add("wrong-option", [named], `${which} is declared as a ${other}.`, `Move it to ${other}s.`);
      return [];
    }
    const declaration = isKind(each, kind) ? each["declaration"] : undefined;
    if (!isKind(each, kind) || !isObject(declaration)) {
      const value = isKind(each, kind) ? declaration : each;
      const hint = `Write ${define}({ … }).`;
      const spot = isKind(each, kind) ? spotOf(each, []) : named;
      report.add(
        "wrong-option",
        [spot, named],
        `${which} must be what ${define} returns, but is ${given(value)}.`,
        hint,
      );
      return [];
    }
    const at: Entry["at"] = (path, part) => [...spotsOf(each, path, part), named];
    const options = checkOptions(
      report,
      kind === "collection" ? collectionForms : documentForms,
      declaration,
      which,
      at,
    );
    const lost = Object.entries(declaration).some(([option, value]) => value !== undefined && !(option in options));
    const entry = { kind, name, which, options, lost, at };
    return [{ ...entry, ...checkSchema(report, entry) }];
  });
}

function checkNames(report: Report, entries: readonly Entry[], api: Parts): void {
  for (const [index, { name, kind, which }] of entries.entries()) {
    const others = entries.slice(0, index);
    const alike = alikeName(
      name,
      others.map((other) => other.name),
    );
    if (alike === undefined) continue;
    const difference = alike === name ? "have one name" : "differ in hyphens and underscores only";
    const other = others.find((each) => each.name === alike)?.which ?? "";
    const place = spotOf(api, [`${kind}s`, name], "name");
    report.add("duplicate-name", [place], `${other} and ${lower(which)} ${difference}.`, "Give one another name.");
  }
}

/** The key of a collection may be a reference, but not to a key that derives from it. */
function checkKeys(report: Report, entries: readonly Entry[]): void {
  const next = (name: string): string | undefined => {
    const { schema, options } = entries.find((each) => each.kind === "collection" && each.name === name) ?? {};
    const key = schema?.shape[String(options?.key)];
    return isSchema(key) ? references.of(key)?.to : undefined;
  };
  const reported = new Set<string>();
  for (const { kind, name, which, options, at } of entries) {
    if (kind === "document" || reported.has(name)) continue;
    const chain = [name];
    for (let to = next(name); to !== undefined && to !== name; to = next(to)) {
      if (chain.includes(to)) break;
      chain.push(to);
    }
    if (next(chain.at(-1) ?? "") !== name) continue;
    for (const each of chain) reported.add(each);
    const circle = [...chain, name].join(" → ");
    const message = `The key of ${lower(which)} is a reference that leads back to it: ${circle}.`;
    report.add("circular-keys", at(["schema", String(options.key)]), message, "Give one of them a key of its form.");
  }
}

/** The names of types in programs that are generated from the API's documents. */
function checkTitles(report: Report, entries: readonly Entry[]): void {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.schema === undefined) continue;
    const declared: unknown = z.globalRegistry.get(entry.schema)?.title;
    const title = declared ?? pascal(entry.name);
    const where = entry.at(["schema"]);
    if (declared === undefined && !isName(entry.name)) continue;
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

/** A vocabulary has one form, wherever its words are used. */
function checkWords(report: Report, entries: readonly Entry[]): void {
  const known = new Map<string, string>();
  for (const { parts, which, at } of entries) {
    for (const [path, each] of parts) {
      const words = vocabularies.of(each);
      if (words === undefined || typeof words.name !== "string") continue;
      const form = formOf(words.form);
      const other = known.get(words.name) ?? form;
      known.set(words.name, other);
      if (other === form) continue;
      const message = `The words of the vocabulary ${quote(words.name)} have another form in the field ${path.join(".")} of ${lower(which)} than before.`;
      report.add(
        "differing-words",
        at(["schema", ...path]),
        message,
        "Give them one form, or give one vocabulary another name.",
      );
    }
  }
}

/** Equal for equal forms. */
function formOf(form: unknown): string {
  if (!isSchema(form)) return "";
  const checks = definitionOf(form).checks?.map((check) =>
    String(Object(check._zod.def).pattern ?? check._zod.def.check),
  );
  return JSON.stringify([forms.of(form)?.text, checks]);
}
