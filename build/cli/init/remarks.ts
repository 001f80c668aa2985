// What the form of some texts does not say: that they are probably numbers, dates, lists or names of files.
import * as z from "zod";
import { isPicture, typeOf } from "../../content/assets/measure.ts";
import { quote } from "../../text/quote.ts";
import { listed } from "../../text/words.ts";

/** A comment on the texts of a field, as sentences; undefined if they are only texts. */
export function remarkOn(texts: readonly string[]): string | undefined {
  const distinct = [...new Set(texts)];
  const all = (form: RegExp): boolean => distinct.length > 0 && distinct.every((text) => form.test(text));
  const first = (form: RegExp): string => quote(distinct.find((text) => form.test(text)) ?? "");
  if (distinct.some((text) => atEnds.test(text)))
    return `Texts such as ${first(atEnds)} have blanks at their ends: the option transform can remove them.`;
  if (all(fraction) && distinct.some((text) => zero.test(text)))
    return `Guessed: text, because numbers would lose the zero of ${first(zero)}.`;
  if (distinct.length > 0 && distinct.every((text) => isPicture(typeOf(text))))
    return "Names of pictures: with image() they are published, if they are below content/.";
  if (all(day)) return `Dates such as ${first(day)}: the option transform can write them as in 2026-11-20.`;
  for (const [form, what] of [
    [number, "numbers"],
    [isoDay, "dates"],
  ] as const) {
    const others = distinct.filter((text) => !form(text));
    const isRare = others.length > 0 && others.length <= maxOthers && others.length * minShare <= distinct.length;
    if (isRare) return `Guessed: text, because of ${listed(others.map(quote))}. All other values are ${what}.`;
  }
  if (all(separated) && distinct.some((text) => /[.,]/.test(text)))
    return `Numbers such as ${first(/[.,]/)}: the option transform can make numbers of them.`;
  const lists = distinct.filter((text) => separator.test(text));
  const parts = distinct.flatMap((text) => text.split(separator));
  const isList = lists.length > 0 && parts.length >= 2 * new Set(parts).size && new Set(parts).size <= maxParts;
  if (isList) return `Lists such as ${quote(lists[0] ?? "")}: the option transform can divide them.`;
  return undefined;
}

const atEnds = /^\s|\s$/;
const fraction = /^-?\d+[.,]\d+$/;
const zero = /0$/;
const day = /^\d{1,2}([./-])\d{1,2}\1\d{4}$/;
/** Numbers with signs between thousands or before decimals. */
const separated = /^-?(?:\d{1,3}(?:([.,' ])\d{3})*|\d+)(?:[.,]\d+)?$/;
const separator = /, ?|; ?|\|/;

const number = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/.test(text);
const isoDay = (text: string): boolean => z.iso.date().safeParse(text).success;

/** Few texts among many others are probably mistakes. */
const maxOthers = 3;
const minShare = 5;

/** The parts of lists are a few words. */
const maxParts = 20;
