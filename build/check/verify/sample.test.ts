import fc from "fast-check";
import { expect, it } from "vitest";
import { sampleOf } from "./sample.ts";

const kindOf = (entry: string) => entry.charAt(0);

it("has each kind, no entry twice, the order of the list, and no more entries than necessary", () => {
  const lists = fc.uniqueArray(fc.stringMatching(/^[a-h][0-9]{1,3}$/), { maxLength: 60 });
  fc.assert(
    fc.property(lists, fc.nat(30), (list, most) => {
      const sample = sampleOf(list, kindOf, most);
      const kinds = new Set(list.map(kindOf));
      expect(new Set(sample.map(kindOf))).toEqual(kinds);
      expect(sample).toEqual(list.filter((entry) => sample.includes(entry)));
      expect(sample.length).toBe(Math.min(list.length, Math.max(most, kinds.size)));
      expect(sampleOf(list, kindOf, most)).toEqual(sample);
    }),
  );
});

it("takes equally many of each kind if there are enough", () => {
  const list = Array.from({ length: 300 }, (_, index) => `${index < 200 ? "a" : "b"}${index}`);
  expect(sampleOf(list, kindOf, 40).filter((entry) => kindOf(entry) === "a")).toHaveLength(20);
});
