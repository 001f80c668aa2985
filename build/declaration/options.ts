// The options of an API, a collection and a document, as schemas. Reports have the clauses of the schemas, as reports of
// content have.

import * as z from "zod";
import type { ApiDeclaration, CollectionDeclaration, DocumentDeclaration } from "../../src/declare/declare.ts";
import { isObject } from "../../src/model/fields.ts";
import { schemasAt } from "../../src/model/kinds.ts";
import type { Code } from "../codes.ts";
import { valueAt, whyRefused } from "../explain/explain.ts";
import { dotted, faultsOf } from "../explain/faults.ts";
import { type Path, sentencesOf } from "../messages.ts";
import { api } from "./options/api.ts";
import { assets } from "./options/assets.ts";
import { documents } from "./options/documents.ts";
import { files } from "./options/files.ts";
import { filters } from "./options/filters.ts";
import { type Options, object } from "./options/forms.ts";
import type { CheckedEntry, CollectionGroup, OptionPlaces, Report } from "./options/group.ts";
import { item } from "./options/item.ts";
import { orders } from "./options/orders.ts";
import { outputs } from "./options/outputs.ts";
import { pages } from "./options/pages.ts";
import { published } from "./options/published.ts";
import { itemSchema } from "./options/schema.ts";
import { source } from "./options/source.ts";

export const apiGroups = [api, assets, pages, outputs];

type Checks = Pick<CollectionGroup, "check">;

export const entryGroups: Readonly<Record<CheckedEntry["kind"], readonly Checks[]>> = {
  collection: [itemSchema, orders, filters, item, files, source, published],
  document: [documents],
};

/** The forms of the options of a collection and of a document, in the order in which messages name them. */
export const entryOptions = {
  collection: z.strictObject({
    ...itemSchema.form,
    ...orders.form,
    ...filters.form,
    ...item.form,
    ...files.form,
    ...source.form,
    ...published.form,
  }) satisfies Options<CollectionDeclaration>,
  document: z.strictObject(documents.form) satisfies Options<DocumentDeclaration>,
};

export const apiOptions: Options<Omit<ApiDeclaration, "kind" | "site">> = z.strictObject({
  ...api.form,
  ...assets.form,
  collections: object,
  documents: object,
  ...pages.form,
  ...outputs.form,
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
  at: OptionPlaces,
): CheckedOptions {
  const options = new Map(Object.entries(isObject(declaration) ? declaration : {}).filter(isGiven));
  const isRecord = (name: string): boolean => schemasAt(form, [name]).some((schema) => schema instanceof z.ZodRecord);
  for (const [name, value] of options) {
    if (!isObject(value) || !Object.hasOwn(value, "__proto__") || !isRecord(name)) continue;
    // zod skips it in a record, whatever its value is.
    const text = `The option ${name} of ${which} cannot have an entry with the name "__proto__".`;
    report("invalid-name", at([name, "__proto__"], "name"), text, "Give it another name.");
    options.set(name, without(value, "__proto__"));
  }
  const refusals = whyRefused(form, declaration);
  const faults = faultsOf(
    {
      value: declaration,
      at: (path, part) => at(writtenPart(declaration, path).map(String), part === "key" ? "name" : undefined),
      nameOf: (path) => (path.length === 0 ? which : `the option ${dotted(path)} of ${which}`),
      noun: "option",
    },
    refusals,
  );
  for (const fault of faults) {
    // The declaration is a program: no text of it is a value as it is written.
    const { text, hint } = sentencesOf(fault, "", () => "");
    report(optionCodes[fault.code] ?? "wrong-option", fault.at, text, hint);
  }
  const paths = refusals.map(({ path, field }) => (field === undefined ? path : [...path, field]));
  for (const [name = "", entry] of paths) {
    const value = options.get(String(name));
    if (entry !== undefined && isObject(value) && isRecord(String(name)))
      options.set(String(name), without(value, String(entry)));
    else options.delete(String(name));
  }
  return { options: Object.fromEntries(options), faulty: new Set(paths.map(([name]) => String(name))) };
}

const optionCodes: { readonly [code in Code]?: Code } = {
  "unknown-field": "unknown-option",
  "missing-field": "missing-option",
};

/** The path of a value; if the value is missing, that of the object that lacks it. */
const writtenPart = (declaration: unknown, path: Path): Path =>
  valueAt(declaration, path) === undefined ? path.slice(0, -1) : path;

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

const without = (record: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
