import fc from "fast-check";
import { expect, it } from "vitest";
import { cursorListing } from "../../src/model/cursor.ts";
import { cursorForm } from "../../src/model/paging.ts";
import { listOf } from "../../test/edge-network.ts";
import { cursorAfter } from "./cursor.ts";

const records = cursorListing(listOf("EdgeRecord"), undefined);
const nodes = cursorListing(listOf("EdgeNode"), undefined);
const filtered = cursorListing(listOf("EdgeNode"), undefined, [{ param: "region", value: "lhr1" }]);

it("is the same in every build, because clients' links contain it", () => {
  expect(cursorAfter(records, "app 2024-01-01T00:00:00Z rec_1")).toBe("k17jm6zrq10kdmf64k10at3jq");
  expect(cursorAfter(filtered, "2024-01-01T00:00:00Z nod_1")).toBe("k1t7k4wlbqmib1k61dinj5csw");
});

it("has its form, and differs by listing and by item", () => {
  const keys = fc.tuple(fc.stringMatching(/^[a-z0-9]{1,12}$/), fc.stringMatching(/^[a-z0-9]{1,12}$/));
  fc.assert(
    fc.property(keys, ([a, b]) => {
      expect(cursorAfter(filtered, a)).toMatch(new RegExp(cursorForm));
      expect(cursorAfter(filtered, a)).not.toBe(cursorAfter(nodes, a));
      if (a !== b) expect(cursorAfter(filtered, a)).not.toBe(cursorAfter(filtered, b));
    }),
  );
});

it("differs for items whose 64-bit FNV-1a hashes were made to be the same", () => {
  const [one, other] = ["nod_jcbaoijkfhchfdll", "nod_nkjigokhnjmlebli"].map((id) => `2023-01-13T00:00:00Z ${id}`);
  expect(cursorAfter(nodes, one ?? "")).not.toBe(cursorAfter(nodes, other ?? ""));
});
