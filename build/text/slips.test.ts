import { expect, it } from "vitest";
import { closest, nearest } from "./slips.ts";

it.each([
  ["lhr2", ["lhr1", "nrt1"], "lhr1"],
  ["operatonal", ["operational", "planned"], "operational"],
  ["Nodes", ["nodes", "records"], "nodes"],
  ["ab", ["ba", "xy"], "ba"],
  ["ndoes", ["noses", "nodes"], "nodes"],
  ["e\u0301", ["\u00e9"], "\u00e9"],
  ["xyz", ["operational"], undefined],
  ["ab", ["ac"], undefined],
  ["", ["a"], undefined],
])("of %j, takes the known word of %j that is meant: %j", (word, words, expected) => {
  expect(closest(word, words)).toBe(expected);
});

it("suggests nothing among more than a thousand words", () => {
  const words = Array.from({ length: 1_000 }, (_, number) => `word${number}`);
  expect(closest("word7x", words)).toBe("word7");
  expect(closest("word7x", [...words, "another"])).toBeUndefined();
});

it("asks with the word in quotes", () => {
  expect(nearest("lhr2", ["lhr1"])).toBe('Did you mean "lhr1"?');
});
