// The words for values that their schema refuses: what must be there, what is there, and how to mend it.
import type { Wording } from "../diagnostics.ts";
import { describe, quote, shown } from "../text/quote.ts";
import { didYouMean } from "../text/slips.ts";
import { isSentence } from "../text/wording.ts";
import { type Fault, fault, type Spot } from "./fault.ts";

/** What a schema expects at a place. */
export interface Expectation {
  /** The start of the sentence, a field as a reader would point at it: `fields[2].name`. */
  readonly name: string;
  /** Completes "must be …", or is a message of the declaration: it starts with "must", or is a sentence. */
  readonly expected: string;
  readonly value: unknown;
  /** Whether another value would be right in its place. */
  readonly accepts?: (value: unknown) => boolean;
  /** The accepted word that the value resembles. */
  readonly meant?: string | undefined;
  /** Whether the accepted words are a list of api.yaml. */
  readonly isVocabulary?: boolean;
}

/** A value, or the key of a record, that its schema refuses. */
export const wrong = (code: "wrong-type" | "wrong-value" | "wrong-key", at: Spot, expectation: Expectation): Fault =>
  fault(code, at, (written) => {
    const { name, expected, value, accepts, meant, isVocabulary } = expectation;
    const repair = didYouMean(meant) ?? (accepts && repairHint(value, accepts, written));
    const is = describe(value, written);
    const isScalar = typeof value !== "object" || value === null;
    const message = isSentence(expected)
      ? `${name} is refused: ${sentenceOf(expected)}${isScalar ? ` It is ${is}.` : ""}`
      : `${name} ${dutyOf(expected)}, but is ${is}.`;
    const hint = isVocabulary ? "Add it to api.yaml, or write one of these." : undefined;
    return { message, hint: repair ?? hint };
  });

/** A hint for a value that is right with or without quotes, or in another case. `written` is empty if it is not written. */
function repairHint(value: unknown, accepts: (value: unknown) => boolean, written: string): string | undefined {
  if (typeof value === "object" || written === "") return undefined;
  if (typeof value !== "string") return accepts(written) ? `Put it in quotes: "${written}".` : undefined;
  // A value that is accepted by itself is not at fault for its form.
  if (accepts(value)) return undefined;
  const text = value.trim();
  if (literal.test(text)) {
    const bare = text.toLowerCase();
    if (!accepts(JSON.parse(bare))) return undefined;
    return written === value ? `Write ${bare}.` : `Leave the quotes out: ${bare}.`;
  }
  const right = [text, text.toLowerCase(), text.toUpperCase()].find(accepts);
  return right === undefined ? undefined : `Write ${quote(right)}.`;
}

const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i;

/** `meant`: the field that was probably meant. */
export function unknownField(owner: string, field: string, known: readonly string[], meant?: string): Wording {
  const repair = didYouMean(meant);
  const noun = owner === "api.yaml" ? "key" : "field";
  const hint = known.length === 0 ? "Remove it." : `Its ${noun}s are ${known.join(", ")}.`;
  return { message: `${owner} has no ${noun} ${quote(field)}.`, hint: repair ?? hint };
}

export const missingField = (owner: string, field: string, expected: string): Wording => ({
  message: `${owner} must have the field ${field}.`,
  hint: isSentence(expected) ? sentenceOf(expected) : `Its value ${dutyOf(expected)}.`,
});

/** `must be …`; a message of the declaration may say more than "be". */
const dutyOf = (expected: string): string =>
  isPlain(expected) ? `must be ${shown(expected, 300)}` : shown(expected, 300).replace(/[.!]$/, "");

const isPlain = (expected: string): boolean => !isSentence(expected) && !/^must\b/.test(expected);

const sentenceOf = (message: string): string => `${shown(message, 300).replace(/[.!]$/, "")}.`;
