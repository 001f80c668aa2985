// The options of collections and documents by themselves: which there are, and the forms of their values.
import type { CollectionDeclaration, DocumentDeclaration } from "../../src/declare.ts";
import type { PageDeclaration } from "../../src/pages.ts";
import { quote } from "../quote.ts";
import { nearest } from "../slips.ts";
import type { Spot } from "./places.ts";
import type { Report } from "./report.ts";
import { given } from "./schema.ts";

interface Form {
  /** Completes "… must be …". */
  readonly text: string;
  readonly accepts: (value: unknown) => boolean;
  readonly isRequired?: true;
}

type Forms<Declaration> = { readonly [Option in keyof Required<Declaration>]: Form };

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSentence = (value: unknown): boolean => isText(value) && /^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u.test(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isFunction = (value: unknown): boolean => typeof value === "function";

/** Whether a value is an object with exactly these properties. */
const hasOnly = (value: unknown, properties: Readonly<Record<string, (each: unknown) => boolean>>): boolean =>
  isObject(value) &&
  Object.keys(value).length === Object.keys(properties).length &&
  Object.entries(properties).every(([name, accepts]) => accepts(Object(value)[name]));

const isFilter = (value: unknown): boolean =>
  isText(value) ||
  hasOnly(value, { field: isText, slug: (each) => each === true }) ||
  hasOnly(value, { keysOf: isText });

const sentence: Form = { text: "one line of text, not empty", accepts: isSentence };
const flag: Form = { text: "true or false", accepts: (value) => typeof value === "boolean" };
const fieldNames: Form = { text: "a list of names of fields", accepts: isTexts };

const cssClass = /^[a-z][a-z0-9-]*$/;

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;

const cacheControl = new RegExp(`^${directive}(?: *, *${directive})*$`, "i");

const cache: Form = {
  text: "a value of the header Cache-Control, such as public, max-age=60",
  accepts: (value) => isText(value) && cacheControl.test(value),
};

/** Its value is checked with the fields. */
const any = { text: "the schema of an object, such as z.strictObject({ … })", accepts: () => true };

export const collectionForms: Forms<CollectionDeclaration> = {
  purpose: { ...sentence, isRequired: true },
  noun: {
    text: 'an object with the texts one and many, such as { one: "city", many: "cities" }',
    accepts: (value) => hasOnly(value, { one: isSentence, many: isSentence }),
  },
  schema: { ...any, isRequired: true },
  key: {
    text: "the name of a field, or a list of names of fields",
    accepts: (value) => isText(value) || (isTexts(value) && value.length > 0),
    isRequired: true,
  },
  order: fieldNames,
  filters: {
    text: 'an object with a field for each parameter, such as { region: "region" }, an object { field, slug: true } or an object { keysOf }',
    accepts: (value) => isObject(value) && Object.values(value).every(isFilter),
  },
  together: {
    text: "a list of lists of two or three different parameters",
    accepts: (value) =>
      Array.isArray(value) &&
      value.every((each) => isTexts(each) && each.length > 1 && each.length < 4 && new Set(each).size === each.length),
  },
  paged: flag,
  item: {
    text: 'true or false, or an object with the field of other names, such as { aliases: "aliases" }',
    accepts: (value) => typeof value === "boolean" || hasOnly(value, { aliases: isText }),
  },
  brief: { text: "a list of names of fields, not empty", accepts: (value) => isTexts(value) && value.length > 0 },
  files: {
    text: 'a glob such as "products/*.md", or a list of globs',
    accepts: (value) => isText(value) || (isTexts(value) && Object(value).length > 0),
  },
  load: { text: "a function that returns items", accepts: isFunction },
  transform: { text: "a function that returns the item of a raw item", accepts: isFunction },
  from: {
    text: "what from(…) returns for a collection and a function: ...from(products, (product) => product.releases)",
    accepts: (value) =>
      isObject(value) &&
      "collection" in value &&
      "each" in value &&
      Object(value.collection).kind === "collection" &&
      isFunction(value.each),
  },
  cache,
  notBefore: {
    text: 'a list of objects with the names of two fields, such as { field: "updated_at", than: "created_at" }',
    accepts: (value) => Array.isArray(value) && value.every((each) => hasOnly(each, { field: isText, than: isText })),
  },
  defining: fieldNames,
};

export const documentForms: Forms<DocumentDeclaration> = {
  purpose: { ...sentence, isRequired: true },
  schema: { ...any, isRequired: true },
  required: flag,
  cache,
};

export const pageForms: Forms<PageDeclaration> = {
  title: { ...sentence, isRequired: true },
  render: {
    text: "a function that returns html`…`",
    accepts: (value) => typeof value === "function",
    isRequired: true,
  },
  style: { text: "a text of CSS", accepts: isText },
  scope: {
    text: "a class of lowercase letters, digits and hyphens",
    accepts: (value) => isText(value) && cssClass.test(value),
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
  at: (path: readonly string[], part?: Spot["part"]) => readonly Spot[],
): Readonly<Record<string, unknown>> {
  const known = Object.keys(forms);
  const valid: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(declaration)) {
    const form = Object.hasOwn(forms, option) ? forms[option] : undefined;
    if (form === undefined) {
      const hint = nearest(option, known) ?? `Its options are ${known.join(", ")}.`;
      report.add("unknown-option", at([option], "name"), `${which} has no option ${quote(option)}.`, hint);
    } else if (value !== undefined && !form.accepts(value)) {
      const message = `The option ${option} of ${lower(which)} must be ${form.text}${isObject(value) || Array.isArray(value) ? "" : `, but is ${given(value)}`}.`;
      report.add("wrong-option", at([option]), message);
    } else if (value !== undefined) valid[option] = value;
  }
  for (const [option, { text, isRequired }] of Object.entries(forms)) {
    if (isRequired !== true || Object(declaration)[option] !== undefined) continue;
    report.add("missing-option", at([]), `${which} must have the option ${option}.`, `Its value must be ${text}.`);
  }
  return valid;
}

export const lower = (which: string): string => which.charAt(0).toLowerCase() + which.slice(1);
