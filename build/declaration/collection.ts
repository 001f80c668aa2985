// Checks the options of a collection that name fields, parameters or files.
import type * as z from "zod";
import type { CollectionDeclaration, FileOptions } from "../../src/declare/declare.ts";
import { assets } from "../../src/declare/marks.ts";
import { fieldsIn } from "../../src/model/files.ts";
import { fieldAt, hasOpenFields, schemasIn } from "../../src/model/kinds.ts";
import { type DeclaredOrder, orderName } from "../../src/model/order.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { fieldOfOrder } from "./complete.ts";
import { areAlike, checkName } from "./names.ts";
import type { At, Report } from "./options.ts";
import type { DeclaredPart } from "./places.ts";
import type { CheckedSchema } from "./schema.ts";
import { anyUse, type FieldUse, filterUse, uses, valuesProblem } from "./uses.ts";

/** A collection or a document, with its valid options. */
export interface CheckedEntry extends CheckedSchema {
  readonly kind: "collection" | "document";
  readonly name: string;
  /** `the collection "nodes"` */
  readonly which: string;
  readonly options: Partial<CollectionDeclaration>;
  readonly written: CheckedSchema;
  /** The names of options that have a fault, from which others may follow. */
  readonly faultyOptions: ReadonlySet<string>;
  /** The places of an option, then the place of the name of the entry. */
  readonly at: At;
}

/** The names that consumers know: those of documents, and of collections that are published. */
export const publishedNames = (entries: readonly CheckedEntry[]): readonly string[] =>
  entries.filter(({ options }) => options.published !== false).map(({ name }) => name);

/** Whether a field names a file beside the data. */
export const namesAssets = (entries: readonly CheckedEntry[]): boolean =>
  entries.some(({ parts }) => parts.some(([, schema]) => assets.of(schema) !== undefined));

/** Each filter can be sent alone or with others. */
const maxFilters = 6;

export function checkCollection(report: Report, entry: CheckedEntry): void {
  checkSources(report, entry);
  checkPublished(report, entry);
  const { which, options, faultyOptions, at, schema } = entry;
  if (schema === undefined) return;
  const { key = [], brief = [], filters = {}, defining = [], item } = options;
  const keys = [key].flat();
  const check = (field: string, path: readonly (string | number)[], use: FieldUse) =>
    checkField(report, entry, field, at(path.map(String)), use);
  for (const [index, field] of keys.entries())
    check(field, typeof key === "string" ? ["key"] : ["key", index], uses.key);
  const ordered = rulesOf(options).flatMap(({ path, rules }) =>
    rules.map((rule, index) => {
      const field = fieldOfOrder(typeof rule === "string" ? rule : rule.field, schema);
      if (typeof rule === "object" && (rule.fold || rule.natural))
        check(field, [...path, index, "field"], uses.textOrder);
      // A key has been checked.
      else if (!keys.includes(field)) check(field, [...path, index], uses.order);
      return field;
    }),
  );
  checkOrders(report, entry);
  for (const [option, fields] of Object.entries({ brief, defining }))
    for (const [index, field] of fields.entries()) check(field, [option, index], anyUse(option));
  if (typeof item === "object" && keys.length > 1) {
    const message = `${which} has aliases, but its key has several fields.`;
    report("wrong-option", at(["item", "aliases"]), message, "Write item: true.");
  } else if (typeof item === "object") {
    const { aliases } = item;
    if (typeof aliases === "string") check(aliases, ["item", "aliases"], uses.aliases);
    else check(aliases.field, ["item", "aliases", "field"], aliases.slug ? uses.slugAliases : uses.aliases);
  }
  checkBrief(report, entry, [...ordered, ...keys]);
  checkFilters(report, entry, filters);
  // A filter that is missing may be a faulty one, or all of them may have a misspelt name.
  const areKnown = options.filters === undefined ? faultyOptions.size === 0 : !faultyOptions.has("filters");
  if (areKnown) checkTogether(report, entry, Object.keys(filters));
}

/** The order of the lists, and the others that are lists of fields, with their paths among the options. */
const rulesOf = ({ order = [], orders = {} }: CheckedEntry["options"]) => [
  { path: ["order"], rules: order },
  ...Object.entries(orders).map(([name, by]) => {
    const path = ["orders", name];
    return "fields" in by ? { path: [...path, "fields"], rules: by.fields } : { path, rules: by };
  }),
];

/** Each order multiplies the pages of a collection. */
const maxOrders = 6;

