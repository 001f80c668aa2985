// Checks the options of a collection that name fields, parameters or files.
import { fieldOfOrder } from "../../src/complete-api.ts";
import type { CollectionDeclaration, FilterBy } from "../../src/declare.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { type At, alikeName, checkName, lower, type Report } from "./options.ts";
import type { Spot } from "./places.ts";
import type { checkSchema } from "./schema.ts";
import {
  aliasUse,
  anyUse,
  filterUse,
  keyUse,
  orderUse,
  pathUse,
  textOrderUse,
  timeUse,
  type Use,
  valuesProblem,
} from "./uses.ts";

/** A collection or a document, with its valid options. */
export interface Entry extends ReturnType<typeof checkSchema> {
  readonly kind: "collection" | "document";
  readonly name: string;
  /** `The collection "nodes"` */
  readonly which: string;
  readonly options: Partial<CollectionDeclaration>;
  /** Whether an option has a fault. A missing option may follow from it. */
  readonly lost: boolean;
  /** The places of an option, then the place of the name of the entry. */
  readonly at: At;
}

/** The most filters of a collection: each can be sent alone or with others. */
const mostFilters = 6;

/** A field that an option names; the path leads to it in the options. Without a use, another option has checked it. */
type Named = readonly [field: string, path: readonly (string | number)[], use: Use | undefined];

export function checkCollection(report: Report, entry: Entry): void {
  const { which, options, lost, at, schema } = entry;
  checkSources(report, entry);
  if (schema === undefined) return;
  const { key = [], order = [], brief = [], filters = {}, notBefore = [], defining = [] } = options;
  const keys = [key].flat();
  const ordered = order.map((each, index): Named => {
    const rules = typeof each === "string" ? { field: each } : each;
    const field = fieldOfOrder(rules.field, schema);
    if (rules.fold || rules.natural) return [field, ["order", index, "field"], textOrderUse];
    return [field, ["order", index], keys.includes(field) ? undefined : orderUse];
  });
  const named: readonly Named[] = [
    ...keys.map((field, index): Named => [field, typeof key === "string" ? ["key"] : ["key", index], keyUse]),
    ...ordered,
    ...brief.map((field, index): Named => [field, ["brief", index], anyUse("brief")]),
    ...notBefore.flatMap((rule, index) =>
      (["field", "than"] as const).map((part): Named => [rule[part], ["notBefore", index, part], timeUse]),
    ),
    ...defining.map((field, index): Named => [field, ["defining", index], anyUse("defining")]),
  ];
  const seen = new Set<string>();
  for (const [field, path, use] of named) {
    const [option] = path;
    if (/key|order|brief/.test(String(option)) && seen.has(`${option} ${field}`)) {
      const message = `The ${option} of ${lower(which)} names ${quote(field)} twice.`;
      report("wrong-option", at(path.slice(0, 2).map(String)), message, "Remove one.");
    } else if (use !== undefined) checkField(report, entry, field, at(path.map(String)), use);
    seen.add(`${option} ${field}`);
  }
  checkBrief(report, entry, [...ordered.map(([field]) => field), ...keys]);
  checkAliases(report, entry, keys);
  checkFilters(report, entry, filters);
  if (options.filters !== undefined || !lost) checkTogether(report, entry, Object.keys(filters));
}

/** Reports a field that an option names and that does not exist, or that it cannot use. */
export function checkField(report: Report, entry: Entry, field: string, where: readonly Spot[], use: Use): void {
  const { which, schema, faulty } = entry;
  // The schema has a fault of its own.
  if (schema === undefined || faulty.has(field)) return;
  if (!Object.hasOwn(schema.shape, field)) {
    const fields = Object.keys(schema.shape);
    const isPathOfFilter = fields.includes(field.replace(/\..*/s, "")) && use.role.startsWith("its filter");
    const hint = isPathOfFilter
      ? `Let a function derive the values: (item) => item.${field}.`
      : (nearest(field, fields) ?? `Its fields are ${listed(fields)}.`);
    report("no-such-field", where, `${which} has no field ${quote(field)}, which ${use.role} names.`, hint);
    return;
  }
  const [problem, hint = use.hint] = [use.problemOf(schema.shape[field])].flat();
  if (problem === undefined) return;
  const message = `The field ${field} of ${lower(which)} cannot be used in ${use.role}, because it ${problem}.`;
  report("unsuitable-field", where, message, hint);
}

