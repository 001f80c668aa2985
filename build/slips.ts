// Which known word another is probably a slip of.
import leven from "leven";
import { quote } from "./quote.ts";

/** `Did you mean "lhr1"?`, where one of the known words is near enough to be a slip of the word. */
export const nearest = (word: string, known: readonly string[]): string | undefined => didYouMean(closest(word, known));

export const didYouMean = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : `Did you mean ${quote(word)}?`;

/** Among more words than these, one or another is near to any. */
const fewEnough = 1000;

/** The known word that is near enough for the word to be a slip of it: few letters differ, never all of them, and none of two. */
export function closest(word: string, known: readonly string[]): string | undefined {
  if (known.length > fewEnough) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.min(4, Math.max(1, Math.floor((word.length + 1) / 3)), word.length - 1, word.length < 3 ? 0 : 4) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const other = candidate.toLowerCase();
    const distance = isSwap(lower, other) ? 1 : leven(lower, other, { maxDistance: least });
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Whether two neighbours have changed places, which is one slip and not two. */
function isSwap(word: string, other: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const swapped = word[at] === other[at + 1] && word[at + 1] === other[at];
  return at < word.length && swapped && word.slice(at + 2) === other.slice(at + 2);
}
