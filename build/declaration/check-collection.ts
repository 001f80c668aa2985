// Checks what a collection declares of its fields: the schema, and the options that name fields.
import * as z from "zod";
import type { CollectionDeclaration, FilterBy } from "../../src/declare.ts";
import { references, vocabularies } from "../../src/marks.ts";
import { recordKeysOf } from "../../src/resolve.ts";
import { quote } from "../quote.ts";
import { nearest } from "../slips.ts";
import { listed } from "../words.ts";
import { alikeName, checkName, formHint } from "./names.ts";
import { lower } from "./options.ts";
import type { Spot } from "./places.ts";
import type { Report } from "./report.ts";
import {
  given,
  isOfZod3,
  isSchema,
  isSupported,
  isText,
  notFilterable,
  notKey,
  notNames,
  notSlug,
  notSortable,
  notTime,
  type Schema,
  schemasIn,
  unsupportedIn,
} from "./schema.ts";

/** A collection or a document, with its valid options. */
export interface Entry {
  readonly kind: "collection" | "document";
  readonly name: string;
  /** `The collection "nodes"` */
  readonly which: string;
  readonly options: Partial<CollectionDeclaration>;
  /** Whether an option has a fault. It may have been meant for one that is missing. */
  readonly lost: boolean;
  /** The places of an option, and the place of the name of the entry. */
  readonly at: (path: readonly string[], part?: Spot["part"]) => readonly Spot[];
  /** Undefined if the schema is none. */
  readonly schema: z.ZodObject | undefined;
  /** The fields that have unsupported parts. */
  readonly faulty: ReadonlySet<string>;
  /** The schemas in the other fields, with their paths. */
  readonly parts: readonly (readonly [path: readonly string[], schema: Schema])[];
}

/** The most filters of a collection: each can be sent alone or with others. */
const mostFilters = 6;

const noSchema = { schema: undefined, faulty: new Set<string>(), parts: [] };

