import { expect, it } from "vitest";
import { breakingKinds, chosenKinds } from "./kinds.ts";

it.each([
  ["breaking", breakingKinds],
  ["breaking,-item-removed", breakingKinds.filter((kind) => kind !== "item-removed")],
  [" value-removed , operation-removed", ["value-removed", "operation-removed"]],
  ["breaking,-breaking,item-removed", ["item-removed"]],
])("takes %j for a choice of kinds", (text, kinds) => {
  expect(chosenKinds(text)).toEqual(new Set(kinds));
});

it.each([
  ["anything", '"anything" is not a kind of change. The kinds are breaking, operation-removed, value-removed, '],
  ["", '"" is not a kind of change. '],
  ["-item-removed", "It excludes every kind of change. "],
])("says why %j is no choice", (text, wrong) => {
  expect(chosenKinds(text)).toEqual({ wrong: expect.stringContaining(wrong) });
});
