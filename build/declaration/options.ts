// The forms of names, of the options of collections, documents and pages, and of their values.
import * as z from "zod";
import type { CollectionDeclaration, DocumentDeclaration } from "../../src/declare.ts";
import type { PageDeclaration } from "../../src/pages.ts";
import { quote } from "../quote.ts";
import { nearest } from "../slips.ts";
import type { At, DeclarationSpot, Report } from "./places.ts";
import { given, isObject } from "./schema.ts";

interface Form {
  /** Completes "… must be …". */
  readonly text: string;
  readonly accepts: (value: unknown) => boolean;
  readonly isRequired?: true;
}

type Forms<Declaration> = { readonly [Option in keyof Required<Declaration>]: Form };

const matches =
  (schema: z.ZodType) =>
  (value: unknown): boolean =>
    schema.safeParse(value).success;

const text = z.string();
const texts = z.array(text);
const oneLine = text.regex(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u);
const isFunction = (value: unknown): boolean => typeof value === "function";
const isTextOrList = matches(z.union([text, texts.min(1)]));

const isFilter = matches(
  z.union([text, z.strictObject({ field: text, slug: z.literal(true) }), z.strictObject({ keysOf: text })]),
);

const sentence: Form = { text: "one line of text, not empty", accepts: matches(oneLine) };
const flag: Form = { text: "true or false", accepts: matches(z.boolean()) };
const fieldNames: Form = { text: "a list of names of fields", accepts: matches(texts) };

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;

const cacheControl = new RegExp(`^${directive}(?: *, *${directive})*$`, "i");

const cache: Form = {
  text: "a value of the header Cache-Control, such as public, max-age=60",
  accepts: matches(text.regex(cacheControl)),
};

/** The fields are checked with the schema. */
const object: Form = { text: "the schema of an object, such as z.strictObject({ … })", accepts: () => true };

export const collectionForms: Forms<CollectionDeclaration> = {
  purpose: { ...sentence, isRequired: true },
  noun: {
    text: 'an object with the texts one and many, such as { one: "city", many: "cities" }',
    accepts: matches(z.strictObject({ one: oneLine, many: oneLine })),
  },
  schema: { ...object, isRequired: true },
  key: { text: "the name of a field, or a list of names of fields", accepts: isTextOrList, isRequired: true },
  order: fieldNames,
  filters: {
    text: 'an object with a field for each parameter, such as { region: "region" }, an object { field, slug: true } or an object { keysOf }',
    accepts: (value) => isObject(value) && Object.values(value).every(isFilter),
  },
  together: {
    text: "a list of lists of two or three different parameters",
    accepts: matches(
      z.array(
        texts
          .min(2)
          .max(3)
          .refine((each) => new Set(each).size === each.length),
      ),
    ),
  },
  paged: flag,
  item: {
    text: 'true or false, or an object with the field of other names, such as { aliases: "aliases" }',
    accepts: matches(z.union([z.boolean(), z.strictObject({ aliases: text })])),
  },
  brief: { text: "a list of names of fields, not empty", accepts: matches(texts.min(1)) },
  files: { text: 'a glob such as "products/*.md", or a list of globs', accepts: isTextOrList },
  load: { text: "a function that returns items", accepts: isFunction },
  transform: { text: "a function that returns the item of a raw item", accepts: isFunction },
  from: {
    text: "what from(…) returns for a collection and a function: ...from(products, (product) => product.releases)",
    accepts: (value) =>
      isObject(value) && Object(value["collection"]).kind === "collection" && isFunction(value["each"]),
  },
  cache,
  notBefore: {
    text: 'a list of objects with the names of two fields, such as { field: "updated_at", than: "created_at" }',
    accepts: matches(z.array(z.strictObject({ field: text, than: text }))),
  },
  defining: fieldNames,
};

export const documentForms: Forms<DocumentDeclaration> = {
  purpose: { ...sentence, isRequired: true },
  schema: { ...object, isRequired: true },
  required: flag,
  cache,
};

const pageForms: Forms<PageDeclaration> = {
  title: { ...sentence, isRequired: true },
  render: { text: "a function that returns html`…`", accepts: isFunction, isRequired: true },
  style: { text: "a text of CSS", accepts: matches(text) },
  scope: {
    text: "a class of lowercase letters, digits and hyphens",
    accepts: matches(text.regex(/^[a-z][a-z0-9-]*$/)),
  },
};

/**
 * Reports unknown, missing and wrong options. Returns the valid ones. `which` names the declaration: `The collection
 * "x"`.
 */
