// The content of several APIs in one folder.
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { label, slug } from "../../src/declare/forms.ts";
import { defineApi, defineCollection, defineDocument, reference } from "../../src/index.ts";
import type { Apis } from "../../src/model/api.ts";
import { discovered } from "../../test/content/folder.ts";
import { lineOf, programOfTests } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { openLog } from "../messages.ts";
import { compileContents } from "./content.ts";
import { loadAll } from "./make/load.ts";
import { allItems } from "./table/items.ts";

const schema = z.strictObject({ id: slug, title: label });
const plants = defineCollection({ purpose: "Plants.", schema, key: "id", files: "plants/*.yaml" });
const trees = defineCollection({ purpose: "Trees.", schema, key: "id", paged: false });
const planted = defineCollection({
  purpose: "Plants.",
  schema: z.strictObject({ id: slug, name: label }),
  key: "id",
  files: ["plants/*.yaml", "trees.json"],
  transform: ({ title, ...plant }) => ({ ...plant, name: title }),
});
const beds = defineCollection({
  purpose: "Beds.",
  schema: z.strictObject({ id: slug, plant: reference("plants") }),
  key: "id",
});
const status = defineDocument({ purpose: "Status.", required: true, schema: z.strictObject({ works: z.boolean() }) });
const stated = defineDocument({
  purpose: "Status.",
  required: true,
  schema: z.strictObject({ version: z.literal("v1"), state: z.enum(["good", "bad"]), note: label.optional() }),
  transform({ works, ...more }) {
    if (works === "broken") throw new Error("It is broken.");
    return { state: works === true ? "good" : works, ...more };
  },
});

const withoutDocuments: Apis = [
  completeApi(defineApi({ base: "/v2", title: "Second", collections: { plants, trees } }), programOfTests),
  completeApi(defineApi({ base: "/v1", collections: { plants: planted, beds } }), programOfTests),
];

const withDocuments: Apis = [
  completeApi(defineApi({ base: "/v2", collections: { plants, trees }, documents: { status } }), programOfTests),
  completeApi(
    defineApi({ base: "/v1", collections: { plants: planted }, documents: { status: stated } }),
    programOfTests,
  ),
];

type Tree = Parameters<typeof discovered>[0];

const plantsAndTrees = {
  "plants/mint.yaml": "{ id: mint, title: Mint }",
  "trees.json": '[{ "id": "oak", "title": "Oak" }]',
};

const tree = {
  ...plantsAndTrees,
  "beds.json": '[{ "id": "north", "plant": "oak" }]',
};

/** The content of each API, and the messages as lines. */
function compile(apis: Apis, files: Tree) {
  const log = openLog();
  const contents = compileContents(discovered(files), apis, log);
  return { contents, lines: log.messages().shown.map(lineOf) };
}

