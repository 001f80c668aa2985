import { rmSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { completeApi } from "../../src/complete-api.ts";
import { testApi } from "../../test/client/server.ts";
import { planSample, sourceOf, temporaryFolder } from "../../test/documents/source.ts";
import { overview } from "./overview.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

it("lists how each operation is keyed, ordered, filtered and cached", async () => {
  const source = sourceOf(await planSample(folder, { count: 3, pageSizes: [2] }));
  const { operations } = completeApi(testApi);
  const { path, file, parts } = overview({ ...source, operations }, []);
  expect({ path, file }).toEqual({ path: "/api/v1", file: "api/v1.json" });
  expect(JSON.parse(Buffer.concat([...parts()]).toString()).operations).toEqual([
    {
      name: "things",
      description: "Things.",
      path: "/api/v1/things",
      parameters: ["kind", "is_new", "limit", "cursor"],
      key: "id",
      order: ["made", "id"],
      filters: { kind: "kind", is_new: "is_new" },
      together: [["kind", "is_new"]],
      page_sizes: "every",
      cache: "public, max-age=60",
    },
    {
      name: "shelves",
      description: "Shelves.",
      path: "/api/v1/shelves",
      parameters: [],
      key: "id",
      order: ["id"],
      filters: {},
      cache: "public, max-age=60",
    },
    {
      name: "notice",
      description: "A notice.",
      path: "/api/v1/notice",
      parameters: [],
      cache: "public, max-age=60",
    },
  ]);
});
