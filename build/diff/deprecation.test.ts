// Announced removals are told apart from breaking ones, whether the side before is a commit or a published build.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pc from "picocolors";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { extend } from "../../src/declare/derived.ts";
import { deprecated, slug } from "../../src/declare/forms.ts";
import type { Api } from "../../src/model/api.ts";
import { buildForTest } from "../../test/check/built.ts";
import { ofDeprecated, writeDeprecated } from "../../test/check/deprecated.ts";
import { alone, compared } from "../../test/diff/compared.ts";
import { differencesText } from "../cli/report/diff/text.ts";
import { completeApi } from "../declaration/complete.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-announced-"));
const content = path.join(folder, "content");
const dist = path.join(folder, "dist");

beforeAll(async () => {
  writeDeprecated(content);
  await buildForTest(content, dist, [], ofDeprecated);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function against(api: Api, today: string, published = dist, folderToday = content) {
  return compared({ api, content: folderToday, against: published, today });
}

it("finds nothing new in the same notices", async () => {
  const { breaking, announced, deprecated: told, declaration } = await against(ofDeprecated, "2030-01-01");
  expect({ breaking, announced, told, declaration }).toEqual({
    breaking: [],
    announced: [],
    told: [],
    declaration: [],
  });
});

/** The part of `places` that is not deprecated. */
const places = defineCollection({
  purpose: "Places.",
  noun: { one: "place", many: "places" },
  schema: z.strictObject({ id: slug.describe("Names the place."), tags: z.array(z.unknown()) }),
  key: "id",
  item: true,
});

it("tells announced removals from early ones and from those that were not announced", async () => {
  const without = path.join(folder, "without");
  writeDeprecated(without);
  rmSync(path.join(without, "deployments"), { recursive: true });
  rmSync(path.join(without, "spots.json"));
  const items = ["a", "b", "c"].map((id) => ({ id, tags: [{ old: "x" }] }));
  writeFileSync(path.join(without, "places.json"), JSON.stringify(items));
  const api = completeApi(defineApi({ collections: { places } }));
  const told = async (today: string) => {
    const difference = await against(api, today, dist, without);
    const { breaking, announced } = difference;
    const of = (all: typeof breaking) => all.filter(({ code }) => /removed$/.test(code)).map(({ message }) => message);
    return { breaking: of(breaking), announced: of(announced) };
  };
  const always = [
    "/api/v1/places no longer has these fields: zone. It had not been deprecated.",
    "/api/v1/places no longer has these fields: pop. Its sunset had not been announced.",
    "/api/v1/places ignores the parameter zone. It had not been deprecated.",
  ];
  const health = "/api/v1/health is removed: it is answered with 404. Its sunset had not been announced.";
  const filter = "/api/v1/places ignores the parameter pop.";
  const spots = "/api/v1/spots is removed: it is answered with 404.";
  expect(await told("2027-06-01")).toEqual({ breaking: [...always, health], announced: [filter, spots] });
  const early = " Its sunset is not before 2027-06-01.";
  expect(await told("2027-05-31")).toEqual({
    breaking: [...always, `${filter}${early}`, `${spots}${early}`, health],
    announced: [],
  });
  const text = differencesText(
    alone(await against(api, "2027-06-01", dist, without)),
    pc.createColors(false),
    undefined,
  );
  expect(text).toContain(`~ As announced: ${spots}\n`);
});

it("reports new deprecations, and a changed notice", async () => {
  const options = {
    purpose: "Places.",
    schema: z.strictObject({ id: slug, zone: slug }),
    key: "id",
    filters: { zone: "zone" },
  } as const;
  const tagged = defineCollection({ ...options, orders: { zones: ["-zone"] } });
  const taggedContent = path.join(folder, "tagged");
  writeDeprecated(taggedContent);
  rmSync(path.join(taggedContent, "deployments"), { recursive: true });
  rmSync(path.join(taggedContent, "spots.json"));
  writeFileSync(path.join(taggedContent, "places.json"), JSON.stringify([{ id: "a", zone: "z" }]));
  const published = path.join(folder, "tagged-dist");
  const render = () => "";
  const stays = completeApi(defineApi({ collections: { places: tagged }, outputs: { "old.txt": { render } } }));
  await buildForTest(taggedContent, published, [], stays);
  const since = "2026-12-01";
  const marked = extend(tagged, {
    fields: { zone: deprecated(slug, { since, why: "There are none." }) },
    filters: { zone: { field: "zone", deprecated: { since, sunset: "2027-06-01" } } },
    orders: { zones: { fields: ["-zone"], deprecated: { since, sunset: "2027-06-01" } } },
    deprecated: { since },
  });
  const outputs = { "old.txt": { render, deprecated: { since, sunset: "2027-06-01", use: "places" } } };
  const api = completeApi(defineApi({ collections: { places: marked }, outputs }));
  const difference = await against(api, "2026-11-20", published, taggedContent);
  expect(difference.breaking).toEqual([]);
  expect(difference.deprecated).toEqual([
    { what: "the collection places", since },
    { what: "the filter zone of places", since, sunset: "2027-06-01" },
    { what: "the order zones of places", since, sunset: "2027-06-01" },
    { what: "the field zone of places", since, why: "There are none." },
    { what: "the output /api/v1/old.txt", since, sunset: "2027-06-01", use: "places" },
  ]);
  const text = differencesText(alone(difference), pc.createColors(false), undefined);
  expect(text).toContain(
    "~ The filter zone of places is deprecated as of 2026-12-01; may be gone from 2027-06-01 on.\n",
  );
  await buildForTest(taggedContent, published, [], api);
  const later = extend(marked, { deprecated: { since, sunset: "2026-12-24" } });
  const moved = await against(
    completeApi(defineApi({ collections: { places: later }, outputs })),
    "2026-11-20",
    published,
    taggedContent,
  );
  const without = completeApi(defineApi({ collections: { places: defineCollection(options) } }));
  const gone = await against(without, "2027-06-01", published, taggedContent);
  expect(gone.breaking).toEqual([]);
  expect(gone.announced).toMatchObject([{ code: "order-removed" }, { code: "output-removed" }]);
  const early = await against(without, "2027-05-31", published, taggedContent);
  expect(early.breaking.at(-1)?.message).toBe(
    "The output /api/v1/old.txt is removed: it is answered with 404. Its sunset is not before 2027-06-01.",
  );
  expect(moved.deprecated).toEqual([]);
  expect(moved.declaration).toEqual([{ field: "places.deprecated.sunset", after: "2026-12-24" }]);
});