describe("a folder of content of several APIs", () => {
  it("has files that several of them read, and files that one reads", () => {
    const { contents, lines } = compile(withoutDocuments, tree);
    expect(lines).toEqual([]);
    const [second, first] = contents.map(
      ({ items }) =>
        (name: string) =>
          allItems(items.get(name)),
    );
    expect(second?.("plants")).toEqual([{ id: "mint", title: "Mint" }]);
    expect(second?.("trees")).toEqual([{ id: "oak", title: "Oak" }]);
    expect(first?.("plants")).toEqual([
      { id: "mint", name: "Mint" },
      { id: "oak", name: "Oak" },
    ]);
    expect(first?.("beds")).toEqual([{ id: "north", plant: "oak" }]);
  });

  it("has faults that are told once, and a file is unknown if no API reads it", () => {
    const { lines } = compile(withoutDocuments, {
      ...tree,
      "plants/mint.yaml": "id: mint\ntitle: [",
      "plants.json": "[]",
      "shrubs.json": "[]",
    });
    expect(lines).toEqual([
      "plants.json:1:1 unknown-file No collection has files with this path. Its files are plants/*.yaml.",
      expect.stringMatching(/^plants\/mint\.yaml:2:\d+ syntax /),
      expect.stringMatching(/^shrubs\.json:1:1 unknown-file No collection is called "shrubs"\. /),
    ]);
  });

  it("hides no fault of an API by files of another one", () => {
    // For version 1, trees.json is unknown no more than beds.json is for version 2.
    const { lines } = compile(withoutDocuments, { ...tree, "beds.json": '[{ "id": "north", "plant": "oaks" }]' });
    expect(lines).toEqual([expect.stringMatching(/^beds\.json:1:\d+ no-such-item .*Did you mean "oak"\?$/)]);
  });

  it("has one api.yaml, which names operations of any of them and has no title for one with its own", () => {
    const settings = "title: Common\npage_sizes: { beds: [10], plants: [5] }\npaging: { bed: stable }\n";
    const { contents, lines } = compile(withoutDocuments, { ...tree, "api.yaml": settings });
    expect(lines).toEqual(['api.yaml:3:11 unknown-field paging has no key "bed". Did you mean "beds"?']);
    expect(contents.map(({ settings: { title, pageSizes } }) => [title, [...pageSizes.keys()]])).toEqual([
      ["Second", ["plants"]],
      ["Common", ["plants", "beds"]],
    ]);
  });
});

it("loads what several APIs load once", async () => {
  const load = vi.fn(() => [{ id: "mint", title: "Mint" }]);
  const loaded = defineCollection({ purpose: "Plants.", schema, key: "id", load });
  const alike = defineCollection({ purpose: "Plants.", schema: schema.extend({}), key: "id", load });
  const apis: Apis = [
    completeApi(defineApi({ base: "/v2", collections: { plants: loaded } }), programOfTests),
    completeApi(defineApi({ base: "/v1", collections: { herbs: alike } }), programOfTests),
  ];
  const items = [{ id: "mint", title: "Mint" }];
  expect(await loadAll(apis, openLog())).toEqual([new Map([["plants", items]]), new Map([["herbs", items]])]);
  expect(load).toHaveBeenCalledTimes(1);
});

describe("a deployment of several APIs", () => {
  const deployed = (apis: Apis, text: string) => {
    const { contents, lines } = compile(apis, { ...plantsAndTrees, "deployments/edge.yaml": text });
    return { lines, edges: contents.map(({ deployments }) => deployments.get("edge")) };
  };

  it("has a document for each of them, which one makes from what the other has", () => {
    const { lines, edges } = deployed(withDocuments, "operations: [plants]\nstatus: { works: true }\n");
    expect(lines).toEqual([]);
    expect(edges.map((edge) => [edge?.operations, edge?.documents.get("status")])).toEqual([
      [["plants", "status"], { works: true }],
      [["plants", "status"], { state: "good" }],
    ]);
  });

  it("leaves out an API of which it names nothing", () => {
    const { lines, edges } = deployed(withoutDocuments, "operations: [trees]\n");
    expect(lines).toEqual([]);
    expect(edges.map((edge) => edge?.operations)).toEqual([["trees"], []]);
  });

  it("cannot name what no API has", () => {
    const { lines } = deployed(withoutDocuments, "operations: [trees, bed]\n");
    expect(lines).toEqual([
      'deployments/edge.yaml:1:21 wrong-value operations[1] must be one of plants, trees, beds, but is "bed". Did you mean "beds"?',
    ]);
  });

  it.each([
    ["{ works: true, note: 5 }", "2:30", "wrong-type note must be "],
    ["{ works: broken }", "2:9", "not-made The transform of status fails: It is broken (api.config.ts:3:9)."],
    ["{ works: maybe }", "2:9", "wrong-value state must be good or bad"],
  ])("has the faults of what is made from %s at their places", (text, place, fault) => {
    const { lines } = deployed([withDocuments[1] ?? expect.fail()], `operations: [plants]\nstatus: ${text}\n`);
    expect(lines).toEqual([expect.stringContaining(`deployments/edge.yaml:${place} ${fault}`)]);
  });
});
