// Breaking changes: their kinds, the choice of the kinds that make a comparison fail, and their sentences.
import { integer } from "../words.ts";

/** The names are permanent: programs may depend on them. */
export const breakingKinds = [
  "operation-removed",
  "value-removed",
  "item-removed",
  "page-size-removed",
  "vocabulary-widened",
  "meaning-changed",
  "field-removed",
  "field-optional",
  "field-widened",
  "filter-removed",
  "combination-removed",
  "paging-changed",
  "order-changed",
  "key-changed",
  "base-changed",
] as const;

export type BreakingKind = (typeof breakingKinds)[number];

export interface Breaking {
  readonly code: BreakingKind;
  /** The names of the operations. */
  readonly operations: readonly string[];
  /**
   * The names of removed or changed things: operations, fields, values of a filter, keys, aliases or addresses of items,
   * page sizes, words.
   */
  readonly values: readonly string[];
  readonly sentence: Sentence;
}

/** A change of one operation. None without values. */
export const changeOf = (
  code: BreakingKind,
  operation: string,
  values: readonly string[],
  sentence: Sentence,
): readonly Breaking[] => (values.length === 0 ? [] : [{ code, operations: [operation], values, sentence }]);

const isKind = (name: string): name is BreakingKind => breakingKinds.some((kind) => kind === name);

/** `breaking,-item-removed`: from left to right, `breaking` adds all kinds, and a hyphen takes a kind away. */
export function chosenKinds(text: string): ReadonlySet<BreakingKind> | { readonly wrong: string } {
  const chosen = new Set<BreakingKind>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const name = part.replace(/^-/, "");
    if (name !== "breaking" && !isKind(name)) {
      const known = `The kinds are breaking, ${breakingKinds.join(", ")}.`;
      return { wrong: `${JSON.stringify(name)} is not a kind of change. ${known}` };
    }
    for (const kind of name === "breaking" ? breakingKinds : [name]) {
      if (part === name) chosen.add(kind);
      else chosen.delete(kind);
    }
  }
  return chosen.size > 0 ? chosen : { wrong: "It leaves no kind of change. Start with breaking, which is all kinds." };
}

/** Literal text, and values from the content, which a terminal and Markdown escape differently. */
export type Sentence = readonly (string | { readonly values: readonly string[] })[];

/** A template tag. Strings and lists of strings are values from the content; numbers are not. */
export const say = (
  words: TemplateStringsArray,
  ...parts: readonly (string | number | readonly string[])[]
): Sentence =>
  words.flatMap((text, index) => {
    const part = parts[index];
    if (part === undefined) return [text];
    if (typeof part === "number") return [text, integer(part)];
    return [text, { values: typeof part === "string" ? [part] : part }];
  });

/** The number of values of a list that are shown. Further values are counted. */
const mostValues = 10;

export const wordsOf = (sentence: Sentence, show: (value: string) => string): string =>
  sentence
    .map((part) => {
      if (typeof part === "string") return part;
      const shown = part.values.slice(0, mostValues).map(show).join(", ");
      const more = part.values.length - mostValues;
      return more > 0 ? `${shown} and ${integer(more)} more` : shown;
    })
    .join("");
