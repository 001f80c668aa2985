import { describe, expect, it } from "vitest";
import { ownedFiles } from "./owned.ts";
import { itemFile, pageFile } from "./paths.ts";
import { parseRoutingTable } from "./table.ts";

const params = (...names: readonly string[]) => names.map((name) => ({ name }));
const isOwned = ownedFiles({
  base: "/api/v1",
  operations: [
    { name: "nodes", params: params("limit", "region", "cursor") },
    { name: "records", params: params("limit", "collection", "cursor") },
    { name: "products", params: params("limit", "cursor"), item: { parts: 1 } },
    { name: "releases", params: params("limit", "cursor"), item: { parts: 2 } },
  ],
  documents: [{ file: "api/v1/docs/index.html" }],
});

it.each([
  [{ operation: "nodes" }, "api/v1/nodes.json"],
  [{ operation: "nodes", limit: 100 }, "api/v1/nodes.json"],
  [
    { operation: "nodes", chosen: [{ param: "region", value: "lhr1" }], limit: 5, cursor: "k3" },
    "api/v1/nodes/region/lhr1/limit/5/cursor/k3.json",
  ],
  [{ operation: "records", cursor: "k3" }, "api/v1/records/cursor/k3.json"],
])("puts the page %j at %s", (address, file) => {
  expect(pageFile("/api/v1", address)).toBe(file);
  expect(isOwned(file)).toBe(true);
  expect([`${file}.br`, `${file}.gz`].every(isOwned)).toBe(true);
});

it.each([
  ["/api/v1/products", "node.js", "api/v1/products/item/node.js.json"],
  ["/api/v1/releases", "nodejs/20", "api/v1/releases/item/nodejs/20.json"],
])("puts the item of %s with the key %s at %s", (path, key, file) => {
  expect(itemFile(path, key)).toBe(file);
  expect(isOwned(file)).toBe(true);
});

it.each([
  "api/v1/nodes/item/x.json",
  "api/v1/products/item/a/b.json",
  "api/v1/products/x.json",
  "api/v1/releases/item/nodejs.json",
  "api/v1/notes.txt",
  "api/v1/own/page.json",
  "api/v1/nodes/limit/5/x.json",
  "index.html",
  "api/v1/nodes/limit/.json",
  "api/v1/nodes.gz",
  "api/v1/nodes.json.zst",
  "api/v1/nodes.json.gz.br",
  "api/v1/errors/not_found.json.gz",
  "routing.json.gz",
])("does not take %s for a file of the API", (file) => {
  expect(isOwned(file)).toBe(false);
});

describe("the routing table of another version", () => {
  const table = {
    generator: "stillapi",
    since: 1,
    base: "/api/v1",
    operations: [{ name: "zones", path: "/api/v1/zones", params: params("limit") }],
  };

  it("tells which files that version owned", () => {
    const read = parseRoutingTable(JSON.stringify(table));
    const isTheirs = ownedFiles(read ?? { base: "", operations: [], documents: [] });
    expect(["api/v1/zones/limit/5.json", "api/v1/nodes.json"].filter(isTheirs)).toEqual(["api/v1/zones/limit/5.json"]);
  });

  it.each([
    ["text", "routing"],
    ["another program's", JSON.stringify({ ...table, generator: "other" })],
    ["without operations", JSON.stringify({ ...table, operations: undefined })],
    ["without a base", JSON.stringify({ ...table, base: undefined })],
    ["with a base above the folder", JSON.stringify({ ...table, base: "/api/.." })],
    ["with a document outside of the API", JSON.stringify({ ...table, documents: [{ file: "api/v2/x.json" }] })],
    ["with a name that is no word", JSON.stringify({ ...table, operations: [{ name: ".*", params: [] }] })],
  ])("is not %s", (_, text) => {
    expect(parseRoutingTable(text)).toBe(undefined);
  });
});