function checkFilters(report: Report, entry: Entry, filters: Readonly<Record<string, FilterBy>>): void {
  const { which, at } = entry;
  const params = Object.keys(filters);
  if (params.length > mostFilters) {
    const message = `${which} has ${params.length} filters, but a collection has at most ${mostFilters}.`;
    report("too-many-filters", at(["filters"], "name"), message, "Remove those that consumers need least.");
  }
  for (const [index, [param, by]] of Object.entries(filters).entries()) {
    const where = at(["filters", param], "name");
    checkName(report, "parameter", param, where);
    const other = alikeName(param, params.slice(0, index));
    if (other !== undefined) {
      const message = `The parameters ${quote(other)} and ${quote(param)} of ${lower(which)} differ in hyphens and underscores only.`;
      report("duplicate-name", where, message, "Give one another name.");
    }
    const spot = (...steps: readonly string[]) => at(["filters", param, ...steps]);
    if (typeof by === "string") checkField(report, entry, by, spot(), filterUse(param, "value"));
    else if ("field" in by)
      checkField(report, entry, by.field, spot("field"), filterUse(param, by.slug ? "slug" : "value"));
    else if ("keysOf" in by) checkField(report, entry, by.keysOf, spot("keysOf"), filterUse(param, "names"));
    else if ("of" in by) {
      const [problem, hint] = valuesProblem((by.values ?? []).map(String)) ?? [];
      const message = `The filter ${quote(param)} of ${lower(which)} ${problem}.`;
      if (problem !== undefined) report("wrong-option", spot("values"), message, hint);
    }
  }
}

/** A list needs the fields by which readers sort and find items. */
function checkBrief(report: Report, { which, at, options: { brief, item } }: Entry, needed: readonly string[]): void {
  if (brief === undefined) return;
  const missing = [...new Set(needed)].filter((field) => !brief.includes(field));
  if (missing.length > 0) {
    const message = `The brief of ${lower(which)} lacks ${listed(missing)}, by which its lists are sorted.`;
    report("wrong-option", at(["brief"]), message, "Add it to brief: clients need it to continue a list.");
  }
  if (item === undefined || item === false) {
    const message = `${which} has brief lists, but no items at paths of their own.`;
    report("wrong-option", at(["brief"], "name"), message, "Add item: true, or remove brief.");
  }
}

function checkAliases(report: Report, entry: Entry, keys: readonly string[]): void {
  const { which, at, options } = entry;
  if (typeof options.item !== "object") return;
  const where = at(["item", "aliases"]);
  if (keys.length > 1) {
    const message = `${which} has aliases, but its key has several fields.`;
    report("wrong-option", where, message, "An alias stands for a key of one field: write item: true.");
  } else checkField(report, entry, options.item.aliases, where, aliasUse);
}

function checkTogether(report: Report, { which, at, options }: Entry, params: readonly string[]): void {
  const { together = [] } = options;
  const sets = together.map((each) => [...each].sort().join(" "));
  const known = params.length === 0 ? "It has no filters." : `Its parameters are ${listed(params)}.`;
  for (const [index, each] of together.entries()) {
    for (const [place, param] of each.entries()) {
      if (params.includes(param)) continue;
      const where = at(["together", String(index), String(place)]);
      const message = `${which} has no parameter ${quote(param)}, which together names.`;
      report("no-such-parameter", where, message, nearest(param, params) ?? known);
    }
    if (sets.indexOf(sets[index] ?? "") < index) {
      const message = `The parameters ${each.join(" and ")} of ${lower(which)} are in together twice.`;
      report("wrong-option", at(["together", String(index)]), message, "Remove one.");
    }
  }
}

/** The items come from files, from a function, or from another collection. */
function checkSources(report: Report, entry: Entry): void {
  const { which, at, options } = entry;
  const { files, from, transform } = options;
  const sources = (["files", "load", "from"] as const).filter((each) => options[each] !== undefined);
  const [first = "", second] = sources;
  if (second !== undefined) {
    const message = `${which} has both ${sources.join(" and ")}, but its items come from one of them.`;
    report("wrong-option", at([first], "name"), message, "Remove one.");
    return;
  }
  if (from !== undefined && transform !== undefined) {
    const message = `${which} has both transform and from, but the function of from returns its items.`;
    report("wrong-option", at(["transform"], "name"), message, "Make the items as they are in that function.");
  }
  for (const [index, glob] of [files ?? []].flat().entries()) {
    const where = at(typeof files === "string" ? ["files"] : ["files", String(index)]);
    const [problem, hint] = globProblem(glob) ?? [];
    if (problem !== undefined)
      report("wrong-option", where, `The files of ${lower(which)} are ${quote(glob)}, ${problem}.`, hint);
    else if (transform === undefined) {
      for (const [, field = ""] of glob.matchAll(/\{([^{},/.]+)\}/g)) checkField(report, entry, field, where, pathUse);
    }
  }
}

const whole = 'A glob is a path below content/, such as "products/*.md" or "docs/{lang}/{slug}.md".';

/** Completes "The files are …, …". */
function globProblem(glob: string): readonly [problem: string, hint: string] | undefined {
  if (glob.startsWith("content/")) return ["but globs are below content/", `Write ${quote(glob.slice(8))}.`];
  if (glob.includes("\\")) return ["which has a backslash", "Write slashes."];
  const parts = glob.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    return ["which is no path below content/", whole];
  if (parts[0] === "deployments") return ["but deployments/ holds the deployments", "Name another folder."];
  const open = glob.replace(/\{[^{}]*\}/g, "");
  return /[{}]/.test(open) ? ["in which a brace has no partner", whole] : undefined;
}
