// Sentences with values from the content. A terminal and Markdown escape the values differently.
import { integer } from "../words.ts";

/** Literal text, and values from the content. */
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

/** The values of a list beyond these are counted. */
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
