import * as z from "zod";
import { country, label, regionCode, zone } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

export const regionSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    code: regionCode,
    name: label,
    zone: word(vocabulary, "zone", zone),
    country,
    status: word(vocabulary, "region_status"),
  });

/** Seed, "Region". */
export type Region = Readonly<z.infer<ReturnType<typeof regionSchema>>>;

const meanings: Meanings<Region> = {
  code: "Names the region. It is compared as it is written, in upper and lower case.",
  name: "What people call the region, as a rule its city.",
  zone: "The part of the world that the region belongs to: an area and a direction.",
  country: "The country, by its ISO 3166-1 code.",
  status: "What the region does at present.",
};

export const region: Resource<keyof Region> = {
  noun: "region",
  meaning: "A place that the network serves from.",
  meanings,
  key: "code",
  schema: regionSchema,
  references: [],
  example: { code: "lhr1", name: "London", zone: "europe-west", country: "GB", status: "operational" },
};