function checkOrders(report: Report, { which, options, at }: CheckedEntry): void {
  const { key = [], order = [], orders = {} } = options;
  const names = Object.keys(orders);
  if (names.length > maxOrders) {
    const message = `${which} has ${names.length} orders, but a collection can have at most ${maxOrders}.`;
    report("too-many", at(["orders"], "name"), message, "Remove those that consumers need least.");
  }
  /** Two orders are the same if the same rules decide: a field decides once, and nothing is left behind those of the key. */
  const textOf = (rules: readonly DeclaredOrder[]): string => {
    const keys = [key].flat();
    const deciding: string[] = [];
    for (const rule of [...rules, ...keys]) {
      const decides = (field: string) => deciding.some((text) => fieldIn(text) === field);
      if (keys.length > 0 && keys.every(decides)) break;
      const text = orderName(rule);
      if (!decides(fieldIn(text))) deciding.push(text);
    }
    return JSON.stringify(deciding);
  };
  const seen = new Map([[textOf(order), "the order of its lists"]]);
  for (const [name, by] of Object.entries(orders)) {
    const where = at(["orders", name], "name");
    checkName(report, "order", name, where);
    const text = textOf("fields" in by ? by.fields : by);
    const same = seen.get(text);
    seen.set(text, `its order ${quote(name)}`);
    if (same === undefined) continue;
    report("wrong-option", where, `The order ${quote(name)} of ${which} is ${same}.`, "Remove it.");
  }
}

/** The field of a rule such as `-title (fold)`. */
const fieldIn = (rule: string): string => rule.replace(/^-| \(.*\)$/g, "");

const optionsOfAnswers = [
  "order",
  "orders",
  "filters",
  "together",
  "paged",
  "item",
  "brief",
  "cache",
  "defining",
  "deprecated",
] as const satisfies readonly (keyof CollectionDeclaration)[];

/** A collection without answers only feeds others. */
function checkPublished(report: Report, { which, options, at }: CheckedEntry): void {
  if (options.published !== false) return;
  for (const option of optionsOfAnswers) {
    if (options[option] === undefined) continue;
    const message = `${which} is not published, but has the option ${option}, which is about answers.`;
    report("wrong-option", at([option], "name"), message, "Remove one.");
  }
}

