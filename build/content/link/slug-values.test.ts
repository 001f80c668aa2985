// Filters by the slugs of texts.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { discovered } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";

const cities = defineCollection({
  purpose: "Cities.",
  schema: z.strictObject({ id: slug, city: z.string().nullable() }),
  key: "id",
  filters: { city: { field: "city", slug: true } },
});

function messagesOf(...texts: readonly (string | null)[]) {
  const log = openLog();
  const lines = texts.map((city, index) => JSON.stringify({ id: `c${index}`, city }));
  const api = completeApi(defineApi({ collections: { cities } }));
  compileContent(discovered({ "cities.ndjson": lines.join("\n") }), api, log);
  return log.messages().shown.map(lineOf);
}

it("warns of the first text without a slug that has letters or digits", () => {
  expect(messagesOf("Berlin", null, "–", "", "Москва", "東京", "Москва")).toEqual([
    'cities.ndjson:5:19 no-slug The filter city has no value for "Москва", because slugs have Latin letters and digits only. Let a function derive its values.',
  ]);
});

it("names the slug that two texts have", () => {
  expect(messagesOf("Москва 2", "Самара 2")).toEqual([
    'cities.ndjson:2:19 not-unique The values "Самара 2" and "Москва 2" of city, the latter at cities.ndjson:1:19, have the same slug, "2". Write both alike if they mean the same, change one of them, or let a function derive the values of a filter.',
  ]);
});
