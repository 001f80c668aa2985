// What the form of some texts does not say: that they are probably numbers, dates, lists or names of files.
import { assetTypeOf, isPicture } from "../../content/assets/measure.ts";
import { quote } from "../../text/quote.ts";

/** A comment on the texts of a field, as a sentence; undefined if they are only texts. */
export function remarkOn(texts: readonly string[]): string | undefined {
  const distinct = [...new Set(texts)];
  const [first] = distinct;
  if (first === undefined) return undefined;
  const all = (form: RegExp): boolean => distinct.every((text) => form.test(text));
  const found = (form: RegExp): string | undefined => distinct.find((text) => form.test(text));
  if (distinct.every((text) => isPicture(assetTypeOf(text))))
    return "Names of pictures: with image() they are published, if they are below content/.";
  if (all(/^\d{1,2}([./-])\d{1,2}\1\d{4}$/))
    return `Dates such as ${quote(first)}: transform can write them as in 2026-11-20.`;
  const separated = all(/^-?(?:\d{1,3}(?:([.,' ])\d{3})*|\d+)(?:[.,]\d+)?$/) ? found(/[.,]/) : undefined;
  if (separated !== undefined)
    return `If texts such as ${quote(separated)} are numbers, transform can make numbers of them.`;
  const list = found(separator);
  const parts = distinct.flatMap((text) => text.split(separator));
  const kinds = new Set(parts).size;
  if (list !== undefined && parts.length >= 2 * kinds && kinds <= maxParts)
    return `Lists such as ${quote(list)}: transform can divide them.`;
  return undefined;
}

const separator = /, ?|; ?|\|/;

/** The parts of lists are a few words. */
const maxParts = 20;
