// Checks the schema of a collection or document, and the options of a collection that name fields.
import * as z from "zod";
import type { CollectionDeclaration, FilterBy } from "../../src/declare.ts";
import { recordKeysOf, type Schema } from "../../src/kinds.ts";
import { quote } from "../quote.ts";
import { nearest } from "../slips.ts";
import { listed } from "../words.ts";
import { notFilterable, notKey, notNames, notSlug, notSortable, notTime } from "./alternatives.ts";
import { alikeName, checkName, lower } from "./options.ts";
import type { At, DeclarationSpot, Report } from "./places.ts";
import { given, isOfZod3, isSchema, schemasIn, unsupportedIn } from "./schema.ts";

/** A collection or a document, with its valid options. */
export interface CollectionEntry {
  readonly kind: "collection" | "document";
  readonly name: string;
  /** `The collection "nodes"` */
  readonly which: string;
  readonly options: Partial<CollectionDeclaration>;
  /** Whether an option has a fault. A missing option may follow from it. */
  readonly lost: boolean;
  /** The places of an option, then the place of the name of the entry. */
  readonly at: At;
  /** Undefined if it is not the schema of an object. */
  readonly schema: z.ZodObject | undefined;
  /** The fields that have unsupported parts. */
  readonly faulty: ReadonlySet<string>;
  /** The schemas in the other fields, with their paths. */
  readonly parts: readonly (readonly [path: readonly string[], schema: Schema])[];
}

/** The most filters of a collection: each can be sent alone or with others. */
const mostFilters = 6;

const noSchema = { schema: undefined, faulty: new Set<string>(), parts: [] };

/** Reports a schema that is not an object's, and unsupported parts of a schema. */
export function checkSchema(
  report: Report,
  { which, at, options }: Pick<CollectionEntry, "which" | "at" | "options">,
): Pick<CollectionEntry, "schema" | "faulty" | "parts"> {
  const schema: unknown = options.schema;
  if (schema === undefined) return noSchema;
  if (!(schema instanceof z.ZodObject)) {
    const isOld = isOfZod3(schema);
    const what = isOld ? "a schema of zod 3" : `${given(schema)} and no ${isSchema(schema) ? "z.object()" : "schema"}`;
    const hint = isOld ? 'Import zod 4: import * as z from "zod".' : "Use z.strictObject({ … }).";
    report.add("not-a-schema", at(["schema"]), `The schema of ${lower(which)} is ${what}.`, hint);
    return noSchema;
  }
  const faults = [...unsupportedIn(schema)];
  for (const { path, problem, hint } of faults) {
    const subject = path.length === 0 ? "schema" : `field ${path.join(".")}`;
    report.add("unsupported-schema", at(["schema", ...path]), `The ${subject} of ${lower(which)} ${problem}.`, hint);
  }
  if (faults.some(({ path }) => path.length === 0)) return noSchema;
  const faulty = new Set(faults.flatMap(({ path }) => path.slice(0, 1)));
  return { schema, faulty, parts: schemasIn(schema, faulty) };
}

/** Finds a field that an option names. Undefined if there is none, or if its schema has a fault. */
function findField(
  report: Report,
  { which, schema, faulty }: CollectionEntry,
  field: string,
  where: readonly DeclarationSpot[],
  role: string,
): Schema | undefined {
  if (schema === undefined) return undefined;
  const found: unknown = Object.hasOwn(schema.shape, field) ? schema.shape[field] : undefined;
  if (found === undefined) {
    const fields = Object.keys(schema.shape);
    const hint = nearest(field, fields) ?? `Its fields are ${listed(fields)}.`;
    report.add("no-such-field", where, `${which} has no field ${quote(field)}, which ${role} names.`, hint);
  }
  return isSchema(found) && !faulty.has(field) ? found : undefined;
}

/** An option that names fields. */
interface Use {
  /** Completes "… cannot be used in …". */
  readonly role: string;
  /** Why a field cannot be used, if so, and possibly the hint for this reason. Completes "… because it …". */
  readonly problemOf: (schema: Schema) => string | readonly [problem: string, hint?: string] | undefined;
  readonly hint: string;
}

/** Reports a field that an option names and cannot use. */
export function checkField(
  report: Report,
  entry: CollectionEntry,
  field: string,
  where: readonly DeclarationSpot[],
  use: Use,
): void {
  const found = findField(report, entry, field, where, use.role);
  const [problem, hint = use.hint] = [(found && use.problemOf(found)) ?? []].flat();
  if (problem !== undefined) report.add("unsuitable-field", where, unsuitable(entry, field, use.role, problem), hint);
}

const unsuitable = ({ which }: CollectionEntry, field: string, role: string, problem: string): string =>
  `The field ${field} of ${lower(which)} cannot be used in ${role}, because it ${problem}.`;

export function checkFields(report: Report, entry: CollectionEntry): void {
  const { which, options, lost, at, schema } = entry;
  if (schema === undefined) return;
  const { key = [], order = [], brief = [], filters = {}, notBefore = [], defining = [] } = options;
  const keys = [key].flat();
  /** Checks each of several names once. */
  const eachOnce = (
    option: string,
    names: readonly string[],
    check: (name: string, where: readonly DeclarationSpot[]) => void,
  ) => {
    for (const [index, name] of names.entries()) {
      const where = at([option, String(index)]);
      if (names.indexOf(name) === index) check(name, where);
      else {
        const message = `The ${option} of ${lower(which)} names ${quote(name)} twice.`;
        report.add("wrong-option", where, message, "Remove one.");
      }
    }
  };
  eachOnce("key", keys, (field, where) =>
    checkField(report, entry, field, typeof key === "string" ? at(["key"]) : where, keyUse),
  );
  eachOnce("order", order.map(ascending), (field, where) => {
    if (!keys.includes(field)) checkField(report, entry, field, where, orderUse);
  });
  eachOnce("brief", brief, (field, where) => findField(report, entry, field, where, "brief"));
  checkBrief(report, entry);
  checkAliases(report, entry, keys);
  checkFilters(report, entry, filters);
  if (options.filters !== undefined || !lost) checkTogether(report, entry, Object.keys(filters));
  for (const [index, rule] of notBefore.entries()) {
    for (const part of ["field", "than"] as const) {
      checkField(report, entry, rule[part], at(["notBefore", String(index), part]), timeUse);
    }
  }
  for (const [index, field] of defining.entries()) {
    findField(report, entry, field, at(["defining", String(index)]), "defining");
  }
}

