import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/index.ts";
import { ofDeprecated, writeDeprecated } from "../../test/check/deprecated.ts";
import { planOf } from "../../test/documents/source.ts";
import type { TestPlan } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-deprecation-"));
afterAll(() => rmSync(folder, { recursive: true }));

let plan: TestPlan;

beforeAll(async () => {
  writeDeprecated(folder);
  plan = await planOf(folder, ofDeprecated);
});

function textOf(file: string): string {
  const found = plan.files.find(file);
  if (found === undefined) throw new Error(`There is no ${file}.`);
  return bytesOf(found).toString();
}

/** The visible text of a page, with the targets of links in brackets. */
const seenOn = (file: string): string =>
  textOf(file)
    .replace(/<a [^>]*href="([^"]*)"[^>]*>/g, "[$1] ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/\s+/g, " ");

const jsonOf = (file: string) => JSON.parse(textOf(file));

const ofSpots = { since: "2026-12-01", sunset: "2027-06-01", use: "places", why: "A spot is a <place>." };

it("marks operations, parameters and fields in OpenAPI, with their headers", () => {
  const { paths, components } = jsonOf("api/v1/openapi.json");
  const { get: spots } = paths["/api/v1/spots"];
  expect(spots).toMatchObject({
    deprecated: true,
    description: expect.stringContaining(
      "Deprecated as of 2026-12-01; may be gone from 2027-06-01 on. Use `/api/v1/places` instead. A spot is a <place>.",
    ),
    responses: {
      "200": {
        headers: { Deprecation: { example: "@1796083200" }, Sunset: { example: "Tue, 01 Jun 2027 00:00:00 GMT" } },
      },
    },
  });
  expect(paths["/api/v1/spots/{id}"].get.deprecated).toBe(true);
  expect(paths["/api/v1/health"].get.deprecated).toBe(true);
  expect(paths["/api/v1/health"].get.responses["200"].headers).not.toHaveProperty("Sunset");
  const { get: places } = paths["/api/v1/places"];
  expect(places).not.toHaveProperty("deprecated");
  const marked = places.parameters.filter((parameter: object) => "deprecated" in parameter);
  expect(marked).toMatchObject([
    { name: "pop", deprecated: true, description: expect.stringMatching(/Use `zone` instead\.$/) },
  ]);
  expect(places.responses["200"].headers).not.toHaveProperty("Deprecation");
  expect(paths["/api/v1/places/{id}"].get.responses["200"].headers).not.toHaveProperty("Deprecation");
  const { properties } = components.schemas.Place;
  expect(properties.pop).toMatchObject({
    deprecated: true,
    description: "Where it was. Deprecated as of 2026-12-01. Use `zone` instead.",
  });
  expect(properties.zone).not.toHaveProperty("deprecated");
  expect(properties.tags.items.properties.old).toMatchObject({ deprecated: true });
});

it("marks JSON Schemas: a field, and the whole of what will go", () => {
  expect(jsonOf("api/v1/schemas/places.json")).toMatchObject({ properties: { pop: { deprecated: true } } });
  expect(jsonOf("api/v1/schemas/places.json")).not.toHaveProperty("deprecated");
  expect(jsonOf("api/v1/schemas/spots.json").deprecated).toBe(true);
  expect(jsonOf("api/v1/schemas/health.json").deprecated).toBe(true);
});

it("is in BASE and beside the values of filters as it was declared", () => {
  const [places, spots, health] = jsonOf("api/v1.json").operations;
  expect(places).toMatchObject({
    deprecated_filters: { pop: { since: "2026-12-01", sunset: "2027-06-01", use: "zone" } },
    deprecated_fields: { pop: { since: "2026-12-01", use: "zone" }, "tags[].old": { since: "2026-12-01" } },
  });
  expect(places).not.toHaveProperty("deprecated");
  expect(spots.deprecated).toEqual(ofSpots);
  expect(health.deprecated).toEqual({ since: "2026-01-01" });
  const [zone, pop] = jsonOf("api/v1/filters/places.json").filters;
  expect(pop.deprecated).toMatchObject({ sunset: "2027-06-01" });
  expect(zone).not.toHaveProperty("deprecated");
});

