// An SVG that may run something, on hosts that send its Content-Security-Policy and on those that cannot.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { image } from "../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { from } from "../../src/declare/derived.ts";
import { discovered } from "../../test/content/folder.ts";
import { pictures } from "../../test/content/pictures.ts";
import { compiled, errorsIn } from "../../test/plan.ts";
import { planContents } from "../build.ts";
import { completeApi } from "../declaration/complete.ts";
import { adapters, hosts } from "../hosts/hosts.ts";
import { openLog } from "../messages.ts";

const schema = z.strictObject({ id: z.string(), photo: image() });
const photos = defineCollection({ purpose: "Photos.", key: "id", schema, files: "photos/*.yaml" });
const views = defineCollection({
  purpose: "Views.",
  noun: { one: "view", many: "views" },
  key: "id",
  schema,
  ...from(photos, ({ id, photo }) => [{ id, photo }]),
});
const drafts = defineCollection({ purpose: "Drafts.", key: "id", schema, published: false });
const others = defineCollection({ purpose: "Others.", key: "id", schema });
const api = completeApi(defineApi({ collections: { photos, views, drafts, others } }));

const tree = {
  "photos/a.yaml": "- { id: a, photo: /a.svg }\n- { id: b, photo: /b.png }\n- { id: c, photo: /c.svg }\n",
  "drafts.json": JSON.stringify([{ id: "a", photo: "d.svg" }]),
  "others.json": JSON.stringify([{ id: "a", photo: "d.svg" }]),
  "deployments/one.json": JSON.stringify({ operations: ["photos", "views"] }),
  "deployments/two.json": JSON.stringify({ operations: ["others"] }),
  "deployments/three.json": JSON.stringify({ operations: ["views"] }),
  "a.svg": pictures.scripted,
  "b.png": pictures.png,
  "c.svg": pictures.svg,
  "d.svg": Buffer.from('<svg width="3" height="2"><foreignObject/></svg>'),
};

async function faultsOn(
  names: readonly string[] | undefined,
  deployment: string,
  settings = "default_deployment: one\n",
) {
  const log = openLog();
  const content = compiled(discovered({ ...tree, "api.yaml": settings }), api);
  const hosts = names && adapters(names);
  await planContents([content], { content: "content", deployment, hosts, today: "2026-01-01" }, log);
  return errorsIn(log);
}

const inPhotos =
  'wrong-file "a.svg" has the element script, which may run something, and plain cannot send the header that prevents it.';

describe("an SVG that may run something", () => {
  it("is published by the hosts that send its policy", async () => {
    const able = [...hosts.keys()].filter((name) => name !== "plain");
    for (const name of able) expect([name, await faultsOn([name], "one")]).toEqual([name, []]);
    expect(await faultsOn([], "one")).toEqual([]);
    expect(await faultsOn(undefined, "one")).toEqual([]);
  });

  it("is a fault at each item that names it, if one of the hosts cannot", async () => {
    const faults = [`content/photos/a.yaml:1:19 ${inPhotos} Remove it, or publish to other hosts.`];
    expect(await faultsOn(["plain"], "one")).toEqual(faults);
    expect(await faultsOn(["nginx", "plain"], "one")).toEqual(faults);
    expect(await faultsOn(undefined, "one", "default_deployment: one\nhosts: [plain]\n")).toEqual(faults);
  });

  it("is one at the item that is made from an item that the deployment lacks", async () => {
    expect(await faultsOn(["plain"], "three")).toEqual([
      expect.stringMatching(/^content\/photos\/a\.yaml:1:9 wrong-file "a\.svg" .* \(view "a"\)\. Remove it/),
    ]);
  });

  it("is one only if the deployment has the item", async () => {
    expect(await faultsOn(["plain"], "two")).toEqual([
      'content/others.json:1:20 wrong-file "d.svg" has the element foreignObject, which may run something, and plain cannot send the header that prevents it. Remove it, or publish to other hosts.',
    ]);
  });
});
