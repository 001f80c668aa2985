import { expect, it } from "vitest";
import { adapters } from "../hosts/hosts.ts";
import { hostNames } from "../hosts/names.ts";
import { isRefusedName } from "./refused-names.ts";

it("refuses every name of a file that a host reads or runs", () => {
  const read = adapters(hostNames).flatMap(({ reads = [] }) => reads);
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter((name) => !isRefusedName(name))).toEqual([]);
  for (const name of ["_Headers", ".env", "a.php", "a.PHP5", "a.b.jsp", "x.shtml"])
    expect(isRefusedName(name)).toBe(true);
});

it("accepts all other names", () => {
  for (const name of ["a.json", "_redirects.txt", "a.php.json", "perl", "cities.ics"])
    expect(isRefusedName(name)).toBe(false);
});
