// The notices of deprecated parts: the form of the option `deprecated`, and the replacements that notices name.
import * as z from "zod";
import type { Deprecation } from "../../../src/declare/deprecation.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import type { DeclaredPart } from "../places.ts";
import { type Options, oneLine, text } from "./forms.ts";
import type { Report } from "./group.ts";

const notice: Options<Deprecation> = z.strictObject({
  since: z.iso.date(),
  sunset: z.iso.date().optional(),
  use: text.optional(),
  why: oneLine.optional(),
});

export const deprecation = notice.refine(({ since, sunset }) => !sunset || String(sunset) >= String(since), {
  path: ["sunset"],
  error: "a date that is not before since",
});

export const deprecatedOption = deprecation.optional();

/** Checks that `use` of the notice of `name` is one of the names, and another one. */
export function checkUse(
  report: Report,
  which: string,
  use: unknown,
  name: string,
  names: readonly string[],
  at: readonly DeclaredPart[],
): void {
  const others = names.filter((other) => other !== name);
  if (typeof use !== "string" || others.includes(use)) return;
  const hint = nearest(use, others) ?? (others.length === 0 ? "Remove use." : `The others are: ${listed(others)}.`);
  const text = `The deprecation of ${which} says to use ${quote(use)}, but there is no other of that name.`;
  report("wrong-option", at, text, hint);
}
