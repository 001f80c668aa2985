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
import { explain, valueAt } from "../explain/explain.ts";
import { dotted, faultsOf } from "../explain/faults.ts";
import type { Path } from "../messages.ts";
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
/** A value that a function tells, and what it must be. */
const custom = (isValid: (value: unknown) => boolean, clause: string) => z.custom(isValid, clause).describe(clause);
const callable = custom((value) => typeof value === "function", "a function");
const object = custom(isObject, "an object");
/** One of several forms, and what they are together. */
const either = <const Forms extends readonly z.ZodType[]>(forms: Forms, clause: string) =>
  z.union(forms, clause).describe(clause);

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

const filter = either(
  [
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
  ],
  "a string, a function, or an object with one of field, keysOf and of",
);

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

const match = either(
  [
    glob,
    z
      .array(globOrExcluded)
      .refine((globs) => globs.some((one) => !one.startsWith("!")), "a list of globs, one of which is not after !"),
  ],
  `${globClause}, or a list of globs`,
);

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
  quote: either([z.literal(false), sign("one character")], "one character around cells, or false").optional(),
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
  .array(either([globOrExcluded, fileOptions], globClause))
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
      either(
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
  files: either(
    [glob, fileOptions, fileEntries],
    'a glob such as "products/*.md", an object with match, or a list of them',
  ).optional(),
  load: callable.optional(),
  transform: callable.optional(),
  written: schema.optional(),
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
  written: schema.optional(),
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

/** Options that were checked. */
export interface CheckedOptions {
  /** Without those that have a fault. Of filters, orders, pages and outputs, only the faulty ones are left out. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The names of options in which there is a fault, from which others may follow. */
  readonly faulty: ReadonlySet<string>;
}

/** Reports unknown, missing and wrong options of `which`, such as `the collection "x"`. */
export function checkOptions(
  report: Report,
  form: z.ZodType,
  declaration: unknown,
  which: string,
  at: At,
): CheckedOptions {
  const refusals = explain(form, declaration);
  const faults = faultsOf(
    {
      value: declaration,
      at: (path, part) => at(writtenPart(declaration, path).map(String), part === "key" ? "name" : undefined),
      nameOf: (path) => (path.length === 0 ? which : `the option ${dotted(path)} of ${which}`),
      noun: "option",
    },
    refusals,
  );
  for (const { code, at: parts, text } of faults) {
    // The declaration is a program: no text of it is a value as it is written.
    const words = text("", () => "");
    report(optionCodes[code], parts, words.text, words.hint);
  }
  const options = new Map(Object.entries(isObject(declaration) ? declaration : {}).filter(isGiven));
  const paths = refusals.map(({ path, field }) => (field === undefined ? path : [...path, field]));
  for (const [name = "", entry] of paths) {
    const value = options.get(String(name));
    const isRecord = entry !== undefined && schemasAt(form, [name]).some((schema) => schema instanceof z.ZodRecord);
    if (isRecord && isObject(value)) options.set(String(name), without(value, String(entry)));
    else options.delete(String(name));
  }
  return { options: Object.fromEntries(options), faulty: new Set(paths.map(([name]) => String(name))) };
}

const optionCodes = {
  "unknown-field": "unknown-option",
  "missing-field": "missing-option",
  "wrong-type": "wrong-option",
  "wrong-value": "wrong-option",
} as const;

/** The path of a value; if the value is missing, that of the object that lacks it. */
const writtenPart = (declaration: unknown, path: Path): Path =>
  valueAt(declaration, path) === undefined ? path.slice(0, -1) : path;

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

const without = (record: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