it("says in the reference when it goes, and links to what to use instead", () => {
  const page = seenOn("api/v1/docs/index.html");
  const notice =
    "Deprecated as of 2026-12-01; may be gone from 2027-06-01 on. Use [#list-places] /api/v1/places instead. A spot is a <place>.";
  // The list and its single items.
  expect(page.split(notice)).toHaveLength(3);
  expect(page).toContain("Deprecated as of 2026-01-01.");
  expect(page).toContain("Deprecated as of 2026-12-01. Use [#resource-places.zone] zone instead.");
  expect(page).toContain("[#list-places.pop] pop string deprecated");
  expect(page).toContain("[#resource-places.pop] pop string deprecated");
});

it("marks the table of a list, the heads of its columns and its filters", () => {
  expect(seenOn("api/v1/docs/data/spots.html")).toContain("Use [/api/v1/places] /api/v1/places instead.");
  const page = seenOn("api/v1/docs/data/places.html");
  expect(page.match(/ pop deprecated/g)?.length).toBe(2);
  expect(page).not.toMatch(/ zone deprecated/);
});

it("marks an order in BASE, OpenAPI, the reference and the console", async () => {
  const deprecated = { since: "2026-12-01", sunset: "2027-06-01", use: "far" };
  const spots = defineCollection({
    purpose: "Spots.",
    schema: z.strictObject({ id: z.string(), size: z.int() }),
    key: "id",
    orders: { back: { fields: ["-id"], deprecated }, far: ["size"] },
  });
  const content = path.join(folder, "orders");
  mkdirSync(content);
  writeFileSync(path.join(content, "spots.json"), JSON.stringify([{ id: "a", size: 1 }]));
  plan = await planOf(content, completeApi(defineApi({ collections: { spots } })));
  expect(jsonOf("api/v1.json").operations[0]).toMatchObject({
    orders: { back: ["-id"], far: ["size", "id"] },
    deprecated_orders: { back: deprecated },
  });
  const notice = "Deprecated as of 2026-12-01; may be gone from 2027-06-01 on. Use `far` instead.";
  const { parameters } = jsonOf("api/v1/openapi.json").paths["/api/v1/spots"].get;
  const sort = parameters.find(({ name }: { readonly name: string }) => name === "sort");
  expect(sort.description).toContain(`\`back\`: by \`id\` descending. ${notice} \`far\``);
  const page = seenOn("api/v1/docs/index.html");
  expect(page).toContain(notice.replaceAll("`", ""));
  expect(page).toContain("back (deprecated)");
  expect(page).not.toContain("far (deprecated)");
});

it("marks an output in BASE, OpenAPI and the reference", async () => {
  const deprecated = { since: "2026-12-01", sunset: "2027-06-01", use: "spots" };
  const spots = defineCollection({ purpose: "Spots.", schema: z.strictObject({ id: z.string() }), key: "id" });
  const render = () => "";
  const outputs = { "old.txt": { render, deprecated }, "new.txt": { render } };
  const content = path.join(folder, "outputs");
  mkdirSync(content);
  writeFileSync(path.join(content, "spots.json"), JSON.stringify([{ id: "a" }]));
  plan = await planOf(content, completeApi(defineApi({ collections: { spots }, outputs })));
  const [old, other] = jsonOf("api/v1.json").outputs;
  expect(old).toMatchObject({ path: "/api/v1/old.txt", deprecated });
  expect(other).not.toHaveProperty("deprecated");
  const notice = "Deprecated as of 2026-12-01; may be gone from 2027-06-01 on. Use `spots` instead.";
  const { paths } = jsonOf("api/v1/openapi.json");
  expect(paths["/api/v1/old.txt"].get).toMatchObject({ description: notice, deprecated: true });
  expect(paths["/api/v1/new.txt"].get).not.toHaveProperty("deprecated");
  const page = seenOn("api/v1/docs/index.html");
  expect(page).toContain(`deprecated (${notice.replaceAll("`", "")})`);
});
