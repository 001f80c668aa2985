import { afterEach, expect, it, vi } from "vitest";
import { secondsNow } from "./seconds-now.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ["0", 0],
  ["1700000000", 1_700_000_000],
  ["253402300799", 253_402_300_799],
])("a build takes place at %s", (set, expected) => {
  vi.stubEnv("SOURCE_DATE_EPOCH", set);
  expect(secondsNow()).toBe(expected);
});

it.each(["abc", "-1", "1.5", "1e3", " ", "1700000000000", "253402300800"])("no build takes place at %j", (set) => {
  vi.stubEnv("SOURCE_DATE_EPOCH", set);
  expect(() => secondsNow()).toThrow("SOURCE_DATE_EPOCH is not a number of seconds.");
});
