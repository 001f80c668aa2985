import { expect, it } from "vitest";
import { parseRoutingTable } from "./table.ts";

const error = { status: 400, file: "api/v1/errors/nodes/invalid_limit.json", body: {} };
const about = { contentType: "text/html; charset=utf-8", cacheControl: "no-store" };

/** The form of version 1.0: parameters in a list, with their variables and forms, and a list of folders. */
const earlier = {
  generator: "stillapi",
  base: "/api/v1",
  operations: [
    {
      name: "nodes",
      path: "/api/v1/nodes",
      params: [{ kind: "limit", name: "limit", slot: "limit", error, sizes: [100] }],
      pathOrder: ["limit"],
      item: { parts: 1, form: "^[a-z]+$" },
    },
  ],
  documents: [{ ...about, path: "/", file: "index.html" }],
  folders: [{ ...about, path: "/api/v1/docs/data", least: 1, most: 3, form: "^[a-z]+$" }],
};

it("recognises the marker of an earlier form, and what that build owns", () => {
  const marker = parseRoutingTable(JSON.stringify(earlier));
  expect(marker).toMatchObject({
    base: "/api/v1",
    operations: [{ name: "nodes" }],
    documents: [{ file: "index.html" }],
  });
  expect(marker?.owns).toBeUndefined();
  const owns = ["api/v1/", "index.html", "serve.json"];
  expect(parseRoutingTable(JSON.stringify({ ...earlier, owns }))?.owns).toEqual(owns);
});

it("recognises no marker of another program", () => {
  expect(parseRoutingTable(JSON.stringify({ ...earlier, generator: "other" }))).toBeUndefined();
});
