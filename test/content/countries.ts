// A declared API with nested, optional and nullable fields, and references at any depth.
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { defineApi, defineCollection, reference, words } from "../../src/index.ts";

const teams = defineCollection({
  purpose: "Teams.",
  noun: { one: "team", many: "teams" },
  schema: z.strictObject({ slug: z.string(), label: z.string().nullable().optional() }),
  key: "slug",
});

const countries = defineCollection({
  purpose: "Countries of the world.",
  noun: { one: "country", many: "countries" },
  schema: z.looseObject({
    cca3: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("Code of three letters."),
    name: z
      .object({
        common: z.string().describe("The usual name."),
        native: z.record(z.string(), z.object({ common: z.string().describe("The name in that language.") })),
      })
      .describe("The names of the country."),
    region: z.enum(["Africa", "Europe", "not/any"]).nullable().describe("The continent."),
    state: words("state").optional(),
    independent: z.boolean().nullable(),
    languages: z
      .record(z.string(), z.string().describe("Its name in English."))
      .describe("The languages by their codes."),
    borders: z.array(reference("countries").describe("A neighbour.")).describe("The countries around it."),
    latlng: z.tuple([z.number().describe("Latitude."), z.number().describe("Longitude.")]),
    grid: z.array(z.array(z.int())).optional(),
    parts: z.array(z.object({ maker: reference("teams").nullable(), size: z.int().optional() })).optional(),
    owner: z.object({ team: reference("teams") }).optional(),
    teams: z.record(z.string(), reference("teams")).optional(),
    chief: reference("teams").nullable().optional(),
    kind: z.literal("country"),
    area: z.union([z.number(), z.literal("unknown")]).describe("Square kilometres."),
  }),
  key: "cca3",
  filters: { region: "region", state: "state", independent: "independent", chief: "chief" },
});

export const countriesApi = completeApi(defineApi({ base: "/v3", collections: { countries, teams } }));

export const country = {
  cca3: "AUT",
  name: { common: "Austria", native: { bar: { common: "Österreich" } } },
  region: "Europe",
  independent: true,
  languages: { bar: "Austro-Bavarian German" },
  borders: [],
  latlng: [47.3, 13.3],
  kind: "country",
  area: 83871,
} as const;
