import { expect, it } from "vitest";
import { joined } from "./api.ts";

it("writes a list as a part of a sentence", () => {
  const lists = [[], ["a"], ["a", "b"], ["a", "b", 3]];
  expect(lists.map((list) => joined(list, "and"))).toEqual(["", "a", "a and b", "a, b and 3"]);
});
