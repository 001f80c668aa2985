// The filters of the lists of a collection: the options `filters` and `together`.
import * as z from "zod";
import type { Collection } from "../../../src/declare/declare.ts";
import {
  type Accepted,
  derivedLabel,
  derivedTexts,
  type Filter,
  slugLabel,
  slugOf,
} from "../../../src/model/filter.ts";
import { type Item, isPathPart, valueOfFile } from "../../../src/model/key.ts";
import { elementsOf, fieldAt, kindsOf, listedIn, recordKeysOf, type Schema } from "../../../src/model/kinds.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import type { KeySchemaOf } from "../complete-schema.ts";
import { areAlike, checkName } from "../names.ts";
import { guarded } from "../program.ts";
import { checkUse, deprecatedOption } from "./deprecated.ts";
import {
  areOf,
  checkField,
  type FieldUse,
  haveSlugs,
  jsonTypesIn,
  listedValuesIn,
  problemOfParts,
  slugNeeds,
  textsOf,
} from "./field-use.ts";
import { callable, either, text } from "./forms.ts";
import type { CheckedEntry, CollectionGroup, Report } from "./group.ts";
import { typeIn } from "./orders.ts";
import { isPublished } from "./published.ts";

const filter = either(
  [
    text,
    callable,
    z.strictObject({ field: text, slug: z.literal(true).optional(), deprecated: deprecatedOption }),
    z.strictObject({ keysOf: text, deprecated: deprecatedOption }),
    z.strictObject({
      of: callable,
      values: z
        .array(z.union([text, z.int(), z.boolean()]))
        .min(1)
        .optional(),
      label: callable.optional(),
      deprecated: deprecatedOption,
    }),
  ],
  "a string, a function, or an object with one of field, keysOf and of",
);

const isSet = (params: readonly string[]) =>
  new Set(params).size === params.length && params.length > 1 && params.length < 4;

/** Each filter can be sent alone or with others. */
const maxFilters = 6;

export const filters = {
  form: {
    filters: z.record(text, filter).optional(),
    together: z.array(z.array(text).refine(isSet, "a list of two or three different parameters")).optional(),
  },

  check(report, entry) {
    const { which, options, faultyOptions, at } = entry;
    const params = Object.keys(options.filters ?? {});
    if (params.length > maxFilters) {
      const message = `${which} has ${params.length} filters, but a collection can have at most ${maxFilters}.`;
      report("too-many", at(["filters"], "name"), message, "Remove those that consumers need least.");
    }
    for (const [param, by] of Object.entries(options.filters ?? {})) checkFilter(report, entry, param, by);
    // A filter that is missing may be a faulty one, or all of them may have a misspelt name.
    const areKnown = options.filters === undefined ? faultyOptions.size === 0 : !faultyOptions.has("filters");
    if (areKnown) checkTogether(report, entry, params);
  },

  complete(declared, { collections, keyOf, program }) {
    const { schema, filters = {}, together = [] } = declared.declaration;
    return {
      filters: Object.entries(filters).map(([param, by]): Filter => {
        const { accepts, ...others } = filterOf(param, by, schema, keyOf);
        // Of what is not published, consumers know the keys that occur.
        const isHidden = accepts.kind === "keys" && !isPublished(collections, accepts.of);
        const filter = {
          ...others,
          accepts: isHidden ? ({ kind: "occurring", type: accepts.type } as const) : accepts,
        };
        const { of, label } = filter;
        const failure = (error: unknown) => program.failureOf(error, declared, ["filters", param]);
        return { ...filter, ...(of && { of: guarded(of, failure) }), ...(label && { label: guarded(label, failure) }) };
      }),
      together,
    };
  },
} satisfies CollectionGroup;

type FilterBy = NonNullable<Collection["declaration"]["filters"]>[string];

