// The languages of ISO 639-3, from the package iso-639-3: thousands of items, and two enums that go together.
import { iso6393 } from "iso-639-3";
import { defineApi, defineCollection } from "stillapi";
import { form, label } from "stillapi/forms";
import * as z from "zod";

const code = form(/^[a-z]{3}$/, "three lowercase letters, such as deu", "deu");

const languages = defineCollection({
  purpose: "Languages, by name.",
  noun: { one: "language", many: "languages" },
  schema: z
    .strictObject({
      code: code.describe("Code of ISO 639-3."),
      name: label.describe("Name in English."),
      scope: z.enum(["individual", "macrolanguage", "special"]).describe("Whether it is one language or several."),
      type: z.enum(["ancient", "constructed", "extinct", "historical", "living", "special"]).describe("Who speaks it."),
      short: form(/^[a-z]{2}$/, "two lowercase letters, such as de", "de")
        .optional()
        .describe("Code of ISO 639-1."),
    })
    .meta({ title: "Language" }),
  key: "code",
  order: ["name"],
  filters: { scope: "scope", type: "type" },
  together: [["scope", "type"]],
  orders: { code: ["code"], short: ["short"] },
  load: () =>
    iso6393.map(({ iso6393: id, iso6391: short, name, scope, type }) => ({ code: id, name, scope, type, short })),
});

export default defineApi({ collections: { languages } });
