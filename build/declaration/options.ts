// The options of an API, a collection, a document and a page, as schemas whose descriptions complete "… must be …"; and
// the form of names.
import * as z from "zod";
import type { ApiDeclaration, CollectionDeclaration, DocumentDeclaration } from "../../src/declare.ts";
import type { Deprecation } from "../../src/deprecation.ts";
import type { PageDeclaration } from "../../src/html.ts";
import type { DeclarationCode } from "../diagnostics.ts";
import { quote, shown } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import type { Spot } from "./places.ts";

/** Reports a fault at the first of the spots that is known. */
export type Report = (code: DeclarationCode, at: readonly Spot[], message: string, hint?: string) => void;

/** Returns the possible places of an option, or of a part of it. */
export type At = (path: readonly string[], part?: Spot["part"]) => readonly Spot[];

/** Whether a value is an object and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A declared value, in words for its author. */
export function given(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return value.trim() === "" ? "empty" : quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value instanceof z.core.$ZodType) return `z.${value._zod.def.type}()`;
  if (typeof value === "object") return "an object";
  if (typeof value === "function") return "a function";
  return `the ${typeof value} ${shown(String(value))}`;
}

type Options<Declaration> = z.ZodObject<{ readonly [Option in keyof Required<Declaration>]: z.ZodType }>;

const required = <Form extends z.ZodType>(form: Form, text: string): Form => form.describe(text);
const optional = (form: z.ZodType, text: string): z.ZodType => form.optional().describe(text);
const text = z.string();
const texts = z.array(text);
const line = text.regex(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u);
const callable = z.custom((value) => typeof value === "function");
const sentence = required(line, "one line of text, not empty");
const flag = optional(z.boolean(), "true or false");
const fieldNames = optional(texts, "a list of names of fields");

const anyObject = z.custom(isObject);

/** Its parts are checked apart; see deprecation.ts. */
const deprecated = optional(anyObject, 'an object such as { since: "2026-12-01", sunset: "2027-06-01" }');

const filter = z.union([
  text,
  callable,
  z.strictObject({ field: text, slug: z.literal(true).optional(), deprecated }),
  z.strictObject({ keysOf: text, deprecated }),
  z.strictObject({
    of: callable,
    values: z
      .array(z.union([text, z.int(), z.boolean()]))
      .min(1)
      .optional(),
    deprecated,
  }),
]);

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;
const cache = optional(
  text.regex(new RegExp(`^${directive}(?: *, *${directive})*$`, "i")),
  "a value of the header Cache-Control, such as public, max-age=60",
);

/** Its fields are checked apart. */
const schema = required(
  z.custom((value) => value !== undefined),
  "the schema of an object, such as z.strictObject({ … })",
);

export const collectionOptions: Options<CollectionDeclaration> = z.strictObject({
  purpose: sentence,
  noun: optional(
    z.strictObject({ one: line, many: line }),
    'an object with the texts one and many, such as { one: "city", many: "cities" }',
  ),
  schema,
  key: required(z.union([text, texts.min(1)]), "the name of a field, or a list of names of fields"),
  order: optional(
    z.array(z.union([text, z.strictObject({ field: text, fold: flag, natural: flag })])),
    'a list of names of fields, or of objects such as { field: "title", fold: true }',
  ),
  filters: optional(
    z.record(text, filter),
    'an object with a field for each parameter, such as { region: "region" }, an object { field, slug: true } or { keysOf }, a function of an item, or { of: function, values: […] }',
  ),
  together: optional(
    z.array(
      texts
        .min(2)
        .max(3)
        .refine((each) => new Set(each).size === each.length),
    ),
    "a list of lists of two or three different parameters",
  ),
  paged: flag,
  item: optional(
    z.union([z.boolean(), z.strictObject({ aliases: text })]),
    'true or false, or an object with the field of other names, such as { aliases: "aliases" }',
  ),
  brief: optional(texts.min(1), "a list of names of fields, not empty"),
  files: optional(z.union([text, texts.min(1)]), 'a glob such as "products/*.md", or a list of globs'),
  load: optional(callable, "a function that returns items"),
  transform: optional(callable, "a function that returns the item of a raw item"),
  from: optional(
    z.looseObject({ collection: z.looseObject({ kind: z.literal("collection") }), each: callable }),
    "what from(…) returns for a collection and a function: ...from(products, (product) => product.releases)",
  ),
  cache,
  notBefore: optional(
    z.array(z.strictObject({ field: text, than: text })),
    'a list of objects with the names of two fields, such as { field: "updated_at", than: "created_at" }',
  ),
  defining: fieldNames,
  deprecated,
});

export const documentOptions: Options<DocumentDeclaration> = z.strictObject({
  purpose: sentence,
  schema,
  required: flag,
  cache,
  deprecated,
});

const day = z.iso.date();
const dayForm = "a day that exists, such as 2026-12-01";

export const deprecationOptions: Options<Deprecation> = z.strictObject({
  since: required(day, dayForm),
  sunset: optional(day, dayForm),
  use: optional(text, "the name of what to use instead"),
  why: optional(line, "one line of text, not empty"),
});