function checkFilter(report: Report, entry: CheckedEntry, param: string, by: FilterBy): void {
  const { which, options, at } = entry;
  const params = Object.keys(options.filters ?? {});
  const where = at(["filters", param], "name");
  checkName(report, "parameter", param, where);
  const other = params.slice(0, params.indexOf(param)).find((earlier) => areAlike(earlier, param));
  if (other !== undefined) {
    const message = `The parameters ${quote(other)} and ${quote(param)} of ${which} differ only in hyphens and underscores.`;
    report("duplicate-name", where, message, "Rename one of them.");
  }
  const check = (field: string, kind: Values, ...steps: readonly string[]) =>
    checkField(report, entry, field, at(["filters", param, ...steps]), useIn(param, kind));
  if (typeof by === "string") check(by, "value");
  if (typeof by !== "object") return;
  if ("field" in by) check(by.field, by.slug ? "slug" : "value", "field");
  else if ("keysOf" in by) check(by.keysOf, "names", "keysOf");
  const problem = "of" in by ? valuesProblem(by.values ?? []) : undefined;
  if (problem !== undefined) {
    const message = `The values of the filter ${quote(param)} of ${which} cannot be used.`;
    report("wrong-option", at(["filters", param, "values"]), message, problem);
  }
  const option = at(["filters", param, "deprecated", "use"]);
  checkUse(report, `the filter ${quote(param)} of ${which}`, by.deprecated?.use, param, params, option);
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

/** The values of a filter by a field: those of the field or of its elements, their slugs, or the names in its record. */
type Values = keyof typeof neededBy;

const neededBy = {
  value:
    "a string, an integer, true or false, a reference or words(…), of one type and possibly null, or a list of them. A function derives the values of anything else",
  slug: slugNeeds,
  names: "a record, such as z.record(z.string(), …)",
} as const;

const useIn = (param: string, kind: Values): FieldUse => ({
  role: `its filter ${quote(param)}`,
  mayBeWithin: true,
  problemOf(schema) {
    const values = kind === "names" ? recordKeysOf(schema) : (elementsOf(schema) ?? schema);
    const isSuitable = kind === "slug" ? haveSlugs : areOfOneSet;
    if (values === undefined || !isSuitable(values)) return `It must be ${neededBy[kind]}.`;
    if (kind === "slug") return undefined;
    const listedValues = listedValuesIn(values);
    const problem = valuesProblem(listedValues);
    return problem && `${problem}${haveSlugs(values) ? slugHint(textsOf(listedValues)) : ""}`;
  },
});

/** Whether all values of a filter are known, or all are of one open set: one type, one vocabulary, the keys of one collection. */
function areOfOneSet(schema: Schema): boolean {
  if (!areOf(schema, "text", "integer", "boolean", "null")) return false;
  const areKnown = kindsOf(schema).every(({ kind }) => ["known", "boolean", "null"].includes(kind));
  return areKnown || new Set(["null", ...jsonTypesIn(schema)]).size <= 2;
}

/** A sentence if the slugs of all values can be values of a filter. */
function slugHint(texts: readonly string[]): string {
  const slugs = texts.map(slugOf);
  if (slugs.includes("") || new Set(slugs).size < slugs.length) return "";
  return ` With { field, slug: true }, the filter has the values ${listed(slugs)}.`;
}

/** Why known values of a filter cannot be parts of paths, which may ignore case. Undefined if all can be. */
export function valuesProblem(values: readonly unknown[]): string | undefined {
  const texts = textsOf(values);
  const problem = problemOfParts(texts);
  if (problem !== undefined) return problem;
  const file = texts.find((text) => valueOfFile(text) !== undefined);
  if (file !== undefined) return `${quote(file)} cannot be in a path: no value ends in .json, .json.br or .json.gz.`;
  const folded = texts.map((text) => text.toLowerCase());
  const repeated = texts.find((_, index) => folded.indexOf(folded[index] ?? "") < index);
  return repeated && `${quote(repeated)} is there twice, as paths may ignore case.`;
}

const occurringTexts: Accepted = { kind: "occurring", type: "text" };

function filterOf(param: string, by: FilterBy, schema: z.ZodObject, keyOf: KeySchemaOf): Filter {
  if (typeof by === "string") return fieldFilter(param, by, schema, keyOf);
  if (typeof by === "function") return { ...derivedFilter(param, by), accepts: occurringTexts };
  const notice = by.deprecated && { deprecated: by.deprecated };
  if ("of" in by) {
    const { of, values, label } = by;
    const accepts = values === undefined ? occurringTexts : listedValues(values);
    return { ...derivedFilter(param, of), ...(label && { label: derivedLabels(label) }), accepts, ...notice };
  }
  if ("keysOf" in by) {
    const { schema: record, steps } = fieldAt(schema, by.keysOf) ?? {};
    const accepts = acceptedIn(record && recordKeysOf(record), keyOf);
    return { param, field: by.keysOf, steps, by: "names", accepts, ...notice };
  }
  const filter = fieldFilter(param, by.field, schema, keyOf);
  if (!by.slug) return { ...filter, ...notice };
  const label = (value: string, item: Item) => slugLabel(filter, value, item);
  return { ...filter, by: "slug", label, accepts: occurringTexts, ...notice };
}

function fieldFilter(param: string, field: string, object: z.ZodObject, keyOf: KeySchemaOf): Filter {
  const { schema, steps } = fieldAt(object, field) ?? {};
  const element = schema && elementsOf(schema);
  const accepts = acceptedIn(element ?? schema, keyOf);
  return { param, field, steps, by: element === undefined ? "value" : "elements", accepts };
}

const derivedFilter = (param: string, derive: (item: never) => unknown) =>
  // The items are those of the collection that the types of the declaration know.
  ({ param, field: undefined, by: "function", of: (item: Item) => derivedTexts(derive(item as never)) }) as const;

const derivedLabels = (label: (value: string, item: never) => unknown) => (value: string, item: Item) =>
  derivedLabel(label(value, item as never));

/** The values of a filter by a field. Null is not one of them. */
function acceptedIn(schema: Schema | undefined, keyOf: KeySchemaOf): Accepted {
  const values = new Set<unknown>();
  for (const kind of schema === undefined ? [] : kindsOf(schema)) {
    if (kind.kind === "reference") {
      const type = typeIn(keyOf(kind.to), keyOf) === "number" ? "integer" : "text";
      return { kind: "keys", of: kind.to, type, isOpen: kind.isOpen };
    }
    if (kind.kind === "words") return { kind: "words", vocabulary: kind.words.name };
    if (kind.kind === "text") return occurringTexts;
    if (kind.kind === "integer") return { kind: "occurring", type: "integer" };
    for (const value of listedIn(kind)) values.add(value);
  }
  return listedValues([...values].filter((value) => isPathPart(String(value))));
}

/** Values of several types are texts in requests. */
function listedValues(values: readonly unknown[]): Accepted {
  const isAll = (type: string) => values.length > 0 && values.every((value) => typeof value === type);
  const type = isAll("boolean") ? "boolean" : isAll("number") ? "integer" : "text";
  return { kind: "listed", type, values: [...new Set(values.map(String))] };
}