const ascending = (order: string): string => order.replace(/^-/, "");

const keyUse: Use = {
  role: "its key",
  problemOf: notKey,
  hint: "Name a field that is a text, or an integer, in every item.",
};

const orderUse: Use = {
  role: "its order",
  problemOf: notSortable,
  hint: "Name a field that is a text, a number, or true or false; it may be nullable.",
};

const timeUse: Use = {
  role: "notBefore",
  problemOf: notTime,
  hint: 'Name a field with the form time of "stillapi/forms".',
};

function checkFilters(report: Report, entry: CollectionEntry, filters: Readonly<Record<string, FilterBy>>): void {
  const { which, at } = entry;
  const params = Object.keys(filters);
  if (params.length > mostFilters) {
    const message = `${which} has ${params.length} filters, but a collection has at most ${mostFilters}.`;
    report.add("too-many-filters", at(["filters"], "name"), message, "Remove those that consumers need least.");
  }
  for (const [index, [param, by]] of Object.entries(filters).entries()) {
    const where = at(["filters", param], "name");
    checkName(report, "parameter", param, where);
    const other = alikeName(param, params.slice(0, index));
    if (other !== undefined) {
      const message = `The parameters ${quote(other)} and ${quote(param)} of ${lower(which)} differ in hyphens and underscores only.`;
      report.add("duplicate-name", where, message, "Give one another name.");
    }
    const [field, steps, problemOf] = fieldOf(by);
    const use = { role: `its filter ${quote(param)}`, problemOf, hint: filterHint };
    checkField(report, entry, field, at(["filters", param, ...steps]), use);
  }
}

const filterHint =
  "A filter needs a field with texts, integers, or true and false, a reference or words(…), or a list of them; it may be nullable.";

/** The field of a filter, the steps to its name in the option, and the check of its schema. */
function fieldOf(by: FilterBy): readonly [field: string, steps: readonly string[], problemOf: Use["problemOf"]] {
  if (typeof by === "string") return [by, [], notFilterable];
  if ("slug" in by) {
    const problemOf = (schema: Schema) => {
      const problem = notSlug(schema);
      return problem && ([problem, "A slug is made of a text."] as const);
    };
    return [by.field, ["field"], problemOf];
  }
  const problemOf = (schema: Schema) => {
    const names = recordKeysOf(schema);
    return names === undefined ? (["is no record", "Use keysOf with a z.record(…)."] as const) : notFilterable(names);
  };
  return [by.keysOf, ["keysOf"], problemOf];
}

/** A list needs the fields by which readers sort and find items. */
function checkBrief(
  report: Report,
  { which, at, options: { key = [], order = [], brief, item } }: CollectionEntry,
): void {
  if (brief === undefined) return;
  const needed = new Set([...order.map(ascending), ...[key].flat()]);
  const missing = [...needed].filter((field) => !brief.includes(field));
  if (missing.length > 0) {
    const message = `The brief of ${lower(which)} lacks ${listed(missing)}, by which its lists are sorted.`;
    report.add("wrong-option", at(["brief"]), message, "Add it to brief: clients need it to continue a list.");
  }
  if (item === undefined || item === false) {
    const message = `${which} has brief lists, but no items at paths of their own.`;
    report.add("wrong-option", at(["brief"], "name"), message, "Add item: true, or remove brief.");
  }
}

function checkAliases(report: Report, entry: CollectionEntry, keys: readonly string[]): void {
  const { which, at, options } = entry;
  if (typeof options.item !== "object") return;
  const { aliases } = options.item;
  const where = at(["item", "aliases"]);
  const found = findField(report, entry, aliases, where, "item");
  if (keys.length > 1) {
    const message = `${which} has aliases, but its key has several fields.`;
    report.add("wrong-option", where, message, "An alias stands for a key of one field: write item: true.");
    return;
  }
  const problem = found && notNames(found);
  if (problem === undefined) return;
  const message = unsuitable(entry, aliases, "its aliases", problem);
  report.add("unsuitable-field", where, message, "Name a field that is a text, an integer, or a list of them.");
}

function checkTogether(report: Report, { which, at, options }: CollectionEntry, params: readonly string[]): void {
  const { together = [] } = options;
  const sets = together.map((each) => [...each].sort().join(" "));
  const known = params.length === 0 ? "It has no filters." : `Its parameters are ${listed(params)}.`;
  for (const [index, each] of together.entries()) {
    for (const [place, param] of each.entries()) {
      if (params.includes(param)) continue;
      const where = at(["together", String(index), String(place)]);
      const message = `${which} has no parameter ${quote(param)}, which together names.`;
      report.add("no-such-parameter", where, message, nearest(param, params) ?? known);
    }
    if (sets.indexOf(sets[index] ?? "") < index) {
      const message = `The parameters ${each.join(" and ")} of ${lower(which)} are in together twice.`;
      report.add("wrong-option", at(["together", String(index)]), message, "Remove one.");
    }
  }
}
