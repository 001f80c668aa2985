import { expect, it } from "vitest";
import { flatten } from "./flatten.ts";

it("gives the elements of all lists in order, empty ones among them", () => {
  expect([...flatten([[], [1, 2], [], [3], []])]).toEqual([1, 2, 3]);
  expect([...flatten([])]).toEqual([]);
});

it("asks for a list once the one before it has ended", () => {
  const asked: string[] = [];
  function* list(name: string) {
    asked.push(name);
    yield name;
  }
  function* lists() {
    yield list("a");
    asked.push("between");
    yield list("b");
  }
  const all = flatten(lists())[Symbol.iterator]();
  expect(all.next().value).toBe("a");
  expect(asked).toEqual(["a"]);
  expect(all.next().value).toBe("b");
  expect(asked).toEqual(["a", "between", "b"]);
  expect(all.next()).toEqual({ done: true, value: undefined });
  expect(all.next().done).toBe(true);
});
