// The options of an API, a collection, a document and a page, as schemas whose descriptions complete "… must be …".
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
  if (Array.isArray(value)) return "a list";
  if (value instanceof z.core.$ZodType) return `z.${value._zod.def.type}()`;
  if (typeof value === "object")
    return /collection|document/.test(Object(value).kind) ? `a ${Object(value).kind}` : "an object";
  return typeof value === "function" ? "a function" : `the ${typeof value} ${shown(String(value))}`;
}

type Options<Declaration> = z.ZodObject<{ readonly [Option in keyof Required<Declaration>]: z.ZodType }>;

const optional = (form: z.ZodType, text: string): z.ZodType => form.optional().describe(text);
const text = z.string();
const texts = z.array(text);
const line = text.regex(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u);
const lineForm = "one line of text, not empty";
const callable = z.custom((value) => typeof value === "function");
const anyObject = z.custom(isObject);
const flag = optional(z.boolean(), "true or false");

/** Its parts are checked apart; see deprecation.ts. */
const deprecated = optional(anyObject, 'an object such as { since: "2026-12-01", sunset: "2027-06-01" }');

const several = texts.refine((each) => each.length === new Set(each).size && each.length > 1 && each.length < 4);
const values = z.array(z.union([text, z.int(), z.boolean()])).min(1);
const filter = z.union([
  text,
  callable,
  z.strictObject({ field: text, slug: z.literal(true).optional(), deprecated }),
  z.strictObject({ keysOf: text, deprecated }),
  z.strictObject({ of: callable, values: values.optional(), deprecated }),
]);

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;
const cache = optional(
  text.regex(new RegExp(`^${directive}(?: *, *${directive})*$`, "i")),
  "a value of the header Cache-Control, such as public, max-age=60",
);

/** Its fields are checked apart; see schema.ts. */
const present = z.custom((value) => value !== undefined);
const schema = present.describe("the schema of an object, such as z.strictObject({ … })");

export const collectionOptions: Options<CollectionDeclaration> = z.strictObject({
  purpose: line.describe(lineForm),
  noun: optional(z.strictObject({ one: line, many: line }), 'an object such as { one: "city", many: "cities" }'),
  schema,
  key: z.union([text, texts.min(1)]).describe("the name of a field, or a list of names of fields"),
  order: optional(
    z.array(z.union([text, z.strictObject({ field: text, fold: flag, natural: flag })])),
    'a list of names of fields, or of objects such as { field: "title", fold: true }',
  ),
  filters: optional(
    z.record(text, filter),
    'an object with a field for each parameter, such as { region: "region" }, an object { field, slug: true } or { keysOf }, a function of an item, or { of: function, values: […] }',
  ),
  together: optional(z.array(several), "a list of lists of two or three different parameters"),
  paged: flag,
  item: optional(
    z.union([z.boolean(), z.strictObject({ aliases: text })]),
    'true or false, or an object such as { aliases: "aliases" } with the field of other names',
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
    'a list of objects such as { field: "updated_at", than: "created_at" }',
  ),
  defining: optional(texts, "a list of names of fields"),
  deprecated,
});

export const documentOptions: Options<DocumentDeclaration> = z.strictObject({
  purpose: line.describe(lineForm),
  schema,
  required: flag,
  cache,
  deprecated,
});

const dayForm = "a day that exists, such as 2026-12-01";

const notice = z.strictObject({
  since: z.iso.date().describe(dayForm),
  sunset: optional(z.iso.date(), `${dayForm}, and not before since`),
  use: optional(text, "the name of what to use instead"),
  why: optional(line, lineForm),
});

export const deprecationOptions: Options<Deprecation> = notice.refine(
  ({ since, sunset }) => sunset === undefined || String(sunset) >= since,
  { path: ["sunset"] },
);

export const pageOptions: Options<PageDeclaration> = z.strictObject({
  title: line.describe(lineForm),
  render: callable.describe("a function that returns html`…`"),
  style: optional(text, "a text of CSS"),
  scope: optional(text.regex(/^[a-z][a-z0-9-]*$/), "a class of lowercase letters, digits and hyphens"),
});

export const apiOptions: Options<Omit<ApiDeclaration, "kind" | "site">> = z.strictObject({
  base: optional(
    // No part is the name of a file that is written beside the API.
    text.regex(/^(?:\/(?![^/]*\.(?:json|html)(?:\/|$))[a-z0-9][a-z0-9.-]*)+$/),
    "a path such as /api/v1: slashes, each before lowercase letters, digits, dots and hyphens, none of which end in .json or .html",
  ),
  collections: anyObject.describe("an object with a collection for each name"),
  documents: anyObject.describe("an object with a document for each name"),
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
  declaration: unknown,
  which: string,
  at: At,
): Readonly<Record<string, unknown>> {
  const known = new Map<string, z.ZodType>(Object.entries(options.shape));
  const names = [...known.keys()];
  if (!isObject(declaration)) {
    const message = `${which} must be an object, but is ${given(declaration)}.`;
    report("wrong-option", at([]), message, `Its options are ${names.join(", ")}.`);
    return {};
  }
  const wrong = new Set<string>();
  for (const issue of z.safeParse(options, declaration).error?.issues ?? []) {
    if (issue.path[0] !== undefined) wrong.add(String(issue.path[0]));
    else if (issue.code === "unrecognized_keys") {
      for (const name of issue.keys) {
        const hint = nearest(name, names) ?? `Its options are ${names.join(", ")}.`;
        report("unknown-option", at([name], "name"), `${which} has no option ${quote(name)}.`, hint);
      }
    }
  }
  for (const name of wrong) {
    const form = known.get(name)?.description;
    const value = declaration[name];
    const but = typeof value === "object" && value !== null ? "" : `, but is ${given(value)}`;
    if (value === undefined)
      report("missing-option", at([]), `${which} must have the option ${name}.`, `Its value must be ${form}.`);
    else report("wrong-option", at([name]), `The option ${name} of ${lower(which)} must be ${form}${but}.`);
  }
  const isValid = ([name, value]: readonly [string, unknown]) =>
    known.has(name) && !wrong.has(name) && value !== undefined;
  return Object.fromEntries(Object.entries(declaration).filter(isValid));
}

/** `The collection "x"` within a sentence. */
export const lower = (which: string): string => which.charAt(0).toLowerCase() + which.slice(1);
