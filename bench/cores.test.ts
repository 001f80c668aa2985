import { expect, it } from "vitest";
import { coresIn } from "./cores.ts";

it.each([
  { list: "0-1", cores: [0, 1] },
  { list: "0-2,5", cores: [0, 1, 2, 5] },
  { list: "3", cores: [3] },
])("$list names the cores $cores", ({ list, cores }) => {
  expect(coresIn(list)).toEqual(cores);
});
