// The options of an API, a collection and a document, as schemas. Reports have the clauses of the schemas, as reports of
// content have.

import * as z from "zod";
import {
  type ApiDeclaration,
  type CollectionDeclaration,
  type DocumentDeclaration,
  type FileOptions,
  fileFormats,
} from "../../src/declare/declare.ts";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { PageDeclaration } from "../../src/declare/html.ts";
import { languageDescription, languagePattern } from "../../src/declare/language.ts";
import type { OutputDeclaration } from "../../src/declare/outputs.ts";
import { fieldOf, isObject } from "../../src/model/fields.ts";
import { schemasAt } from "../../src/model/kinds.ts";
import type { Code } from "../codes.ts";
import { describe, quote, shown } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { clauseOfIssue } from "../text/wording.ts";
import type { DeclaredPart } from "./places.ts";

/** Reports an error at the first of the parts that is written in the declaration. The text starts with a capital. */
export type Report = (code: Code, at: readonly DeclaredPart[], text: string, hint?: string) => void;

/** Returns the possible places of an option, or of a part of it. */
export type At = (path: readonly string[], part?: DeclaredPart["part"]) => readonly DeclaredPart[];

type Options<Declaration> = z.ZodObject<{ readonly [Option in keyof Required<Declaration>]: z.ZodType }>;

const text = z.string();
const matching = (pattern: RegExp, clause: string) => z.string(clause).regex(pattern, clause);
const line = matching(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u, "one line of text, not empty");
const texts = z.array(text).min(1);
const flag = z.boolean().optional();
const callable = z.custom((value) => typeof value === "function", "a function");
const object = z.custom(isObject, "an object");

const notice: Options<Deprecation> = z.strictObject({
  since: z.iso.date(),
  sunset: z.iso.date().optional(),
  use: text.optional(),
  why: line.optional(),
});
/** The notice of a part that is deprecated. */
export const deprecation = notice.refine(({ since, sunset }) => !sunset || String(sunset) >= String(since), {
  path: ["sunset"],
  error: "a date that is not before since",
});
const deprecated = deprecation.optional();

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

const orderRule = z.union([text, z.strictObject({ field: text, fold: flag, natural: flag })]);

const orderRules = z.array(orderRule).min(1);

const isSet = (params: readonly string[]) =>
  new Set(params).size === params.length && params.length > 1 && params.length < 4;

const globPart = String.raw`(?!\.{1,2}(?:/|$))(?:[^/\\{}]|\{[^\\{}]*\})+`;
/** The deployments have their own folder. */
const globForm = `(?!(?:content|deployments)(?:/|$))${globPart}(?:/${globPart})*$`;
const globClause = 'a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md"';
const glob = matching(new RegExp(`^(?!!)${globForm}`), globClause);
/** With `!` before it, a glob of files that are excluded. */
const globOrExcluded = matching(new RegExp(`^!?${globForm}`), globClause);

const match = z.union([
  glob,
  z
    .array(globOrExcluded)
    .refine((globs) => globs.some((one) => !one.startsWith("!")), "a list of globs, one of which is not after !"),
]);

/** A character that may stand between or around cells: a single code unit. */
const sign = (clause: string) => matching(/^[^\r\n\ufeff\p{Cs}\u{10000}-\u{10ffff}]$/u, clause);

const isEncoding = (label: string): boolean => {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
};

const column = z.string("the name of a column").min(1, "the name of a column, not empty");

const fileOptions: Options<FileOptions> = z.strictObject({
  match,
  format: z.enum(fileFormats, `one of ${fileFormats.join(", ")}`).optional(),
  items: matching(
    /^(?:[^.*]+(?:\.[^.*]+)*(?:\.\*)?|\*)$/,
    'names of members joined by dots, with * at the end for every member, such as "features", "data.nodes" or "*"',
  ).optional(),
  memberName: text.optional(),
  delimiter: sign("one character between cells").optional(),
  quote: z.union([z.literal(false), sign("one character")], "one character around cells, or false").optional(),
  header: z
    .array(column)
    .min(1)
    .refine((names) => new Set(names).size === names.length, "a list of the names of columns, all different")
    .optional(),
  rename: z
    .record(text, column)
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, "names that all differ")
    .optional(),
  decimal: z.enum([".", ","], '"." or ","').optional(),
  null: z.array(text, "a list of strings").min(1, "a list of strings").optional(),
  booleans: z
    .tuple([text, text], 'the strings for true and for false, as in ["Y", "N"]')
    .refine(([one, other]) => one !== other, "two different strings")
    .optional(),
  encoding: z
    .string()
    .refine(isEncoding, "a label of the Encoding standard that this program knows, such as windows-1252")
    .optional(),
});

const fileEntries = z
  .array(z.union([globOrExcluded, fileOptions], globClause))
  .refine(
    (entries) => entries.some((entry) => typeof entry !== "string" || !entry.startsWith("!")),
    "a list of globs, one of which is not after !",
  );

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;
const cache = matching(
  new RegExp(`^${directive}(?: *, *${directive})*$`, "i"),
  "a value of the header Cache-Control, such as public, max-age=60",
).optional();

/** The fields of a schema are checked in schema.ts. */
const schema = z.custom((value) => value !== undefined, "a z.strictObject({ … })");

const aliases = z.strictObject({
  field: text,
  slug: z.literal(true).optional(),
  repeated: z.literal("warn").optional(),
});

const areCollections = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every((value) => fieldOf(value, "kind") === "collection");

