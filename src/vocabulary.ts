// The specification leaves the sets of several values open ("not shown"). Publishers can restrict them in api.yaml;
// until then any value of the field's form is valid.
import * as z from "zod";
import { country, imageType, label, lowercaseWord, zone } from "./forms.ts";

/** The vocabularies that a publisher can list, each with the form of its words. */
export const vocabularies = {
  node_status: label,
  region_status: label,
  image_status: label,
  status: label,
  field_type: label,
  zone,
  content_type: imageType,
} as const;

export type VocabularyName = keyof typeof vocabularies;

/** The allowed values of each vocabulary that the publisher lists, and the country codes that content may use. */
export type Vocabulary = { readonly [Name in VocabularyName | "country"]?: readonly string[] | undefined };

/** The vocabulary from which a schema takes its words. */
export const vocabularyOf = z.registry<{ readonly name: VocabularyName }>();

/** A word of the vocabulary's list `name`, or any string of the form `open` if there is no list. */
export function word(vocabulary: Vocabulary, name: VocabularyName, open: z.ZodType<string> = lowercaseWord) {
  const words = vocabulary[name];
  if (words === undefined) return open;
  const description = `one of the ${name} words of api.yaml: ${words.join(", ")}`;
  return z.enum(words, description).describe(description).register(vocabularyOf, { name });
}

const countryDescription = "a code of ISO 3166-1, such as GB, or one of additional_countries in api.yaml";

/** A country code: any of the right form, or one of the vocabulary's list if there is one. */
export const countryOf = ({ country: codes }: Vocabulary): z.ZodType<string> =>
  codes === undefined ? country : z.enum(codes, countryDescription).describe(countryDescription);
