// What the form of some texts does not say: that they are probably numbers, dates, lists or names of files.
import * as z from "zod";
import { isPicture, typeOf } from "../../content/assets/measure.ts";
import { quote } from "../../text/quote.ts";
import { listed } from "../../text/words.ts";

/** A comment on the texts of a field, as a sentence; undefined if they are only texts. */
export function remarkOn(texts: readonly string[]): string | undefined {
  const distinct = [...new Set(texts)];
  const [first] = distinct;
  if (first === undefined) return undefined;
  const all = (form: RegExp): boolean => distinct.every((text) => form.test(text));
  const found = (form: RegExp): string | undefined => distinct.find((text) => form.test(text));
  const blank = found(/^\s|\s$/);
  if (blank !== undefined) return `Texts such as ${quote(blank)} have blanks at their ends: transform can remove them.`;
  const zero = all(/^-?\d+[.,]\d+$/) ? found(/0$/) : undefined;
  if (zero !== undefined) return `Guessed: text, because numbers would lose the zero of ${quote(zero)}.`;
  if (distinct.every((text) => isPicture(typeOf(text))))
    return "Names of pictures: with image() they are published, if they are below content/.";
  if (all(/^\d{1,2}([./-])\d{1,2}\1\d{4}$/))
    return `Dates such as ${quote(first)}: transform can write them as in 2026-11-20.`;
  const rare = rareAmong(distinct, isNumber) ?? rareAmong(distinct, isDate);
  if (rare !== undefined) return `Guessed: text, because of ${listed(rare.map(quote))} among other values.`;
  const separated = all(/^-?(?:\d{1,3}(?:([.,' ])\d{3})*|\d+)(?:[.,]\d+)?$/) ? found(/[.,]/) : undefined;
  if (separated !== undefined) return `Numbers such as ${quote(separated)}: transform can make numbers of them.`;
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

const isNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/.test(text);
const isDate = (text: string): boolean => z.iso.date().safeParse(text).success;

/** The texts that are not of a form, if they are few among others that are: probably mistakes. */
function rareAmong(texts: readonly string[], isOfForm: (text: string) => boolean): readonly string[] | undefined {
  const others = texts.filter((text) => !isOfForm(text));
  return others.length > 0 && others.length <= 3 && others.length * 5 <= texts.length ? others : undefined;
}
