// What an option of a collection can use a field for, by the kinds of its values.
import { elementsOf, isOptional, type Kind, kindsOf, recordKeysOf, type Schema } from "../../src/kinds.ts";
import { isPathPart, valueOfFile } from "../../src/resource.ts";
import { quote, shown } from "../text/quote.ts";

export interface Use {
  /** Completes "… cannot be used in …". */
  readonly role: string;
  /** Why a field cannot be used, if so; completes "… because it …". Possibly with the hint for this reason. */
  readonly problemOf: (schema: Schema) => Problem;
  readonly hint: string;
}

type Problem = string | readonly [problem: string, hint: string] | undefined;

const reasons: Readonly<Record<Kind["kind"], string>> = {
  null: "may be null",
  boolean: "is true or false",
  integer: "is an integer",
  number: "is a number",
  text: "is a text",
  reference: "refers to other items",
  words: "is one of known words",
  known: "is one of known words",
  array: "is a list",
  tuple: "is a list",
  object: "is an object",
  record: "is an object",
  any: "is any value",
  never: "has no value",
};

const parted: readonly Kind["kind"][] = ["array", "tuple", "object", "record", "any", "never"];

const severalTypes = "has values of several types";

/** The reason of the first kind of values that is refused, or that has parts. */
function reasonFor(schema: Schema, refused: readonly Kind["kind"][]): string | undefined {
  const found = kindsOf(schema).find(({ kind }) => refused.includes(kind) || parted.includes(kind));
  return found && reasons[found.kind];
}

/** Values of several types have no order. */
function typeProblem(schema: Schema): string | undefined {
  const types = kindsOf(schema).flatMap((each) => {
    if (each.kind === "null") return [];
    if (each.kind === "known") return each.values.map((value) => typeof value);
    return each.kind === "boolean" ? ["boolean"] : /integer|number/.test(each.kind) ? ["number"] : ["string"];
  });
  return new Set(types).size > 1 ? severalTypes : undefined;
}

/** A use of a field whose values have one type, which is none of those that are refused. */
const useOf = (role: string, hint: string, ...refused: readonly Kind["kind"][]): Use => ({
  role,
  hint,
  problemOf: (schema) => reasonFor(schema, refused) ?? typeProblem(schema),
});

/** Any field will do. */
export const anyUse = (role: string): Use => ({ role, hint: "", problemOf: () => undefined });

/** Why a field cannot be a key, which names an item. */
export const keyProblem = (schema: Schema): string | undefined =>
  isOptional(schema) ? "may be missing" : (reasonFor(schema, ["null", "boolean", "number"]) ?? typeProblem(schema));

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean =>
  keyProblem(schema) === undefined && kindsOf(schema).every(({ kind }) => kind !== "integer");

const keyHint = "Name a field that is a text, or an integer, in every item.";
export const keyUse: Use = { role: "its key", hint: keyHint, problemOf: keyProblem };

const orderHint = "Name a field that is a text, a number, or true or false; it may be nullable.";
export const orderUse = useOf("its order", orderHint);

/** Only texts have case, accents and digits. */
const textHint = "Name a field that is a text, or leave fold and natural out.";
export const textOrderUse = useOf("an order with fold or natural", textHint, "boolean", "integer", "number");

/** Times are texts, which may be missing. */
const timeHint = 'Name a field with the form time of "stillapi/forms".';
const noTimes = ["reference", "words", "integer", "number", "boolean", "known"] as const;
export const timeUse = useOf("notBefore", timeHint, ...noTimes);

/** A field by which others refer to items, in place of the key. */
const joinHint = "Name a field that is a text or an integer; it may be nullable.";
export const joinUse = useOf("a reference", joinHint, "number", "boolean");

/** Aliases are further names of an item. */
export const aliasUse: Use = {
  role: "item.aliases",
  hint: "Name a field that is a text, an integer, or a list of them.",
  problemOf: (schema) => reasonFor(elementsOf(schema) ?? schema, ["number", "boolean", "reference"]),
};

export const pathUse: Use = {
  role: "files",
  hint: "A path gives texts and numbers.",
  problemOf: (schema) => reasonFor(schema, ["boolean"]),
};

/** The values of a filter are those of a field, its slug, or the names in its record. */
export const filterUse = (param: string, by: "value" | "slug" | "names"): Use => ({
  role: `its filter ${quote(param)}`,
  problemOf: { value: filterProblem, slug: slugProblem, names: namesProblem }[by],
  hint: "A filter needs a field with texts, integers, or true and false, a reference or words(…), or a list of them; it may be nullable. A function can derive the values of anything else.",
});

function namesProblem(schema: Schema): Problem {
  const names = recordKeysOf(schema);
  return names === undefined ? ["is no record", "Use keysOf with a z.record(…)."] : filterProblem(names);
}

function slugProblem(schema: Schema): Problem {
  const isTextual = (each: Kind) =>
    each.kind === "text" ||
    each.kind === "null" ||
    (each.kind === "known" && each.values.every((value) => typeof value === "string"));
  return kindsOf(elementsOf(schema) ?? schema).every(isTextual)
    ? undefined
    : ["is not always a text, or a list of texts", "A slug is made of a text."];
}

/** A value of a filter is a part of a path. */
function filterProblem(schema: Schema): Problem {
  const kinds = kindsOf(elementsOf(schema) ?? schema).filter(({ kind }) => kind !== "null");
  const [other] = kinds.filter(({ kind }) => kind === "number" || parted.includes(kind));
  if (other !== undefined) return reasons[other.kind];
  const known = kinds.flatMap((each) =>
    each.kind === "known" ? each.values : each.kind === "boolean" ? [false, true] : [],
  );
  const [open, ...more] = new Set(kinds.flatMap((each) => setOf(each) ?? []));
  const type = open === "integer" ? "number" : open === "text" ? "string" : undefined;
  if (more.length > 0 || (open !== undefined && known.some((value) => typeof value !== type))) return severalTypes;
  const problem = valuesProblem(known.map(String));
  if (problem !== undefined) return problem;
  const odd = known.find((value) => typeof value === "number" && !Number.isSafeInteger(value));
  return odd === undefined ? undefined : `may be ${shown(String(odd))}`;
}

/** Why some of the values of a filter cannot be parts of paths, and the hint. */
export function valuesProblem(known: readonly string[]): readonly [problem: string, hint: string] | undefined {
  const values = new Set<string>();
  for (const value of known) {
    if (!isPathPart(value) || valueOfFile(value) !== undefined) {
      const hint =
        "A value of a filter is 1 to 100 of A-Z a-z 0-9 . _ ~ -, and neither starts with a dot nor ends in .json.";
      return [`may be ${quote(value)}, which is no part of a path`, hint];
    }
    if (values.has(value.toLowerCase()))
      return [`has ${quote(value)} in two cases`, "Paths may ignore case: keep one."];
    values.add(value.toLowerCase());
  }
  return undefined;
}

/** The open set that the values of a kind are from: those that occur, the keys of a collection, or a vocabulary. */
function setOf(each: Kind): string | undefined {
  if (each.kind === "reference") return `the keys of ${each.to}`;
  if (each.kind === "words") return `the words of ${each.words.name}`;
  return each.kind === "text" || each.kind === "integer" ? each.kind : undefined;
}
