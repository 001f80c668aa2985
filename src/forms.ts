// The forms of single values, from the specification's field tables. Each form carries its description, which completes
// the sentence "… must be …" in reports and describes the field in the documentation.
import * as z from "zod";

const form = (pattern: RegExp, description: string) =>
  z.string(description).regex(pattern, description).describe(description);

const integer = (minimum: number, description: string) =>
  z.int(description).min(minimum, description).describe(description);

/** `rec_`, `nod_` or `med_`, then one or more lowercase letters and digits. */
export const idOf = (prefix: string) =>
  form(new RegExp(`^${prefix}_[a-z0-9]+$`), `"${prefix}_" followed by lowercase letters and digits`);

const timestampDescription = "a real UTC time to the second, such as 2026-11-20T09:00:00Z";

/** ISO 8601 in UTC with `Z`, to the second; only instants that exist (no 30 February, no second 60). */
export const timestamp = z.iso.datetime({ precision: 0, error: timestampDescription }).describe(timestampDescription);

/** Three letters and a digit. Compared as sent: `LHR1` is not `lhr1`. */
export const regionCode = form(/^[A-Za-z]{3}[0-9]$/, "three letters and a digit, such as lhr1");

/** The seed's "lowercase area-direction form". */
export const zone = form(
  /^[a-z]+(?:-[a-z]+)+$/,
  "a lowercase area and direction joined by a hyphen, such as europe-north",
);

export const country = form(/^[A-Z]{2}$/, "a country code of two capital letters, such as GB");

/** Advertised capacity in Gbit/s. */
export const capacity = form(
  /^[1-9][0-9]*G$/,
  'an integer of 1 or more without leading zeros followed by "G", such as 100G',
);

/** RFC 6838, section 4.2, of the top-level type image, in lowercase. */
export const imageType = form(
  /^image\/[a-z0-9][a-z0-9!#$&^_.+-]*$/,
  "a media type that starts with image/, such as image/png",
);

/** At most 200 characters, because a collection's name is also a file name. */
export const collectionName = form(
  /^[a-z0-9_-]{1,200}$/,
  "at most 200 lowercase letters, digits, underscores and hyphens",
);

/** One line of text for people. Lone surrogates are refused, because UTF-8 cannot represent them. */
export const label = form(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u, "one line of text, not empty");

/** A size: a positive integer that JSON represents exactly. */
export const size = integer(1, "an integer from 1 to 9007199254740991");

/** A counter: a non-negative integer that JSON represents exactly. */
export const counter = integer(0, "an integer from 0 to 9007199254740991");

/** A number whose decimals JSON represents exactly. Beyond 2^53 not even all integers are representable. */
export function decimal(minimum: number, maximum: number, description: string) {
  if (!Number.isSafeInteger(Math.floor(minimum)) || !Number.isSafeInteger(Math.ceil(maximum))) {
    throw new Error(`The bounds ${minimum} and ${maximum} are beyond what JSON carries exactly.`);
  }
  return z.number(description).min(minimum, description).max(maximum, description).describe(description);
}

/** The form, or null if there is no value. */
export function orNull<Form extends z.ZodType>(form: Form) {
  const description = `${form.description}, or null`;
  return z.union([form, z.null()], description).describe(description);
}

export const flag = z.boolean("true or false").describe("true or false");

export const lowercaseWord = form(/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/, "a lowercase word, such as operational");

/** A list of objects with a unique field. Repeated values are found even if the list has other faults. */
export const distinctBy = <Element extends z.ZodType>(element: Element, key: string, description: string) =>
  z
    .array(element, description)
    .superRefine(
      (elements: unknown, context) => {
        const seen = new Set<unknown>();
        if (!Array.isArray(elements)) return;
        for (const [index, each] of elements.entries()) {
          const value: unknown = Object(each)[key];
          if (value !== undefined && seen.has(value)) {
            const message = `a ${key} that nothing before it in the list has`;
            context.addIssue({ code: "custom", path: [index, key], message });
          }
          seen.add(value);
        }
      },
      { when: () => true },
    )
    .describe(description);