export const pageOptions: Options<PageDeclaration> = z.strictObject({
  title: sentence,
  render: required(callable, "a function that returns html`…`"),
  style: optional(text, "a text of CSS"),
  scope: optional(text.regex(/^[a-z][a-z0-9-]*$/), "a class of lowercase letters, digits and hyphens"),
});

export const apiOptions: Options<Omit<ApiDeclaration, "kind" | "site">> = z.strictObject({
  base: optional(
    // No part is the name of a file that is written beside the API.
    text.regex(/^(?:\/(?![^/]*\.(?:json|html)(?:\/|$))[a-z0-9][a-z0-9.-]*)+$/),
    "a path such as /api/v1: slashes, each before lowercase letters, digits, dots and hyphens, none of which end in .json or .html",
  ),
  collections: required(anyObject, "an object with a collection for each name"),
  documents: required(anyObject, "an object with a document for each name"),
  pages: optional(
    z.union([z.literal(false), anyObject]),
    'false, or an object with a page for each path: pages: { "docs/map": { title, render } }',
  ),
});

/**
 * Reports unknown, missing and wrong options. Returns the valid ones. `which` names the declaration: `The collection
 * "x"`.
 */
export function checkOptions(
  report: Report,
  options: Options<object>,
  declaration: Readonly<Record<string, unknown>>,
  which: string,
  at: At,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(options.shape);
  const wrong = new Set<string>();
  for (const issue of z.safeParse(options, declaration).error?.issues ?? []) {
    for (const name of issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : []) {
      const hint = nearest(name, known) ?? `Its options are ${known.join(", ")}.`;
      report("unknown-option", at([name], "name"), `${which} has no option ${quote(name)}.`, hint);
    }
    const name = String(issue.path[0] ?? "");
    if (name === "" || wrong.has(name)) continue;
    wrong.add(name);
    const form = Object(options.shape)[name].description;
    const value = declaration[name];
    const but = typeof value === "object" && value !== null ? "" : `, but is ${given(value)}`;
    if (value === undefined)
      report("missing-option", at([]), `${which} must have the option ${name}.`, `Its value must be ${form}.`);
    else report("wrong-option", at([name]), `The option ${name} of ${lower(which)} must be ${form}${but}.`);
  }
  const isValid = ([name, value]: readonly [string, unknown]) =>
    known.includes(name) && !wrong.has(name) && value !== undefined;
  return Object.fromEntries(Object.entries(declaration).filter(isValid));
}

/** `The collection "x"` within a sentence. */
export const lower = (which: string): string => which.charAt(0).toLowerCase() + which.slice(1);

/** Names of parameters with another meaning in a path. */
const reservedParameters: ReadonlySet<string> = new Set(["limit", "cursor", "item"]);

/** Names of collections and documents with another meaning: also in the content, in a deployment or in JavaScript. */
const reserved: ReadonlySet<string> = new Set([
  ...reservedParameters,
  ...["docs", "schemas", "dumps", "filters", "errors", "openapi", "cursors", "changes", "api", "deployments"],
  ...["operations", "constructor", "then", "prototype"],
]);

/** Names become paths, files and variables in the configuration of hosts, none of which has to quote or rename them. */
const nameForm = /^(?=.{1,32}$)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

export const formHint =
  "A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.";

export function checkName(
  report: Report,
  kind: "collection" | "document" | "parameter" | "vocabulary",
  name: string,
  at: readonly Spot[],
): void {
  if (!isName(name)) {
    const meant = name
      .trim()
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
      .toLowerCase()
      .replace(/_+/g, "_")
      .replace(/[^a-z0-9_]+/g, "-")
      .replace(/^[^a-z]+|[-_]+$/g, "");
    const hint = isName(meant) ? `${formHint} ${quote(meant)} is one.` : formHint;
    report("invalid-name", at, `${quote(name)} is no name of a ${kind}.`, hint);
  } else if (kind !== "vocabulary" && (kind === "parameter" ? reservedParameters : reserved).has(name)) {
    report("reserved-name", at, `The name ${quote(name)} has another meaning.`, `Give the ${kind} another name.`);
  }
}

export const isName = (name: string): boolean => nameForm.test(name);

/** The first of the other names that is the same, or differs only in hyphens and underscores. */
export const alikeName = (name: string, others: readonly string[]): string | undefined =>
  others.find((other) => other.replaceAll("-", "_") === name.replaceAll("-", "_"));

const pagePath = /^docs(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

/** The length of the longest path. */
const mostCharacters = 100;

export function checkPath(report: Report, path: string, at: readonly Spot[]): void {
  if (!pagePath.test(path) || path.length > mostCharacters) {
    const hint = `A path is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most ${mostCharacters} characters.`;
    report("invalid-name", at, `${quote(path)} is no path of a page.`, hint);
  } else if (/\/index$/.test(path)) {
    // The file index.html is the page of its folder.
    report("reserved-name", at, `The path ${quote(path)} has another meaning.`, "Give the page another path.");
  }
}
