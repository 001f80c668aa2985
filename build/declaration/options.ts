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
import type { PageDeclaration } from "../../src/declare/html.ts";
import { languageDescription, languagePattern } from "../../src/declare/language.ts";
import type { OutputDeclaration } from "../../src/declare/outputs.ts";
import { fieldOf, isObject } from "../../src/model/fields.ts";
import { schemasAt } from "../../src/model/kinds.ts";
import { explain, valueAt } from "../explain/explain.ts";
import { dotted, faultsOf } from "../explain/faults.ts";
import type { Path } from "../messages.ts";
import { deprecated } from "./options/deprecated.ts";
import { filters } from "./options/filters.ts";
import {
  cache,
  callable,
  either,
  flag,
  line,
  matching,
  type Options,
  object,
  schema,
  text,
  texts,
} from "./options/forms.ts";
import type { At, Report } from "./options/group.ts";
import { orders } from "./options/orders.ts";
import { published } from "./options/published.ts";

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
  ...orders.form,
  ...filters.form,
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
  ...published.form,
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