/** Reports a field that an option names and that does not exist, or that it cannot use. */
export function checkField(
  report: Report,
  entry: CheckedEntry,
  field: string,
  where: readonly DeclaredPart[],
  use: FieldUse,
): void {
  const { which, schema, faulty } = entry;
  // The schema has a fault, which is reported.
  if (schema === undefined || faulty.has(field.replace(/[.[].*/s, "")) || faulty.has(field)) return;
  const found = use.mayBeWithin || Object.hasOwn(schema.shape, field) ? fieldAt(schema, field) : undefined;
  if (found === undefined) {
    const fields = Object.keys(schema.shape);
    const names = use.mayBeWithin ? [...fields, ...fieldsWithin(schema)] : fields;
    const suitable = names.filter((name) => {
      const named = fieldAt(schema, name);
      return named !== undefined && use.problemOf(named.schema) === undefined;
    });
    const hint = nearest(field, suitable) ?? `Its fields are ${listed(fields)}.`;
    report("no-such-name", where, `${which} has no field ${quote(field)}, which ${use.role} names.`, hint);
    return;
  }
  const problem = use.problemOf(found.schema);
  if (problem === undefined) return;
  report("unsuitable-field", where, `The field ${field} of ${which} cannot be used in ${use.role}.`, problem);
}

/** The paths of the fields within the fields of an object. */
const fieldsWithin = (schema: z.ZodObject): readonly string[] =>
  [...schemasIn(schema)].flatMap(([path, , steps]) => (steps.length > 1 ? [path] : []));

function checkFilters(
  report: Report,
  entry: CheckedEntry,
  filters: NonNullable<CollectionDeclaration["filters"]>,
): void {
  const { which, at } = entry;
  const params = Object.keys(filters);
  if (params.length > maxFilters) {
    const message = `${which} has ${params.length} filters, but a collection can have at most ${maxFilters}.`;
    report("too-many", at(["filters"], "name"), message, "Remove those that consumers need least.");
  }
  for (const [index, [param, by]] of Object.entries(filters).entries()) {
    const where = at(["filters", param], "name");
    checkName(report, "parameter", param, where);
    const other = params.slice(0, index).find((earlier) => areAlike(earlier, param));
    if (other !== undefined) {
      const message = `The parameters ${quote(other)} and ${quote(param)} of ${which} differ only in hyphens and underscores.`;
      report("duplicate-name", where, message, "Rename one of them.");
    }
    const check = (field: string, kind: "value" | "slug" | "names", ...steps: readonly string[]) =>
      checkField(report, entry, field, at(["filters", param, ...steps]), filterUse(param, kind));
    if (typeof by === "string") check(by, "value");
    else if ("field" in by) check(by.field, by.slug ? "slug" : "value", "field");
    else if ("keysOf" in by) check(by.keysOf, "names", "keysOf");
    const problem = typeof by === "object" && "of" in by ? valuesProblem(by.values ?? []) : undefined;
    if (problem === undefined) continue;
    const message = `The values of the filter ${quote(param)} of ${which} cannot be used.`;
    report("wrong-option", at(["filters", param, "values"]), message, problem);
  }
}

/** A list needs the fields by which readers sort and find items. */
function checkBrief(
  report: Report,
  { which, at, options: { brief, item } }: CheckedEntry,
  needed: readonly string[],
): void {
  if (brief === undefined) return;
  const missing = [...new Set(needed)].filter((field) => !brief.includes(field));
  if (missing.length > 0) {
    const message = `The brief of ${which} lacks ${listed(missing)}, by which its lists are sorted.`;
    report("wrong-option", at(["brief"]), message, "Add it to brief: clients need it to continue a list.");
  }
  if (item === undefined || item === false) {
    const message = `${which} has brief lists, but its single items have no paths.`;
    report("wrong-option", at(["brief"], "name"), message, "Add item: true, or remove brief.");
  }
}

function checkTogether(report: Report, { which, at, options }: CheckedEntry, params: readonly string[]): void {
  const { together = [] } = options;
  for (const [index, set] of together.entries()) {
    for (const [place, param] of set.entries()) {
      if (params.includes(param)) continue;
      const message = `${which} has no parameter ${quote(param)}, which together names.`;
      const hint = nearest(param, params) ?? `Its parameters are: ${listed(params)}.`;
      report("no-such-name", at(["together", String(index), String(place)]), message, hint);
    }
  }
}

const exclusive = [
  ["files", "load"],
  ["files", "from"],
  ["load", "from"],
  ["transform", "from"],
] as const;

/** The items come from files, from a function, or from another collection. */
function checkSources(report: Report, entry: CheckedEntry): void {
  const { which, at, options } = entry;
  const { files } = options;
  const clash = exclusive.find(([one, other]) => options[one] !== undefined && options[other] !== undefined);
  if (clash !== undefined) {
    const message = `${which} has both ${clash[0]} and ${clash[1]}, but its items come from one of them.`;
    report("wrong-option", at([clash[0]], "name"), message, "Remove one.");
  }
  const entries = files === undefined ? [] : [files].flat();
  for (const [index, file] of entries.entries())
    checkFiles(report, entry, file, Array.isArray(files) ? ["files", String(index)] : ["files"]);
}

const optionsOfCsv = ["delimiter", "quote", "header", "rename", "decimal", "null", "booleans"] as const;

/** One entry of the option `files`. */
function checkFiles(report: Report, entry: CheckedEntry, file: string | FileOptions, steps: readonly string[]): void {
  const { which, at, options } = entry;
  const { match, format, items, memberName, ...rest } =
    typeof file === "string" ? ({ match: file } satisfies FileOptions) : file;
  const wrong = (option: string, text: string, hint?: string) =>
    report("wrong-option", at([...steps, option], "name"), text, hint);
  const ofCsv = optionsOfCsv.find((option) => rest[option] !== undefined);
  if (ofCsv !== undefined && format !== undefined && format !== "csv")
    wrong(
      ofCsv,
      `${which} has files of the format ${format} with the option ${ofCsv}, which is for CSV.`,
      "Remove one.",
    );
  if (rest.header !== undefined && rest.rename !== undefined)
    wrong("rename", `${which} names the columns of a file by header, and renames them by rename.`, "Remove one.");
  if ((rest.delimiter ?? ",") === (rest.quote ?? '"'))
    wrong(
      "quote",
      `${which} has the same character between and around the cells of a file.`,
      "Name another delimiter or quote.",
    );
  if (items !== undefined && (format === "csv" || format === "ndjson"))
    wrong(
      "items",
      `${which} has files of the format ${format} with the option items, but each line is an item.`,
      "Remove it.",
    );
  if (memberName !== undefined && !items?.endsWith("*"))
    wrong("memberName", `${which} names members by memberName, but items does not end with *.`, 'Write items: "*".');
  // A transform may set any field.
  if (options.transform !== undefined) return;
  const where = at(typeof file === "string" ? steps : [...steps, "match"]);
  for (const field of fieldsIn([match].flat())) checkField(report, entry, field, where, uses.path);
  if (memberName !== undefined) checkField(report, entry, memberName, at([...steps, "memberName"]), uses.path);
  if (entry.schema !== undefined && hasOpenFields(entry.schema)) return;
  for (const [index, name] of (rest.header ?? []).entries())
    checkField(report, entry, name, at([...steps, "header", String(index)]), anyUse("files"));
}
