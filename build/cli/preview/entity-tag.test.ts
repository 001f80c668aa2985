import { expect, it } from "vitest";
import { isNamed, tagOf } from "./entity-tag.ts";

it("tells bytes apart, and nothing else", () => {
  const [one, same, other] = ["[1]", "[1]", "[2]"].map((text) => tagOf(Buffer.from(text)));
  expect(one).toMatch(/^"[0-9a-f]{32}"$/);
  expect([same === one, other === one]).toEqual([true, false]);
});

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ["*", true],
  [" * ", true],
  ['"x", W/"y", "a"', true],
  ['"x",W/"a" ,"y"', true],
  [',, "a",', true],
  ['"b"', false],
  ['"A"', false],
  ['w/"a"', false],
  ['"a', false],
  ["a", false],
  ['"x, a"', false],
  ['"a", nonsense', false],
  ['"*"', false],
  ["", false],
  [`${",  ".repeat(5_000)}x`, false],
])("takes %j as naming the tag: %s", (field, named) => {
  expect(isNamed('"a"', field)).toBe(named);
});
