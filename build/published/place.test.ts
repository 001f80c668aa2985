import { expect, it } from "vitest";
import { publishRoot } from "./place.ts";

it.each([
  ["https://a.example", ["/api/v1"], "https://a.example"],
  ["https://a.example/", ["/api/v1"], "https://a.example"],
  ["https://a.example/api/v1/", ["/api/v1"], "https://a.example"],
  ["https://a.example/data/api/v1", ["/api/v2", "/api/v1"], "https://a.example/data"],
  ["https://a.example/api/v1x0", ["/api/v1.0"], "https://a.example/api/v1x0"],
  ["https://a.example/api/v1.0", ["/api/v1.0"], "https://a.example"],
  ["https://a.example/api/v1", ["/v1", "/api/v1"], "https://a.example"],
  ["dist/api/v1", ["/api/v1"], "dist/api/v1"],
])("the publish root of %s with the bases %j is %s", (place, bases, root) => {
  expect(publishRoot(place, bases)).toBe(root);
});
