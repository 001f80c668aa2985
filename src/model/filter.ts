// The filters of lists, and the values of items by which they choose.
import type { Deprecation } from "../declare/deprecation.ts";
import { Failure } from "./failure.ts";
import { eachAt, ownField } from "./fields.ts";
import type { Item } from "./key.ts";

export interface Filter {
  readonly param: string;
  /** The path of the field that is compared with the parameter. Undefined if a function derives the values. */
  readonly field: string | undefined;
  /** The parts of the path of a field within objects or lists. Undefined for a field of the item itself. */
  readonly steps?: readonly string[] | undefined;
  /**
   * The values to compare: the value of the field, the elements of its list, the names in its record, the slug of its value,
   * or the values that a function returns. An item may have several values of a filter, or none.
   */
  readonly by: "value" | "elements" | "names" | "slug" | "function";
  /** Returns the values of an item, if a function derives them; a Failure if it throws. */
  readonly of?: ((item: Item) => readonly string[] | Failure) | undefined;
  /**
   * Returns the text that stands for a value that an item has; undefined if the value stands for itself, a Failure if it
   * throws. Without it, the values have no labels.
   */
  readonly label?: ((value: string, item: Item) => string | undefined | Failure) | undefined;
  readonly accepts: Accepted;
  readonly deprecated?: Deprecation;
}

export type Accepted =
  /** The keys of the items of an operation; `isOpen`: and the other values that occur. */
  | { readonly kind: "keys"; readonly of: string; readonly type: "text" | "integer"; readonly isOpen: boolean }
  /** The values of an enum, a literal or a boolean, or those that a function may return. */
  | { readonly kind: "listed"; readonly type: "text" | "integer" | "boolean"; readonly values: readonly string[] }
  /** The words that api.yaml lists; if it lists none, the words that occur. */
  | { readonly kind: "words"; readonly vocabulary: string }
  /** The values that occur in the items: texts in order of code units, integers in order of their values. */
  | { readonly kind: "occurring"; readonly type: "text" | "integer" };

/** Whether the values may be references that lead nowhere. */
export const isOpenFilter = ({ accepts }: Pick<Filter, "accepts">): boolean =>
  accepts.kind === "keys" && accepts.isOpen;

/** The filters that a request may send, alone and together, each set once and in the order of the filters. */
export function combinationsOf<Named extends Pick<Filter, "param">>({
  filters,
  together,
}: {
  readonly filters: readonly Named[];
  readonly together: readonly (readonly string[])[];
}): readonly (readonly Named[])[] {
  const sets = [...filters.map(({ param }) => [param]), ...together.flatMap(pairsIn), ...together];
  const chosen = sets.map((params) => filters.filter(({ param }) => params.includes(param)));
  return [...new Map(chosen.map((set) => [JSON.stringify(set.map(({ param }) => param)), set])).values()];
}

/** The pairs of three parameters. */
const pairsIn = (params: readonly string[]): readonly (readonly string[])[] =>
  params.length < 3 ? [] : params.map((omitted) => params.filter((param) => param !== omitted));

/** The values of a filter that an item has. Throws if the function of the filter does. */
export function valuesOf(filter: Filter, item: Item): readonly string[] {
  const values = filter.of === undefined ? writtenValuesOf(filter, item) : filter.of(item);
  if (values instanceof Failure) throw new TypeError(values.text);
  return values;
}

/** The values of a filter by a field that an item has, each once. */
export function writtenValuesOf(filter: Omit<Filter, "accepts">, item: Item): readonly string[] {
  // There may be millions of items, and most filters are by a field of the item itself.
  if (filter.steps === undefined) return filterValuesIn(filter, ownField(item, filter.field ?? ""));
  return [...new Set(fieldValues(filter, item).flatMap((value) => filterValuesIn(filter, value)))];
}

/** The label of a value of an item, if the filter has labels. Throws if the function of the filter does. */
export function labelOf({ label }: Pick<Filter, "label">, value: string, item: Item): string | undefined {
  const text = label?.(value, item);
  if (text instanceof Failure) throw new TypeError(text.text);
  return text;
}

/** The first text of an item whose slug is a value of a filter by slug. */
export const slugLabel = (filter: Pick<Filter, "field" | "steps">, value: string, item: Item): string | undefined =>
  fieldValues(filter, item)
    .flat()
    .flatMap(textsOf)
    .find((text) => slugOf(text) === value);

/** The values of the field of a filter, or those at its path. */
function fieldValues({ field = "", steps }: Pick<Filter, "field" | "steps">, item: Item): readonly unknown[] {
  if (steps === undefined) return [ownField(item, field)];
  const values: unknown[] = [];
  eachAt(item, steps, (owner, key) => values.push(ownField(owner, key)));
  return values;
}

/** The values of a filter in the value of its field, each once. Null, lists and objects are not values. */
export function filterValuesIn({ by }: Pick<Filter, "by">, value: unknown): readonly string[] {
  switch (by) {
    case "value":
      return textsOf(value);
    case "slug": {
      const slugs = (Array.isArray(value) ? value : [value]).flatMap(textsOf).map(slugOf);
      return [...new Set(slugs.filter((slug) => slug !== ""))];
    }
    case "elements":
      return Array.isArray(value) ? [...new Set(value.flatMap(textsOf))] : [];
    case "names":
      return typeof value === "object" && value !== null ? Object.keys(value) : [];
    case "function":
      return derivedTexts(value);
  }
}

/** A value that a function derives from an item. */
export type Scalar = string | number | boolean;

/** The values that a function returned, each once: a text, an integer, true, false or a list of them. Throws TypeError. */
export function derivedValues(returned: unknown): readonly Scalar[] {
  const values: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  const isMissing = (value: unknown) => value === undefined || value === null || value === "";
  const present = values.filter((value) => !isMissing(value));
  if (present.every(isScalar)) return [...new Set(present)];
  const odd = present.find((value) => !isScalar(value));
  throw refused(odd, "a string, an integer, a boolean or a list of them");
}

/** The same values as texts, as requests have them. */
export const derivedTexts = (returned: unknown): readonly string[] => [...new Set(derivedValues(returned).map(String))];

/** The label that a function returned. Throws TypeError. */
export function derivedLabel(returned: unknown): string | undefined {
  if (returned === undefined || returned === null || returned === "") return undefined;
  if (typeof returned === "string") return returned;
  throw refused(returned, "a string");
}

function refused(returned: unknown, wanted: string): TypeError {
  // The promise itself is the fault. Node must not report its rejection as well.
  if (returned instanceof Promise) returned.catch(() => undefined);
  return new TypeError(`returned ${describedType(returned)}, not ${wanted}`);
}

/** The type of a value that a function should not return: `a value of type object`. */
function describedType(value: unknown): string {
  if (typeof value === "number") return String(value);
  return value instanceof Promise ? "a promise" : `a value of type ${typeof value}`;
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);

const textsOf = (value: unknown): readonly string[] =>
  value === null || value === undefined || typeof value === "object" || value === "" ? [] : [String(value)];

/** A text as a part of paths: lowercase ASCII letters and digits, and hyphens between them. Empty if it has none. */
export const slugOf = (text: string): string =>
  latinOf(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** A text without marks and apostrophes, and with ASCII letters in place of other Latin ones. */
export const latinOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\w -&(-~]/g, (character) => ownField(letters, character.toLowerCase()) ?? character);

/** Letters that do not decompose into an ASCII letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  // Apostrophes do not separate words.
  "'": "",
  "’": "",
};
