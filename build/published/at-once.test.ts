import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { allAtOnce, atOnce } from "./at-once.ts";

const numbers = Array.from({ length: 3 * atOnce }, (_, index) => index);

it("returns the results in the order of the values, whatever ends first, and works on several at a time", async () => {
  let underWay = 0;
  let max = 0;
  const results = await allAtOnce(numbers, async (number) => {
    max = Math.max(max, ++underWay);
    await sleep((number * 7) % 5);
    underWay--;
    return -number;
  });
  expect(results).toEqual(numbers.map((number) => -number));
  expect(max).toBe(atOnce);
});

it("starts no work after a failure, and rejects when the work that had started has ended", async () => {
  const started: number[] = [];
  let ended = 0;
  const all = allAtOnce(numbers, async (number) => {
    started.push(number);
    if (number === 2) throw new Error("The third fails.");
    await sleep(10);
    ended++;
  });
  await expect(all).rejects.toThrow("The third fails.");
  expect({ started: started.length, ended }).toEqual({ started: atOnce, ended: atOnce - 1 });
});
