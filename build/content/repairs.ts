// Suggests replacements for values that are nearly right. A replacement is valid by the value's schema.
import { quote } from "../text/quote.ts";
import { parseExact } from "./formats/exact.ts";

export type Accepts = (value: unknown) => boolean;

/** A hint for a value that `accepts` refuses. `written` is its text; empty if the value is not written. */
export function repairHint(value: unknown, accepts: Accepts, written: string): string | undefined {
  if (typeof value === "string")
    return literalHint(value, accepts, written) ?? dayHint(value, accepts) ?? textHint(value, accepts);
  // In YAML, # starts a comment.
  if (value === null && written === "" && accepts("#000000") && !accepts("0000000"))
    return "In YAML, # starts a comment: put the colour in quotes.";
  if (written === "" || (typeof value !== "number" && typeof value !== "boolean")) return undefined;
  if (accepts(written)) return `Put it in quotes: "${written}".`;
  if (value === Number.POSITIVE_INFINITY && accepts(Number(written)))
    return `JSON numbers do not hold all these digits: write ${Number(written)}.`;
  return textHint(written, accepts);
}

/** A hint for a number or boolean in quotes, with a decimal comma or in another case. */
function literalHint(value: string, accepts: Accepts, written: string): string | undefined {
  const bare = value.trim().toLowerCase().replace(decimalComma, "$1.$2");
  if (written === "" || !literal.test(bare) || !accepts(parseExact(bare))) return undefined;
  return written === value ? `Write ${bare}.` : `Leave the quotes out: ${bare}.`;
}

/** A number with a decimal comma. That of 1,250 may separate thousands. */
const decimalComma = /^(-?0|-?[1-9]\d*(?=,(?!\d{3}$))),(\d+)$/;

/** A boolean or number in JSON. */
const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i;

const date = /^\d{4}-\d\d-\d\d$/;

const dayHint = (value: string, accepts: Accepts): string | undefined =>
  date.test(value) && !isDay(value) && accepts("2024-01-01") ? "There is no such day." : undefined;

function isDay(day: string): boolean {
  const instant = Date.parse(`${day}T00:00:00Z`);
  // Date.parse reads 30 February as a day in March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
}

/** Longer texts are not misspellings of a short form. */
const longest = 100;

/** A hint for a text in another case, time zone or order of the parts of a date. */
function textHint(value: string, accepts: Accepts): string | undefined {
  // A value that is accepted by itself is not at fault for its form.
  if (value.length > longest || accepts(value)) return undefined;
  const text = value.trim();
  const likely = [text, text.toLowerCase(), text.toUpperCase(), inUtc(text), dateIn(text)];
  const right = likely.find((each) => each !== undefined && accepts(each));
  if (right === undefined) return undefined;
  const isGuess = time.exec(text)?.[4] === undefined && time.test(text) && !date.test(right);
  return isGuess ? `If it is UTC, write ${quote(right)}.` : `Write ${quote(right)}.`;
}

const time = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,]\d+)? ?(Z|UTC|([+-])(\d\d):?(\d\d)?)?$/i;

/** Converts an ISO 8601 time of any zone and precision to UTC seconds. A time without a zone counts as UTC. */
function inUtc(text: string): string | undefined {
  const [whole, day, minutes, seconds = ":00", , sign, hours = "0", rest = "0"] = time.exec(text) ?? [];
  const local = `${day}T${minutes}${seconds}Z`;
  const instant = Date.parse(local);
  const isTime = whole !== undefined && Number(hours) <= 23 && Number(rest) <= 59 && !Number.isNaN(instant);
  // Date.parse reads 30 February as a day in March.
  if (!isTime || toSeconds(instant) !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(rest)) * 60_000;
  return toSeconds(sign === "-" ? instant + offset : instant - offset);
}

const toSeconds = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");

/** The date of a text that can be read in one way only: 2024/5/1, 1.5.2024 or a time. */
function dateIn(text: string): string | undefined {
  const [, year, , month = "", day = ""] = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[Tt ]\d\d:\d\d.*)?$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const [, first = "", second = "", last] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text) ?? [];
  return last === undefined ? undefined : `${last}-${second.padStart(2, "0")}-${first.padStart(2, "0")}`;
}
