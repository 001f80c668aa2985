import { hostname } from "node:os";
import { expect, it } from "vitest";
import { isLocalName, isNamed, tagOf } from "./preview.ts";

it.each([
  [undefined, true],
  ["localhost", true],
  ["LOCALHOST:3000", true],
  ["127.0.0.1:3000", true],
  ["[::1]:3000", true],
  [`${hostname()}:3000`, true],
  ["", false],
  ["example.com", false],
  ["localhost.example.com:3000", false],
  ["127.0.0.1.example.com", false],
  ["example.com:3000:127.0.0.1", false],
])("takes the Host %j for this machine: %j", (host, isLocal) => expect(isLocalName(host)).toBe(isLocal));

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
