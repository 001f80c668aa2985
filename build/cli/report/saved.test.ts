import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { lay, temporaryFolder } from "../../../test/output/folder.ts";
import { planned } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { changesBetween, filesText, savedText } from "./saved.ts";

const plain = createColors(false);

describe("what a save changed", () => {
  it("is a line: the time, the files, the items, and what it cost", () => {
    const head = filesText(new Date(2026, 0, 1, 14, 3, 21), ["nodes/europe.ndjson"], "content", plain);
    expect(savedText(head, [{ name: "nod_a", kind: "changed", fields: ["status"] }], 181, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: nod_a changed status in 0.2 s",
    );
    const changes = ["a", "b", "c", "d", "e"].map((name) => ({ name, kind: "added" as const, fields: [] }));
    expect(savedText(head, changes, 2_000, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: a added, b added, c added and 2 more in 2.0 s",
    );
    expect(savedText(head, [], 0, plain)).toBe("14:03:21 nodes/europe.ndjson: no item changed in 0.0 s");
  });

  it("names a few files, and the folder if none is known", () => {
    const time = new Date(2026, 0, 1, 4, 3, 2);
    expect(filesText(time, ["a", "b", "c", "d"], "content", plain)).toBe("04:03:02 a, b, c and 1 other file");
    expect(filesText(time, [], "my/content", plain)).toBe("04:03:02 content");
  });

  const parks = { purpose: "Parks.", key: "id", schema: z.object({ id: slug, city: z.string().optional() }) } as const;
  const sized = { ...parks, schema: z.object({ id: slug, city: z.string().optional(), size: z.int().optional() }) };
  const lakes = defineCollection({ purpose: "Lakes.", schema: z.object({ id: slug }), key: "id" });
  const old = { since: "2026-01-01" };

  it.each([
    ["a field", { parks: defineCollection(sized) }, ["parks.fields.size added"]],
    ["a filter", { parks: defineCollection({ ...parks, filters: { city: "city" } }) }, ["parks.filters.city added"]],
    ["a collection", { parks: defineCollection(parks), lakes }, ["lakes added", "deep added"]],
    ["a collection in place of another", { lakes }, ["lakes added", "parks removed", "deep added"]],
    ["a notice", { parks: defineCollection({ ...parks, deprecated: old }) }, ["parks deprecated"]],
    ["nothing that an answer has", { parks: defineCollection({ ...parks, purpose: "All parks." }) }, []],
  ] as const)("names %s that the declaration adds", async (_, collections, expected) => {
    const planWith = (declared: Parameters<typeof defineApi>[0]["collections"]) => {
      const content = temporaryFolder();
      const files = { parks: "- id: green\n", lakes: "- id: deep\n" };
      const names = Object.keys(declared ?? {}) as (keyof typeof files)[];
      lay(content, {
        ...Object.fromEntries(names.map((name) => [`${name}.yaml`, files[name]])),
        "deployments/edge.yaml": `operations: [${names.join(", ")}]\n`,
      });
      return planned({ api: completeApi(defineApi({ collections: declared })), content });
    };
    const before = await planWith({ parks: defineCollection(parks) });
    const changes = changesBetween(before, await planWith(collections));
    expect(changes.map(({ name, kind }) => `${name} ${kind}`)).toEqual(expected);
  });
});
