import * as z from "zod";
import { label, regionCode, zone } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";
import { countryOf, type Vocabulary, word } from "../vocabulary.ts";

export const regionSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    code: regionCode,
    name: label,
    zone: word(vocabulary, "zone", zone),
    country: countryOf(vocabulary),
    status: word(vocabulary, "region_status"),
  });

/** A region, as the API returns it. */
export type EdgeRegion = Readonly<z.infer<ReturnType<typeof regionSchema>>>;

const meanings: Meanings<EdgeRegion> = {
  code: "Unique code of the region. It is case-sensitive.",
  name: "Display name of the region, usually its city.",
  zone: "The part of the world that the region belongs to.",
  country: "ISO 3166-1 code of the country.",
  status: "Current state of the region.",
};

export const region: Resource<EdgeRegion> = {
  noun: "region",
  meaning: "A place that the network serves from.",
  meanings,
  key: "code",
  schema: regionSchema,
  references: [],
  example: { code: "lhr1", name: "London", zone: "europe-west", country: "GB", status: "operational" },
};
