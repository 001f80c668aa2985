// Checks the options of a collection that name fields, parameters or files.
import type { FileOptions } from "../../src/declare/declare.ts";
import { assets } from "../../src/declare/marks.ts";
import { fieldsIn } from "../../src/model/files.ts";
import { elementsOf, hasOpenFields, kindsOf } from "../../src/model/kinds.ts";
import { listed } from "../text/words.ts";
import {
  anyUse,
  areOf,
  areOfOne,
  checkField,
  type FieldUse,
  haveSlugs,
  isKey,
  partsOfPath,
  slugNeeds,
  useOf,
} from "./options/field-use.ts";
import { filters } from "./options/filters.ts";
import type { CheckedApi, CheckedEntry, Report } from "./options/group.ts";
import { orderedFields, orders } from "./options/orders.ts";
import { published } from "./options/published.ts";

/** Whether a field names a file beside the data. */
export const namesAssets = (entries: readonly CheckedEntry[]): boolean =>
  entries.some(({ parts }) => parts.some(([, schema]) => assets.of(schema) !== undefined));

export function checkCollection(report: Report, entry: CheckedEntry, api: CheckedApi): void {
  checkSources(report, entry);
  const { which, options, at } = entry;
  const { key = [], brief = [], item } = options;
  const keys = [key].flat();
  const check = (field: string, path: readonly (string | number)[], use: FieldUse) =>
    checkField(report, entry, field, at(path.map(String)), use);
  for (const [index, field] of keys.entries()) check(field, typeof key === "string" ? ["key"] : ["key", index], keyUse);
  for (const [index, field] of brief.entries()) check(field, ["brief", index], anyUse("brief"));
  if (typeof item === "object" && keys.length > 1) {
    const message = `${which} has aliases, but its key has several fields.`;
    report("wrong-option", at(["item", "aliases"]), message, "Write item: true.");
  } else if (typeof item === "object") {
    const { aliases } = item;
    if (typeof aliases === "string") check(aliases, ["item", "aliases"], aliasUse);
    else check(aliases.field, ["item", "aliases", "field"], aliases.slug ? slugUse : aliasUse);
  }
  checkBrief(report, entry, [...orderedFields(entry), ...keys]);
  for (const group of [orders, filters, published]) group.check(report, entry, api);
}

const keyUse = partsOfPath(useOf("its key", "a string or an integer in every item", isKey));
const aliasUse = partsOfPath(
  useOf("item.aliases", "a string, an integer, or a list of them, but not a reference", (schema) => {
    const values = elementsOf(schema) ?? schema;
    return areOf(values, "text", "integer", "null") && kindsOf(values).every(({ kind }) => kind !== "reference");
  }),
);
const slugUse = useOf("item.aliases", slugNeeds, (schema) => haveSlugs(elementsOf(schema) ?? schema));
const pathUse = useOf("files", "a string or a number", (schema) =>
  areOfOne(schema, "text", "integer", "number", "null"),
);

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
  for (const field of fieldsIn([match].flat())) checkField(report, entry, field, where, pathUse);
  if (memberName !== undefined) checkField(report, entry, memberName, at([...steps, "memberName"]), pathUse);
  if (entry.schema !== undefined && hasOpenFields(entry.schema)) return;
  for (const [index, name] of (rest.header ?? []).entries())
    checkField(report, entry, name, at([...steps, "header", String(index)]), anyUse("files"));
}
