// The order of texts as people expect it: by rules, not by a locale, so that it is the same on every machine.

export interface TextOrder {
  /** Whether case and accents count only between texts that are otherwise equal. */
  readonly fold?: boolean | undefined;
  /** Whether digits compare by the value of their number: `a2` is before `a10`. */
  readonly natural?: boolean | undefined;
}

/**
 * The text by which an order compares a text, by code unit, before it compares the text itself. Folding decomposes
 * compatible characters (NFKD, which Unicode never changes for an assigned character), and removes the combining marks
 * U+0300 to U+036F and the difference between upper and lower case. A number is its digits of 0 to 9 without leading zeros.
 */
export function comparedText(text: string, { fold = false, natural = false }: TextOrder): string {
  const folded = fold
    ? text
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase()
    : text;
  return natural ? folded.replace(/[0-9]+/g, numberOf) : folded;
}

/** The digit 0, so that a number sorts among other digits, then the count of its digits, then the digits. */
function numberOf(digits: string): string {
  const number = digits.replace(/^0+(?=.)/, "");
  return `0${String.fromCharCode(0x30 + Math.min(number.length, 0xff00))}${number}`;
}
