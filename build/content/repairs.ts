// Suggests replacements for values that are nearly right. A replacement must be valid by the value's schema.

import { quote } from "../text/quote.ts";
import { parseExact } from "./formats/exact.ts";

type Accepts = (value: unknown) => boolean;

/** A hint if quotes, a decimal point or the quotes of a colour are missing, or if quotes or spaces are superfluous. */
export function typeHint(value: unknown, accepts: Accepts, written: string): string | undefined {
  if (value === null && written === "" && isColour(accepts))
    return "In YAML, # starts a comment: put the colour in quotes.";
  if (written === "") return undefined;
  if (typeof value === "string") {
    // JSON has no TRUE.
    const bare = value.trim().toLowerCase().replace(decimalComma, "$1.$2");
    if (!literal.test(bare) || !accepts(parseExact(bare))) return undefined;
    return written === value ? `Write ${bare}.` : `Leave the quotes out: ${bare}.`;
  }
  const quotable = typeof value === "number" || typeof value === "boolean";
  if (!quotable) return undefined;
  return accepts(written) ? `Put it in quotes: "${written}".` : repairHint(written, accepts);
}

const isColour = (accepts: Accepts): boolean => accepts("#000000") && !accepts("0000000");

/** A number with a decimal comma. That of 1,250 may separate thousands. */
const decimalComma = /^(-?0|-?[1-9]\d*(?=,(?!\d{3}$))),(\d+)$/;

/** A boolean or number in JSON. */
const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i;

/** A hint if only the digits that JSON cannot represent are wrong. */
export const digitsHint = (value: unknown, accepts: Accepts, written: string): string | undefined =>
  value === Number.POSITIVE_INFINITY && written !== "" && accepts(Number(written))
    ? `JSON numbers do not hold all these digits: write ${Number(written)}.`
    : undefined;

/** A hint for a date in the right form that no calendar has. */
export const dayHint = (value: unknown, accepts: Accepts): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !isDay(value) && accepts("2024-01-01")
    ? "There is no such day."
    : undefined;

const isDay = (date: string): boolean => {
  const instant = Date.parse(`${date}T00:00:00Z`);
  // Date.parse reads 30 February as a day in March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
};

/** A hint for a text that is nearly right: in another case, time zone or order of the parts of a date. */
export function repairHint(value: unknown, accepts: Accepts): string | undefined {
  // A value that is accepted by itself is not at fault for its form.
  if (typeof value !== "string" || value.length > longest || accepts(value)) return undefined;
  const text = value.trim();
  const likely = [text, text.toLowerCase(), text.toUpperCase(), inUtc(text), dateIn(text)];
  const right = likely.find((each) => each !== undefined && accepts(each));
  if (right === undefined) return undefined;
  return zoneless.test(text) && !isDay(right) ? `If it is UTC, write ${quote(right)}.` : `Write ${quote(right)}.`;
}

/** Longer texts are not misspellings of a short form. */
const longest = 100;

const time = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,]\d+)? ?(Z|UTC|([+-])(\d\d):?(\d\d)?)?$/i;

const zoneless = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?$/;

/** Converts an ISO 8601 time of any zone and precision to UTC seconds. A time without a zone counts as UTC. */
function inUtc(text: string): string | undefined {
  const [whole, date, minutes, seconds = ":00", , sign, hours = "0", rest = "0"] = time.exec(text) ?? [];
  if (whole === undefined || Number(hours) > 23 || Number(rest) > 59) return undefined;
  const local = `${date}T${minutes}${seconds}Z`;
  const instant = Date.parse(local);
  // Date.parse reads 30 February as a day in March.
  if (Number.isNaN(instant) || toSeconds(instant) !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(rest)) * 60_000;
  return toSeconds(sign === "-" ? instant + offset : instant - offset);
}

/** The date of a text that can be read in one way only: 2024/5/1, 1.5.2024 or a time. */
function dateIn(text: string): string | undefined {
  const [, year, , month = "", day = ""] = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[Tt ]\d\d:\d\d.*)?$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const [, first = "", second = "", last] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text) ?? [];
  return last === undefined ? undefined : `${last}-${second.padStart(2, "0")}-${first.padStart(2, "0")}`;
}

const toSeconds = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");
