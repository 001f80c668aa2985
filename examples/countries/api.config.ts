// The countries of the package world-countries: references between the items of one collection, nested objects, values that
// are unknown, filters by lists and by keys, lists in brief, and single items with two codes.
import { defineApi, defineCollection, reference } from "stillapi";
import { count, form, label } from "stillapi/forms";
import source from "world-countries/countries.json" with { type: "json" };
import * as z from "zod";

const regions = ["Africa", "Americas", "Antarctic", "Asia", "Europe", "Oceania"] as const;

const names = z.strictObject({
  common: label.describe("The usual name."),
  official: label.describe("The name in full."),
});

const currency = z.strictObject({
  name: label.describe("Name in English."),
  symbol: z.string().describe("The sign that is written with amounts."),
});

/** Some names end with a blank in the source. */
const trimmed = (names: object): object =>
  JSON.parse(JSON.stringify(names), (_, value) => (typeof value === "string" ? value.trim() : value));

const countries = defineCollection({
  purpose: "Countries of the world, by code.",
  noun: { one: "country", many: "countries" },
  schema: z
    .strictObject({
      code: form(/^[A-Z]{3}$/, "three capital letters, such as AUT", "AUT").describe("Code of ISO 3166-1 alpha-3."),
      code2: form(/^[A-Z]{2}$/, "two capital letters, such as AT", "AT").describe("Code of ISO 3166-1 alpha-2."),
      name: names
        .extend({ native: z.record(z.string(), names).describe("The names in its languages, by their codes.") })
        .describe("Its names in English and in its own languages."),
      region: z.enum(regions).describe("The part of the world."),
      subregion: label.nullable().describe("The part of the region; null in the Antarctic."),
      independent: z.boolean().nullable().describe("Whether it is a sovereign state; null if that is disputed."),
      capital: z.array(label).describe("Its capitals; some countries have none, or several."),
      currencies: z.record(z.string(), currency).describe("Its currencies, by their codes."),
      languages: z.record(z.string(), label).describe("Names of the official languages, by their codes."),
      language_count: count.describe("The number of its official languages."),
      borders: z.array(reference("countries")).describe("The countries with which it has a land border."),
      position: z
        .tuple([z.number().describe("Latitude in degrees."), z.number().describe("Longitude in degrees.")])
        .describe("The place of its centre."),
      area: z.number().describe("In square kilometres; -1 if it is not known."),
    })
    .meta({ title: "Country" }),
  key: "code",
  filters: {
    region: "region",
    subregion: { field: "subregion", slug: true },
    independent: "independent",
    language: { keysOf: "languages" },
    neighbour: "borders",
  },
  together: [["region", "independent"]],
  orders: {
    largest: ["-area"],
    most_languages: ["-language_count"],
  },
  item: { aliases: "code2" },
  brief: ["code", "name", "region", "area", "language_count"],
  cache: "public, max-age=86400",
  load: () =>
    source.map(({ cca3, cca2, latlng, name, region, subregion, independent, capital, ...more }) => ({
      code: cca3,
      code2: cca2,
      name: trimmed(name),
      region,
      subregion: subregion || null,
      independent,
      capital,
      currencies: more.currencies,
      languages: more.languages,
      language_count: Object.keys(more.languages).length,
      borders: more.borders,
      position: latlng,
      area: more.area,
    })),
});

export default defineApi({ base: "/v1", collections: { countries } });
