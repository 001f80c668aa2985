import { expect, it } from "vitest";
import { basesIn, ownedBy } from "./table.ts";

const owns = ["api/v1/", "api/v2/", "index.html", "serve.json"];
const marker = {
  generator: "stillapi",
  base: "/api/v1",
  state: "0",
  owns,
  others: [{ base: "/api/v2", state: "1" }],
  operations: [],
};

it("recognises the marker of a build, its APIs, and what it owns", () => {
  const text = JSON.stringify(marker);
  expect(basesIn(text)).toEqual(["/api/v1", "/api/v2"]);
  expect(ownedBy(text)).toEqual(owns);
});

it.each<[string, object]>([
  ["another program", { ...marker, generator: "other" }],
  ["a build that does not list its files", { ...marker, owns: undefined }],
  ["a build that lists a file outside of its folder", { ...marker, owns: ["../notes.txt"] }],
])("recognises no marker of %s", (_, other) => {
  const text = JSON.stringify(other);
  expect(basesIn(text)).toEqual([]);
  expect(ownedBy(text)).toBeUndefined();
});
