// The forms of single values. The description of a form completes the sentence "… must be …" in reports and describes the
// field in the documentation.
import * as z from "zod";
import { fieldOf } from "../model/fields.ts";
import type { Deprecation } from "./deprecation.ts";
import { deprecations, forms, type Tones, tones, words } from "./marks.ts";

const described = <Form extends z.core.$ZodType & { describe(text: string): Form }>(
  form: Form,
  text: string,
  example?: string | number | boolean,
): Form => forms.mark(form.describe(text), { text, ...(example !== undefined && { example }) });

/** A text that matches an anchored pattern. `description` completes the sentence "… must be …". */
export const form = (pattern: RegExp, description: string, example: string): z.ZodString =>
  described(z.string(description).regex(pattern, description), description, example);

/** Readers need no bound that no usual value reaches; a fault names it. */
function integer(minimum: number, text: string) {
  const fault = `an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`;
  return described(z.int(fault).min(minimum, fault), text, Math.max(minimum, 1));
}

/** The prefix, an underscore, then one or more lowercase letters and digits: `nod_7f3a`. */
export const id = (prefix: string): z.ZodString =>
  form(
    new RegExp(`^${prefix}_[a-z0-9]+$`),
    `"${prefix}_" followed by lowercase letters and digits`,
    `${prefix}_000000`,
  );

const timeDescription = "a UTC time to the second, such as 2026-11-20T09:00:00Z";

/** ISO 8601 in UTC with `Z`, to the second; only instants that exist (no 30 February, no second 60). */
export const time = described(
  z.iso.datetime({ precision: 0, error: timeDescription }),
  timeDescription,
  "2026-01-01T00:00:00Z",
);

/** Lowercase letters and digits, joined by single hyphens. At most 100 characters, because slugs are parts of paths. */
export const slug = form(
  /^(?=.{1,100}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
  "lowercase letters and digits, joined by single hyphens",
  "some-name",
);

/** One line of text for people. Lone surrogates are refused, because UTF-8 cannot represent them. */
export const label = form(
  /^(?!\s)[^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cs}]$/u,
  "one line of text, not empty, without spaces at its ends",
  "Some name",
);

export const word = form(/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/, "a lowercase word, such as operational", "operational");

/** A size: a positive integer that JSON represents exactly. */
export const size = integer(1, "a positive integer");

/** A count: a non-negative integer that JSON represents exactly. */
export const count = integer(0, "an integer that is not negative");

/** A number whose decimals JSON represents exactly. Beyond 2^53 not even all integers are representable. */
export function decimal(minimum: number, maximum: number, description: string) {
  if (!Number.isSafeInteger(Math.floor(minimum)) || !Number.isSafeInteger(Math.ceil(maximum))) {
    throw new Error(`The bounds ${minimum} and ${maximum} are beyond what JSON carries exactly.`);
  }
  return described(z.number(description).min(minimum, description).max(maximum, description), description, minimum);
}

/** The form, or null if there is no value. */
export function orNull<Form extends z.ZodType>(form: Form) {
  const text = `${forms.of(form)?.text ?? form.description}, or null`;
  return described(z.union([form, z.null()], text), text);
}

/** A field that will go: `deprecated(label, { since: "2026-12-01", use: "name" })`. The values have the same form. */
export const deprecated = <Form extends z.ZodType>(form: Form, notice: Deprecation): Form =>
  deprecations.mark(form.meta({ deprecated: true }), notice);

/**
 * The words of a status. Tables and the list of changes show each with the colour and the shape of its severity:
 * `states(word, { ready: "good", late: "warn", broken: "down" })`.
 */
export const states = <Form extends z.ZodType>(form: Form, severities: Tones): Form =>
  tones.mark(form.clone(), severities);

export const flag = described(z.boolean("true or false"), "true or false", true);

const countryCode = form(/^[A-Z]{2}$/, "a country code of two capital letters, such as GB", "GB");

/** A code as in ISO 3166-1 alpha-2. It is a word of the vocabulary `country`, which api.yaml may limit to a list. */
export const country = words("country", countryCode);

/** A list of objects with a unique field. Repeated values are found even if the list has other faults. */
export const distinctBy = <Element extends z.ZodType>(element: Element, key: string, text: string) =>
  described(
    z.array(element, text).superRefine(
      (elements: unknown, context) => {
        if (!Array.isArray(elements)) return;
        const seen = new Set<unknown>();
        for (const [index, object] of elements.entries()) {
          const value = fieldOf(object, key);
          if (value !== undefined && seen.has(value)) {
            const message = `a ${key} that nothing before it in the list has`;
            context.addIssue({ code: "custom", path: [index, key], message });
          }
          seen.add(value);
        }
      },
      { when: () => true },
    ),
    text,
  );
