// The words for values that their schema refuses: what must be there, what is there, and how to mend it. A suggestion is
// a value that the schema accepts.
import type { Cause, Wording } from "../diagnostics.ts";
import { describe, quote, shown } from "../text/quote.ts";
import { didYouMean } from "../text/slips.ts";
import { isSentence } from "../text/wording.ts";
import type { Words } from "./fault.ts";
import { dayHint, digitsHint, repairHint, typeHint } from "./repairs.ts";

/** What a schema expects at a place. */
export interface Expectation {
  /** The start of the sentence, a field as a reader would point at it: `fields[2].name`. */
  readonly name: string;
  /** The noun of several whole items; undefined for a value within an item. */
  readonly owners?: string | undefined;
  /** Completes "must be …", or is a message of the declaration: it starts with "must", or is a sentence. */
  readonly expected: string;
  readonly value: unknown;
  /** Whether another value would be right in its place. */
  readonly accepts: (value: unknown) => boolean;
}

export const wrongType =
  ({ name, owners, expected, value, accepts }: Expectation): Words =>
  (written) => {
    const hint = typeHint(value, accepts, written);
    const cause = wrongValues(owners ?? `values of ${anyOf(name)}`, expected, describe(value, written), hint);
    return { message: wrong(name, expected, value, written), hint, cause };
  };

/** `meant`: the accepted word that the value resembles. `vocabulary`: the list of api.yaml that has the accepted words. */
export const wrongValue =
  ({ name, owners, expected, value, accepts }: Expectation, meant?: string, vocabulary?: string): Words =>
  (written) => {
    const hint =
      didYouMean(meant) ?? dayHint(value, accepts) ?? digitsHint(value, accepts, written) ?? repairHint(value, accepts);
    const message = wrong(name, expected, value, written);
    const is = describe(value, written);
    if (vocabulary === undefined)
      return { message, hint, cause: wrongValues(owners ?? `values of ${anyOf(name)}`, expected, is, hint) };
    return {
      message,
      hint: hint ?? "Add it to api.yaml, or write one of these.",
      cause: {
        several: `words are not in the vocabulary ${vocabulary}`,
        value: is,
        aside: aside(hint),
        hint: `Add them to api.yaml, or write one of its words: ${shown(expected.replace(/^.*?: /, ""), 300)}.`,
      },
    };
  };

/** The key of a record that its schema refuses. */
export function wrongKey(owner: string, key: string, expected: string, accepts: Expectation["accepts"]): Wording {
  const hint = repairHint(key, accepts);
  const isRefused = isSentence(expected);
  return {
    message: isRefused
      ? `${owner} has the key ${quote(key)}, which is refused: ${sentenceOf(expected)}`
      : `${owner} has the key ${quote(key)}, but its keys ${dutyOf(expected)}.`,
    hint,
    cause: {
      several: `keys of ${lower(anyOf(owner))} are ${isRefused ? "refused" : "not"}: ${shown(expected, 300)}`,
      value: quote(key),
      aside: aside(hint),
    },
  };
}

/** `isBody`: whether it is the text below the front matter of Markdown. */
export function unknownField(
  owner: string,
  field: string,
  known: readonly string[],
  meant: string | undefined,
  isBody: boolean,
): Wording {
  // In YAML, `-id` is a key and not the first one of an element.
  const isGlued = field.startsWith("-") && known.includes(field.slice(1));
  const repair = isGlued ? `Put a space after the hyphen: ${quote(`- ${field.slice(1)}`)}.` : didYouMean(meant);
  const noun = owner === "api.yaml" ? "key" : "field";
  const all = `${noun}s are ${known.join(", ")}.`;
  return {
    message: `${owner} has no ${noun} ${quote(field)}${isBody ? ", which is the text below the front matter" : ""}.`,
    hint:
      (isBody ? "Remove the text, or add the field to the schema." : repair) ??
      (known.length === 0 ? "Remove it." : `Its ${all}`),
    cause: {
      several: `${noun}s are not those of ${lower(anyOf(owner))}`,
      value: quote(field),
      aside: aside(repair),
      hint: known.length === 0 ? "Remove them." : `The ${all}`,
    },
  };
}

/** `isBody`: whether there is no text below the front matter of Markdown. */
export const missingField = (
  owner: string,
  owners: string | undefined,
  field: string,
  expected: string,
  isBody: boolean,
): Wording => ({
  message: `${owner} must have the field ${field}.`,
  hint: isBody
    ? "Write text below the front matter."
    : isSentence(expected)
      ? sentenceOf(expected)
      : `Its value ${dutyOf(expected)}.`,
  cause: { several: `${owners ?? `of ${anyOf(owner)}`} must have the field ${field}` },
});

/** A message of the declaration may be a sentence of its own. */
function wrong(name: string, expected: string, value: unknown, written: string): string {
  if (!isSentence(expected)) return `${name} ${dutyOf(expected)}, but is ${describe(value, written)}.`;
  const isScalar = typeof value !== "object" || value === null;
  return `${name} is refused: ${sentenceOf(expected)}${isScalar ? ` It is ${describe(value, written)}.` : ""}`;
}

function wrongValues(owners: string, expected: string, value: string, hint: string | undefined): Cause {
  const several = isPlain(expected) ? `are not ${shown(expected, 300)}` : `are refused: ${shown(expected, 300)}`;
  return { several: `${owners} ${several}`, value, aside: aside(hint) };
}

/** `must be …`; a message of the declaration may say more than "be". */
const dutyOf = (expected: string): string =>
  isPlain(expected) ? `must be ${shown(expected, 300)}` : shown(expected, 300).replace(/[.!]$/, "");

const isPlain = (expected: string): boolean => !isSentence(expected) && !/^must\b/.test(expected);

const sentenceOf = (message: string): string => `${shown(message, 300).replace(/[.!]$/, "")}.`;

/** `fields[].name` for any element of the list. */
const anyOf = (name: string): string => name.replace(/\[\d+\]/g, "[]");

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** A hint in the form for brackets. */
export const aside = (hint: string | undefined): string | undefined => hint && lower(hint).replace(/\.$/, "");
