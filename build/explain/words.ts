// The words for refused values: the expected value, the actual one, and the repair.
import { joined } from "../../src/model/api.ts";
import { hasFields, isObject } from "../../src/model/fields.ts";
import type { Draft, Sentences } from "../messages.ts";
import { describe, maxShown, quote, shown } from "../text/quote.ts";
import { closest, didYouMean } from "../text/slips.ts";
import { isSentence } from "../text/wording.ts";
import { numberOf } from "../values/number-of.ts";

/** A value that is refused, and what its schema expects in its place. */
export interface WrongValue {
  /** The start of the sentence, a field as a reader would point at it: `fields[2].name`. */
  readonly name: string;
  /** Completes "must be …", or is a message of the declaration: it starts with "must", or is a sentence. */
  readonly expected: string;
  readonly value: unknown;
  /** Whether another value would be right in its place. */
  readonly accepts?: (value: unknown) => boolean;
  /** Words that the schema lists. A check may still refuse them. */
  readonly words?: readonly string[];
  /** Whether the value has the type of several shapes, and is like none of them. */
  readonly isOtherShape?: boolean;
  /** What else can be done, if no repair of the value is known. */
  readonly otherwise?: string | undefined;
  /** Whether the accepted words are a list of api.yaml. */
  readonly isVocabulary?: boolean;
}

/** A value, or the key of a record, that its schema refuses. */
export const wrong = <At>(code: "wrong-type" | "wrong-value", at: At, wrongValue: WrongValue): Draft<At> => ({
  code,
  at,
  text: (written) => sentencesAbout(code, wrongValue, written),
});

function sentencesAbout(code: string, wrongValue: WrongValue, written: string): Sentences {
  const { name, expected, value, accepts, isVocabulary, otherwise } = wrongValue;
  const repair = didYouMean(meantWord(wrongValue)) ?? (accepts && repairHint(value, accepts, written));
  const text = isSentence(expected)
    ? `${name} is not accepted: ${sentenceOf(expected)}${hasFields(value) ? "" : ` It is ${describe(value, written)}.`}`
    : `${[`${name} ${dutyOf(expected)}`, ...findingOf(wrongValue, code, written)].join(", but ")}.`;
  const hint = isVocabulary ? "Add it to api.yaml, or write one of these." : otherwise;
  return { text, hint: repair ?? hint };
}

/** The accepted word that a text resembles. */
function meantWord({ value, accepts, words = [] }: WrongValue): string | undefined {
  if (typeof value !== "string" || words.length === 0) return undefined;
  const word = closest(
    value,
    words.filter((word) => word !== value),
  );
  return word !== undefined && accepts?.(word) === true ? word : undefined;
}

/** `is "x"`, or `has 5` if the schema limits a count; nothing if it would only say that an object is one. */
function findingOf({ value, expected, isOtherShape }: WrongValue, code: string, written: string): readonly string[] {
  const is = `is ${describe(value, written)}`;
  if (isOtherShape) return [isObject(value) ? fieldsFound(value) : `${is} of another shape`];
  if (code !== "wrong-value") return [is];
  if (isObject(value)) return [];
  if (Array.isArray(value) && value.length > 0 && /^a list of\b/.test(expected)) return [`has ${value.length}`];
  if (typeof value === "string" && value.length > Math.max(maxShown, maxLengthIn(expected)))
    return [`has ${value.length} characters: ${quote(value)}`];
  const isNamed = /\b(?:9007199254740991|64-bit float)\b/.test(expected);
  const isInexact = typeof value === "number" && !Number.isFinite(value) && !isNamed;
  if (!isInexact) return [is];
  const why = /^[-+]?\.?(?:inf|nan)$/i.test(written) ? "JSON does not have" : "a 64-bit float does not hold exactly";
  return [`${is}, which ${why}`];
}

/** `has a and b` */
function fieldsFound(value: object): string {
  const names = Object.keys(value).map((name) => shown(name));
  if (names.length === 0) return "is an empty object";
  return names.length > 6 ? "is an object of another shape" : `has ${joined(names, "and")}`;
}

/** The length that an expectation allows, as in `of at most 80 characters`; Infinity if it allows any. */
function maxLengthIn(expected: string): number {
  const [, max = Infinity] = /(?<!at least )\b(\d+) (?:of the )?characters?\b/.exec(expected) ?? [];
  return Number(max);
}

/** A hint for a value that is right with or without quotes, or in another case. `written`: empty if no file has the value. */
function repairHint(value: unknown, accepts: (value: unknown) => boolean, written: string): string | undefined {
  if (typeof value === "object" || written === "") return undefined;
  if (typeof value !== "string") return accepts(written) ? `Put it in quotes: "${written}".` : undefined;
  // If the value itself is accepted, its form is not the fault.
  if (accepts(value)) return undefined;
  const text = value.trim();
  if (literal.test(text)) {
    const bare = text.toLowerCase();
    if (!accepts(isNumber.test(bare) ? numberOf(bare) : bare === "true")) return undefined;
    // The options of CSV make another text of it.
    if (written === bare) return bare.includes(".") ? `Write ${bare.replace(".", ",")}.` : undefined;
    return written === value ? `Write ${bare}.` : `Leave the quotes out: ${bare}.`;
  }
  const decimal = text.replace(",", ".");
  if (decimalComma.test(text) && written === value && accepts(Number(decimal)))
    return `Write ${decimal}. If all numbers of a CSV file have commas, set its option decimal.`;
  const right = [text, text.toLowerCase(), text.toUpperCase()].find(accepts);
  return right === undefined ? undefined : `Write ${quote(right)}.`;
}

const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i;

const isNumber = /^[-\d]/;

/** A comma before three digits may be one between thousands. */
const decimalComma = /^-?(?:0|[1-9]\d*),(?!\d{3}$)\d+$/;

/** `meant`: the field that was probably meant. */
export function unknownField(
  owner: string,
  noun: string,
  field: string,
  fields: readonly string[],
  meant?: string,
): Sentences {
  const repair = didYouMean(meant);
  const hint = fields.length === 0 ? "Remove it." : `Its ${noun}s are ${fields.join(", ")}.`;
  return { text: `${owner} has no ${noun} ${quote(field)}.`, hint: repair ?? hint };
}

export const missingField = (owner: string, noun: string, field: string, expected: string): Sentences => ({
  text: `${owner} must have the ${noun} ${field}.`,
  hint: isSentence(expected) ? sentenceOf(expected) : `Its value ${dutyOf(expected)}.`,
});

/** `must be …`; a message of the declaration that is no sentence may say more than "be". */
const dutyOf = (expected: string): string =>
  /^must\b/.test(expected) ? shown(expected, 300).replace(/[.!]$/, "") : `must be ${shown(expected, 300)}`;

const sentenceOf = (message: string): string => `${shown(message, 300).replace(/[.!]$/, "")}.`;
