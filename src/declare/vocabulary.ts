// The specification of an API may leave the words of a field open. Publishers can list the valid words in api.yaml; if
// they do not, any word of the field's form is valid.

import * as z from "zod";
import { ownField } from "../model/fields.ts";
import { label, word } from "./forms.ts";
import type { Words } from "./marks.ts";

/** For each vocabulary its valid words, if they are limited; `unknown` if a fault in api.yaml may hide a list. */
export type Vocabulary = Readonly<Record<string, readonly string[] | "unknown" | undefined>>;

/** The vocabulary in api.yaml from which a schema takes its words. */
export const vocabularyOf = z.registry<{ readonly name: string }>();

/** The form of the words that api.yaml may list. */
export const listable = ({ form = label }: Words): z.ZodString => form;

/** The schema of a word: one of the words of the vocabulary if they are limited, and any that could be listed if they are unknown. */
export function wordSchema(vocabulary: Vocabulary, words: Words): z.ZodType<string> {
  const { name, form = word } = words;
  const valid = ownField(vocabulary, name);
  if (valid === undefined) return form;
  if (valid === "unknown") return listable(words);
  const list = `one of the ${name} words of api.yaml: ${valid.join(", ")}`;
  return z.enum(valid, list).describe(list).register(vocabularyOf, { name });
}
