import { expect, it } from "vitest";
import { isLinked } from "./paths.ts";

it.each([
  ["api/v1.0/icons/item/cursor.json", true],
  ["api/v1.0/releases/item/nodejs/20.json", true],
  ["api/v1.0/icons/cursor/k1.json", true],
  ["api/v1.0/icons/tag/item/limit/5/cursor/k1.json", true],
  ["api/v1.0/icons/tag/cursor.json", false],
  ["api/v1.0/icons/tag/cursor/limit/5.json", false],
  ["api/v1.0/icons/tag/item/limit/5.json", false],
  ["api/v1.0/icons.json", false],
  ["api/v1x0/icons/item/a.json", false],
])("tells files behind others from values of filters: %s", (file, expected) => {
  expect(isLinked("/api/v1.0", file)).toBe(expected);
});
