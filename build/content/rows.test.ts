import { expect, it } from "vitest";
import { edgeNetwork } from "../../test/edge-network.ts";
import { MachineError } from "../machine-error.ts";
import { itemsOf, rowsOf } from "./rows.ts";

it("refuses more items than offsets of 32 bits can tell apart, before it makes room for them", () => {
  const [operation] = edgeNetwork.lists;
  if (operation === undefined) throw new Error("There is no list operation.");
  const row = rowsOf(operation, true, [operation.resource.example]);
  const half = { ...row, ends: Uint32Array.of(2 ** 31) };
  expect(() => itemsOf([half, half], operation)).toThrow(MachineError);
  expect(() => itemsOf([half, half], operation)).toThrow(
    /^The items of one operation are 4\.3 GB as JSON; at most 4\.3 GB/,
  );
});