export function checkOptions(
  report: Report,
  forms: Readonly<Record<string, Form>>,
  declaration: object,
  which: string,
  at: At,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(forms);
  const valid: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(declaration)) {
    const form = Object.hasOwn(forms, option) ? forms[option] : undefined;
    if (form === undefined) {
      const hint = nearest(option, known) ?? `Its options are ${known.join(", ")}.`;
      report.add("unknown-option", at([option], "name"), `${which} has no option ${quote(option)}.`, hint);
    } else if (value !== undefined && !form.accepts(value)) {
      const but = typeof value === "object" && value !== null ? "" : `, but is ${given(value)}`;
      report.add("wrong-option", at([option]), `The option ${option} of ${lower(which)} must be ${form.text}${but}.`);
    } else if (value !== undefined) valid[option] = value;
  }
  for (const [option, { text, isRequired }] of Object.entries(forms)) {
    if (isRequired !== true || Object(declaration)[option] !== undefined) continue;
    report.add("missing-option", at([]), `${which} must have the option ${option}.`, `Its value must be ${text}.`);
  }
  return valid;
}

/** `The collection "x"` within a sentence. */
export const lower = (which: string): string => which.charAt(0).toLowerCase() + which.slice(1);

const pagePath = /^docs(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

/** The length of the longest path. */
const mostCharacters = 100;

/** `at` returns the places of the option `pages`, or of a page in it. */
export function checkPages(report: Report, pages: unknown, at: At): void {
  if (pages === undefined || pages === false) return;
  if (!isObject(pages)) {
    const message = `The option pages must be false, or an object with a page for each path, but is ${given(pages)}.`;
    report.add("wrong-option", at([]), message, 'Write pages: { "docs/map": { title, render } }.');
    return;
  }
  for (const [path, page] of Object.entries(pages)) {
    checkPath(report, path, at([path], "name"));
    const which = `The page ${quote(path)}`;
    if (isObject(page)) checkOptions(report, pageForms, page, which, (inner, part) => at([path, ...inner], part));
    else {
      const message = `${which} must be an object, but is ${given(page)}.`;
      report.add("wrong-option", at([path]), message, "Write { title, render }.");
    }
  }
}

function checkPath(report: Report, path: string, where: readonly DeclarationSpot[]): void {
  if (!pagePath.test(path) || path.length > mostCharacters) {
    const hint = `A path is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most ${mostCharacters} characters.`;
    report.add("invalid-name", where, `${quote(path)} is no path of a page.`, hint);
  } else if (/\/index$/.test(path)) {
    // The file index.html is the page of its folder.
    report.add("reserved-name", where, `The path ${quote(path)} has another meaning.`, "Give the page another path.");
  }
}

// Names become paths, files, folders and variables in the configuration of hosts. No host has to quote, shorten or
// rename them.

/** Names of parameters with another meaning in a path. */
const reservedParameters: ReadonlySet<string> = new Set(["limit", "cursor", "item"]);

/** Names of collections and documents with another meaning: also in the content, in a deployment or in JavaScript. */
const reserved: ReadonlySet<string> = new Set([
  ...reservedParameters,
  ...["docs", "schemas", "dumps", "errors", "openapi", "cursors", "api", "deployments"],
  ...["operations", "constructor", "then", "prototype"],
]);

const nameForm = /^(?=.{1,32}$)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

export const formHint =
  "A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.";

export function checkName(
  report: Report,
  kind: "collection" | "document" | "parameter" | "vocabulary",
  name: string,
  at: readonly DeclarationSpot[],
): void {
  if (!nameForm.test(name)) {
    const meant = name
      .trim()
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
      .toLowerCase()
      .replace(/_+/g, "_")
      .replace(/[^a-z0-9_]+/g, "-")
      .replace(/^[^a-z]+|[-_]+$/g, "");
    const hint = nameForm.test(meant) ? `${formHint} ${quote(meant)} is one.` : formHint;
    report.add("invalid-name", at, `${quote(name)} is no name of a ${kind}.`, hint);
  } else if (kind !== "vocabulary" && (kind === "parameter" ? reservedParameters : reserved).has(name)) {
    report.add("reserved-name", at, `The name ${quote(name)} has another meaning.`, `Give the ${kind} another name.`);
  }
}

export const isName = (name: string): boolean => nameForm.test(name);

/** The first of the other names that is the same, or differs only in hyphens and underscores. */
export const alikeName = (name: string, others: readonly string[]): string | undefined =>
  others.find((other) => other.replaceAll("-", "_") === name.replaceAll("-", "_"));
