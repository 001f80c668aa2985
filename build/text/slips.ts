// Finds the known word that an author probably misspelt.
import leven from "leven";
import { quote } from "./quote.ts";

/** `Did you mean "lhr1"?`, if one of the known words is similar enough. */
export const nearest = (word: string, words: readonly string[]): string | undefined => didYouMean(closest(word, words));

export const didYouMean = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : `Did you mean ${quote(word)}?`;

/** The most similar known word. Few letters differ, never all; of two letters none differs, but they may be swapped. */
export function closest(word: string, words: readonly string[]): string | undefined {
  // Among more words, some word is similar to any text.
  if (words.length > 1000) return undefined;
  const lower = alike(word);
  let best: string | undefined;
  const maxDistance = word.length < 3 ? 0 : Math.min(4, Math.max(1, Math.floor((word.length + 1) / 3)));
  let bound = maxDistance + 1;
  for (const candidate of words) {
    const other = alike(candidate);
    if (Math.abs(other.length - lower.length) >= bound) continue;
    const distance = isSwap(lower, other)
      ? Math.min(1, maxDistance + 0.5)
      : leven(lower, other, { maxDistance: bound });
    if (distance >= bound) continue;
    bound = distance;
    best = candidate;
  }
  return best;
}

/** A word without what nobody sees as a difference. */
const alike = (word: string): string => word.normalize("NFC").toLowerCase();

/** Whether two adjacent letters are swapped, which counts as one slip and not as two. */
function isSwap(word: string, other: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const swapped = word[at] === other[at + 1] && word[at + 1] === other[at];
  return at < word.length && swapped && word.slice(at + 2) === other.slice(at + 2);
}
