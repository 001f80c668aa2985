// The filters of lists, and the values of items by which they choose.

export interface Filter {
  /** The query parameter. */
  readonly param: string;
  /** The field that is compared with the parameter. */
  readonly field: string;
  /**
   * What is compared: the value of the field, each element of its list, each name in its record, or the slug of its
   * value. An item may have several values of a filter, or none.
   */
  readonly by: "value" | "elements" | "names" | "slug";
  readonly accepts: Accepted;
}

/** The values that a filter accepts. */
export type Accepted =
  /** The keys of the items of an operation. */
  | { readonly kind: "keys"; readonly of: string }
  /** The values of an enum, a literal or a boolean. */
  | { readonly kind: "listed"; readonly values: readonly string[] }
  /** The words that api.yaml lists; if it lists none, the words that occur. */
  | { readonly kind: "words"; readonly vocabulary: string }
  /** The values that occur in the items: texts in order of code units, integers in order of their values. */
  | { readonly kind: "occurring"; readonly type: "text" | "integer" };

/** The filters that a request may send, alone and together, each set once and in the order of the filters. */
export function combinationsOf({
  filters,
  together,
}: {
  readonly filters: readonly Filter[];
  readonly together: readonly (readonly string[])[];
}): readonly (readonly Filter[])[] {
  const sets = [...filters.map(({ param }) => [param]), ...together.flatMap(pairsIn), ...together];
  const chosen = sets.map((params) => filters.filter(({ param }) => params.includes(param)));
  return [...new Map(chosen.map((set) => [JSON.stringify(set.map(({ param }) => param)), set])).values()];
}

/** The pairs of three parameters. */
const pairsIn = (params: readonly string[]): readonly (readonly string[])[] =>
  params.length < 3 ? [] : params.map((each) => params.filter((other) => other !== each));

/** The text of a field's value: the JSON of a list or an object. Undefined for null. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The values of a filter in an item, each once. `text` is the text of the field, empty for null. */
export function valuesIn({ by }: Pick<Filter, "by">, text: string): readonly string[] {
  if (text === "") return [];
  switch (by) {
    case "value":
      return [text];
    case "slug":
      return [slugOf(text)].filter((slug) => slug !== "");
    case "elements":
      return [...new Set(Object.values(JSON.parse(text)).flatMap((value) => textOf(value) ?? []))];
    case "names":
      return Object.keys(JSON.parse(text));
  }
}

/** The aliases of an item, each once: the value of a field, or the elements of its list. `text` is as in `valuesIn`. */
export const aliasesIn = (text: string): readonly string[] =>
  valuesIn({ by: text.startsWith("[") ? "elements" : "value" }, text);

/** A text as a part of paths: lowercase letters and digits of ASCII, and hyphens between them. Empty if there are none. */
export const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]/g, (character) => letters[character] ?? "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");

/** Letters that are not a letter of ASCII with a mark. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "n" },
  // Apostrophes separate no words.
  ...{ "'": "", "’": "" },
};