/** Reports what the schema cannot be or have. */
export function checkSchema(
  report: Report,
  { which, at, options }: Pick<Entry, "which" | "at" | "options">,
): Pick<Entry, "schema" | "faulty" | "parts"> {
  const schema: unknown = options.schema;
  if (schema === undefined) return noSchema;
  if (!(schema instanceof z.ZodObject)) {
    const what = isOfZod3(schema)
      ? "a schema of zod 3"
      : isSchema(schema)
        ? `${given(schema)} and no z.object()`
        : `${given(schema)} and no schema`;
    const hint = isOfZod3(schema) ? 'Import zod 4: import * as z from "zod".' : "Use z.strictObject({ … }).";
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
type Find = (field: string, where: readonly Spot[], role: string) => Schema | undefined;

export const finderOf =
  (report: Report, { which, schema, faulty }: Entry): Find =>
  (field, where, role) => {
    const found: unknown = schema !== undefined && Object.hasOwn(schema.shape, field) ? schema.shape[field] : undefined;
    if (found === undefined && schema !== undefined) {
      const fields = Object.keys(schema.shape);
      const hint = nearest(field, fields) ?? `Its fields are ${listed(fields)}.`;
      report.add("no-such-field", where, `${which} has no field ${quote(field)}, which ${role} names.`, hint);
    }
    return isSchema(found) && !faulty.has(field) ? found : undefined;
  };

export function checkFields(report: Report, entry: Entry): void {
  const { which, options, lost, at, schema } = entry;
  if (schema === undefined) return;
  const find = finderOf(report, entry);
  const findFor = (
    field: string,
    where: readonly Spot[],
    role: string,
    problemOf: (schema: Schema) => string | undefined,
    hint: string,
  ): void => {
    const found = find(field, where, role);
    const problem = found && problemOf(found);
    if (problem === undefined) return;
    const message = `The field ${field} of ${lower(which)} cannot be used in ${role}, because it ${problem}.`;
    report.add("unsuitable-field", where, message, hint);
  };
  const { key = [], order = [], filters = {}, together = [], notBefore = [], defining = [] } = options;
  const { item, brief = [] } = options;
  const keys = [key].flat();
  const namesTwice = (option: string, names: readonly string[], index: number): boolean => {
    const name = names[index] ?? "";
    if (names.indexOf(name) === index) return false;
    const where = at([option, String(index)]);
    report.add("wrong-option", where, `The ${option} of ${lower(which)} names ${quote(name)} twice.`, "Remove one.");
    return true;
  };
  for (const [index, field] of keys.entries()) {
    const where = at(typeof key === "string" ? ["key"] : ["key", String(index)]);
    if (!namesTwice("key", keys, index)) findFor(field, where, "its key", notKey, keyHint);
  }
  const ordered = order.map((each) => each.replace(/^-/, ""));
  for (const [index, field] of ordered.entries()) {
    const where = at(["order", String(index)]);
    if (!namesTwice("order", ordered, index) && !keys.includes(field))
      findFor(field, where, "its order", notSortable, orderHint);
  }
  for (const [index, field] of brief.entries()) {
    if (!namesTwice("brief", brief, index)) find(field, at(["brief", String(index)]), "brief");
  }
  checkBrief(report, { which, at }, options);
  if (typeof item === "object") checkAliases(report, { which, at }, item.aliases, keys, find);
  checkFilters(report, { which, at }, filters, find);
  if (options.filters !== undefined || !lost) checkTogether(report, { which, at }, together, Object.keys(filters));
  for (const [index, rule] of notBefore.entries()) {
    for (const part of ["field", "than"] as const) {
      const where = at(["notBefore", String(index), part]);
      const found = find(rule[part], where, "notBefore");
      const other = found && notTime(found);
      if (other === undefined) continue;
      const message = `The field ${rule[part]} of ${lower(which)} cannot be used in notBefore, because it ${other}.`;
      report.add("unsuitable-field", where, message, 'Name a field with the form time of "stillapi/forms".');
    }
  }
  for (const [index, field] of defining.entries()) find(field, at(["defining", String(index)]), "defining");
}

function checkFilters(
  report: Report,
  { which, at }: Subject,
  filters: Readonly<Record<string, FilterBy>>,
  find: Find,
): void {
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
    const part = typeof by === "string" ? [] : "slug" in by ? ["field"] : ["keysOf"];
    const value = at(["filters", param, ...part]);
    const field = typeof by === "string" ? by : "slug" in by ? by.field : by.keysOf;
    const found = find(field, value, `its filter ${quote(param)}`);
    const problem = found && problemIn(by, found);
    if (problem === undefined) continue;
    const [reason, hint = filterable] = problem;
    const message = `The field ${field} of ${lower(which)} cannot be used in its filter ${quote(param)}, because it ${reason}.`;
    report.add("unsuitable-field", value, message, hint);
  }
}

/** Why items cannot be filtered like this by a field; see `notFilterable`. */
function problemIn(by: FilterBy, field: Schema): ReturnType<typeof notFilterable> {
  if (typeof by === "string") return notFilterable(field);
  if ("slug" in by) {
    const problem = notSlug(field);
    return problem === undefined ? undefined : [problem, "A slug is made of a text."];
  }
  const names = recordKeysOf(field);
  return names === undefined ? ["is no record", "Use keysOf with a z.record(…)."] : notFilterable(names);
}

const filterable =
  "A filter needs a field with texts, integers, or true and false, a reference or words(…), or a list of them; it may be nullable.";

const keyHint = "Name a field that is a text, or an integer, in every item.";

const orderHint = "Name a field that is a text, a number, or true or false; it may be nullable.";

type Subject = Pick<Entry, "which" | "at">;

/** A list needs the fields by which readers sort and find items. */
function checkBrief(
  report: Report,
  { which, at }: Subject,
  { key = [], order = [], brief, item }: Entry["options"],
): void {
  if (brief === undefined) return;
  const needed = [...order.map((each) => each.replace(/^-/, "")), ...[key].flat()];
  const missing = [...new Set(needed)].filter((field) => !brief.includes(field));
  if (missing.length > 0) {
    const message = `The brief of ${lower(which)} lacks ${listed(missing)}, by which its lists are sorted.`;
    report.add("wrong-option", at(["brief"]), message, "Add it to brief: clients need it to continue a list.");
  }
  if (item === undefined || item === false) {
    const message = `${which} has brief lists, but no items at paths of their own.`;
    report.add("wrong-option", at(["brief"], "name"), message, "Add item: true, or remove brief.");
  }
}

function checkAliases(report: Report, { which, at }: Subject, field: string, key: readonly string[], find: Find): void {
  const where = at(["item", "aliases"]);
  const found = find(field, where, "item");
  const problem = key.length > 1 ? undefined : found && notNames(found);
  if (key.length > 1) {
    const message = `${which} has aliases, but its key has several fields.`;
    report.add("wrong-option", where, message, "An alias stands for a key of one field: write item: true.");
  } else if (problem !== undefined) {
    const message = `The field ${field} of ${lower(which)} cannot be used in its aliases, because it ${problem}.`;
    report.add("unsuitable-field", where, message, "Name a field that is a text, an integer, or a list of them.");
  }
}

function checkTogether(
  report: Report,
  { which, at }: Subject,
  together: readonly (readonly string[])[],
  params: readonly string[],
): void {
  const sets = together.map((each) => [...each].sort().join(" "));
  for (const [index, each] of together.entries()) {
    for (const [place, param] of each.entries()) {
      if (params.includes(param)) continue;
      const known = params.length === 0 ? "It has no filters." : `Its parameters are ${listed(params)}.`;
      const message = `${which} has no parameter ${quote(param)}, which together names.`;
      report.add(
        "no-such-parameter",
        at(["together", String(index), String(place)]),
        message,
        nearest(param, params) ?? known,
      );
    }
    if (sets.indexOf(sets[index] ?? "") < index) {
      const message = `The parameters ${each.join(" and ")} of ${lower(which)} are in together twice.`;
      report.add("wrong-option", at(["together", String(index)]), message, "Remove one.");
    }
  }
}

/** Whether references can lead to its items, unless its key has a fault. */
export function hasTextKey({ schema, options: { key } }: Entry): boolean {
  const form: unknown = schema?.shape[String(key)];
  return typeof key === "string" ? !isSchema(form) || notKey(form) !== undefined || isText(form) : key === undefined;
}

/** The targets of its references, and the names of its vocabularies. The keys of `untextual` are no single text. */
export function checkMarks(
  report: Report,
  { which, at, parts }: Entry,
  collections: readonly string[],
  untextual: ReadonlySet<string>,
): void {
  for (const [path, each] of parts) {
    const subject = `The field ${path.join(".")} of ${lower(which)}`;
    const to: unknown = references.of(each)?.to;
    const where = at(["schema", ...path]);
    if (references.of(each) !== undefined && !(typeof to === "string" && collections.includes(to))) {
      const known =
        collections.length === 0 ? "There are no collections." : `The collections are ${listed(collections)}.`;
      const hint = (typeof to === "string" ? nearest(to, collections) : undefined) ?? known;
      const what = typeof to === "string" ? quote(to) : given(to);
      report.add("no-such-collection", where, `${subject} refers to ${what}, which is no collection.`, hint);
    } else if (typeof to === "string" && untextual.has(to)) {
      const message = `${subject} refers to ${quote(to)}, whose key is no single text.`;
      report.add("unsuitable-field", where, message, "A reference holds a key that is one text.");
    }
    const words = vocabularies.of(each);
    if (words === undefined) continue;
    const name: unknown = words.name;
    if (typeof name !== "string")
      report.add("invalid-name", where, `${subject} has words of ${given(name)}, which is no name.`, formHint);
    else checkName(report, "vocabulary", name, where);
    if (name === "country" && words.known === undefined) {
      const hint = 'Give it another name, or use country from "stillapi/forms".';
      report.add(
        "reserved-name",
        where,
        `${subject} has words of the vocabulary "country", which has the codes of ISO 3166-1.`,
        hint,
      );
    }
    const form: unknown = words.form;
    if (form !== undefined && !(isSchema(form) && isSupported(form) && isText(form))) {
      report.add(
        "not-a-schema",
        where,
        `${subject} has words with a form that is no schema of a text.`,
        'Use a form from "stillapi/forms", or leave it out.',
      );
    }
  }
}
