// Dumps of hundreds of megabytes.
import { constants } from "node:buffer";
import { expect, it } from "vitest";
import { countOf, type ItemLines, itemChanges } from "./changes.ts";
import { linesIn } from "./published.ts";

const byId = { scope: [], key: "id", keyForm: "" };

it("compares a dump longer than the longest text, whichever side it is on", () => {
  // 540 lines of a megabyte.
  const lineOf = (index: number) => `{"id":"i${1_000 + index}","text":"${"x".repeat(1e6)}"}\n`;
  const { length } = lineOf(0);
  const dump = Buffer.alloc(540 * length);
  for (let index = 0; index < 540; index++) dump.write(lineOf(index), index * length, "latin1");
  expect(dump.length).toBeGreaterThan(constants.MAX_STRING_LENGTH);
  const long = linesIn(dump, "things");
  const short = linesIn(dump.subarray(length), "things");
  expect([countOf(long), countOf(short)]).toEqual([540, 539]);
  const kinds = (before: ItemLines, after: ItemLines) =>
    itemChanges(before, after, byId).map((change) => [change.kind, change.key]);
  expect(kinds(long, short)).toEqual([["removed", "i1000"]]);
  expect(kinds(short, long)).toEqual([["added", "i1000"]]);
});

it("finds that millions of equal lines are equal", () => {
  const equal = linesIn(Buffer.from("{}\n".repeat(2_000_000)), "things");
  expect(itemChanges(equal, equal, byId)).toEqual([]);
});