export const collectionOptions: Options<CollectionDeclaration> = z.strictObject({
  purpose: line,
  noun: z.strictObject({ one: line, many: line }).optional(),
  schema,
  key: z.union([text, texts]),
  order: z.array(orderRule).optional(),
  orders: z
    .record(
      text,
      z.union(
        [orderRules, z.strictObject({ fields: orderRules, deprecated })],
        "a list of fields, or { fields } with such a list",
      ),
    )
    .optional(),
  filters: z.record(text, filter).optional(),
  together: z.array(z.array(text).refine(isSet, "a list of two or three different parameters")).optional(),
  paged: flag,
  item: z.union([z.boolean(), z.strictObject({ aliases: z.union([text, aliases]) })]).optional(),
  brief: texts.optional(),
  files: z
    .union([glob, fileOptions, fileEntries], 'a glob such as "products/*.md", an object with match, or a list of them')
    .optional(),
  load: callable.optional(),
  transform: callable.optional(),
  factsOf: matching(/^[a-z][\w-]*$/i, "the name of a field, such as source").optional(),
  from: z
    .custom(
      (value) => isObject(value) && areCollections(value["collections"]) && typeof value["each"] === "function",
      "the result of from(…): ...from(products, (product) => product.releases)",
    )
    .optional(),
  published: flag,
  cache,
  defining: z.array(text).optional(),
  deprecated,
});

export const documentOptions: Options<DocumentDeclaration> = z.strictObject({
  purpose: line,
  schema,
  required: flag,
  transform: callable.optional(),
  cache,
  deprecated,
});

const page: Options<PageDeclaration> = z.strictObject({
  title: line,
  render: callable,
  main: flag,
  style: text.optional(),
  scope: matching(/^[a-z][a-z0-9-]*$/, "a class of lowercase letters, digits and hyphens").optional(),
  language: matching(languagePattern, languageDescription).optional(),
});

const output: Options<OutputDeclaration> = z.strictObject({
  each: text.optional(),
  type: matching(
    /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*(?: *; *[\w-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*$/i,
    "a value of the header Content-Type, such as application/geo+json",
  ).optional(),
  cache,
  deprecated,
  render: callable,
});

export const apiOptions: Options<Omit<ApiDeclaration, "kind" | "site">> = z.strictObject({
  base: matching(
    // No part is the name of a file that is written beside the API.
    /^(?:\/(?![^/]*\.(?:json|html)(?:\/|$))[a-z0-9][a-z0-9.-]*)+$/,
    "a path such as /api/v1: slashes, each before lowercase letters, digits, dots and hyphens, none of which end in .json or .html",
  ).optional(),
  title: line.optional(),
  description: text.optional(),
  deprecated,
  files: z.strictObject({ cache }).optional(),
  collections: object,
  documents: object,
  pages: z.union([z.literal(false), z.record(text, page)]).optional(),
  outputs: z.record(text, output).optional(),
});

/** Reports unknown, missing and wrong options of `which`, such as `the collection "x"`. Returns the valid ones. */
export function checkOptions(
  report: Report,
  options: z.ZodType,
  declaration: unknown,
  which: string,
  at: At,
): Readonly<Record<string, unknown>> {
  const wrong = new Set<unknown>();
  const { error } = z.safeParse(options, declaration, { error: clauseOfIssue });
  for (const [path, issue] of issuesIn(error?.issues ?? [])) {
    const steps = path.map(String);
    const value = path.reduce<unknown>(fieldOf, declaration);
    const name = shown(path.join("."));
    const subject = name === "" ? which : `the option ${name} of ${which}`;
    if (issue.code === "unrecognized_keys") {
      const names = schemasAt(options, path).flatMap((part) =>
        part instanceof z.ZodObject ? Object.keys(part.shape) : [],
      );
      for (const key of issue.keys) {
        wrong.add(path[0] ?? key);
        const hint = nearest(key, names) ?? `Its options are ${names.join(", ")}.`;
        report("unknown-option", at([...steps, key], "name"), `${subject} has no option ${quote(key)}.`, hint);
      }
      continue;
    }
    wrong.add(path[0]);
    if (value === undefined && name !== "") {
      const hint = `Its value must be ${issue.message}.`;
      report("missing-option", at(steps.slice(0, -1)), `${which} must have the option ${name}.`, hint);
    } else {
      const but = typeof value === "object" && value !== null ? "" : `, but is ${describe(value, "")}`;
      report("wrong-option", at(steps), `${subject} must be ${issue.message}${but}.`);
    }
  }
  const isValid = ([name, value]: readonly [string, unknown]) => !wrong.has(name) && value !== undefined;
  return isObject(declaration) ? Object.fromEntries(Object.entries(declaration).filter(isValid)) : {};
}

/** Whether an issue is about a part of a value. */
const isPartial = ({ path, code }: z.core.$ZodIssue): boolean => path.length > 0 || code === "unrecognized_keys";

/** The issues with their paths. If an alternative of a union refuses only parts of the value, those are the issues. */
function* issuesIn(
  issues: readonly z.core.$ZodIssue[],
  above: readonly (string | number)[] = [],
): Generator<readonly [path: readonly (string | number)[], issue: z.core.$ZodIssue]> {
  for (const issue of issues) {
    const path = [...above, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
    const alternatives = issue.code === "invalid_union" ? issue.errors : [];
    const partial = alternatives.find((others) => others.every((other) => other.path.length > 0));
    const [meant, ...others] = alternatives.filter((issues) => issues.every(isPartial));
    const refused = partial ?? (others.length === 0 ? meant : undefined);
    if (refused === undefined) yield [path, issue];
    else yield* issuesIn(refused, path);
  }
}
