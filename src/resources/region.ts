import * as z from "zod";
import { country, label, regionCode, zone } from "../forms.ts";
import type { Resource } from "../resource.ts";
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

export const region: Resource<Region> = {
  noun: "region",
  key: "code",
  schema: regionSchema,
  references: [],
  example: { code: "lhr1", name: "London", zone: "europe-west", country: "GB", status: "operational" },
};
