// Sentences that hold values out of the content, which a terminal and Markdown each escape in their own way.
import { integer } from "../words.ts";

/** Our own words, and values of the content. */
export type Sentence = readonly (string | { readonly values: readonly string[] })[];

/** Of a template: texts are values of the content, and so are lists of them; numbers are not. */
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

/** More values of one list are counted. */
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
