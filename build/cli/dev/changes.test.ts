import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/temporary.ts";
import { type DevChange, DevChanges, type Inputs } from "./changes.ts";

const folder = temporaryFolder();

let content: string;
let changes: DevChanges;
let last: Inputs;
let runs = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  content = path.join(folder, `content-${++runs}`);
  mkdirSync(content);
  changes = new DevChanges(content);
  last = { ...changes.now({ snapshot: new Map(), apis: undefined }), apis: undefined };
});

afterEach(() => {
  changes.close();
  vi.useRealTimers();
});

const save = (...names: readonly string[]) => {
  for (const name of names) writeFileSync(path.join(content, name), "");
};

/** The changes that `next` has returned, each the last of those before the following one. */
function collect(): readonly (DevChange | undefined)[] {
  const found: (DevChange | undefined)[] = [];
  const follow = async (): Promise<void> => {
    const change = await changes.next(last);
    found.push(change);
    if (change === undefined) return;
    last = { ...last, snapshot: change.snapshot };
    await follow();
  };
  void follow();
  return found;
}

const several = Array.from({ length: 11 }, (_, index) => `${index}.json`);

it.each<[claim: string, pause: number, names: readonly string[]]>([
  ["a file that may be content", 10, ["a.json"]],
  ["only other files", 150, ["a.json.tmp"]],
  ["more files than anyone saves at a time", 400, several],
])("returns one change after many notices, once none came for the pause of %s", async (_, pause, names) => {
  const found = collect();
  for (let notice = 0; notice < 5; notice++) {
    save(...names);
    changes.notice();
    // A file is examined ten milliseconds after it was noticed.
    await vi.advanceTimersByTimeAsync(Math.max(9, pause - 1));
  }
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(11);
  expect(found.map((change) => change?.files)).toEqual([[...names].sort()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(found).toHaveLength(1);
});

it("returns nothing if nothing has changed", async () => {
  const found = collect();
  changes.notice();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([found, changes.areMore(last)]).toEqual([[], false]);
});

it("returns what was noticed while nobody waited, and nothing that a change covers", async () => {
  save("a.json");
  changes.notice();
  expect([changes.areMore(last), changes.now(last).content, changes.areMore(last)]).toEqual([true, ["a.json"], true]);
  changes.notice();
  const found = collect();
  await vi.advanceTimersByTimeAsync(10);
  expect(found).toMatchObject([{ isDeclaration: false, content: ["a.json"] }]);
  changes.notice();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(found).toHaveLength(1);
});

it("returns a change of the declaration once", async () => {
  const found = collect();
  changes.noticeDeclaration();
  await vi.advanceTimersByTimeAsync(10);
  save("a.json");
  changes.notice();
  await vi.advanceTimersByTimeAsync(10);
  expect(found).toMatchObject([
    { isDeclaration: true, files: [] },
    { isDeclaration: false, files: ["a.json"] },
  ]);
});

it("ends when it is closed, also during a pause", async () => {
  const found = collect();
  save("a.json");
  changes.notice();
  await vi.advanceTimersByTimeAsync(5);
  changes.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([found, await changes.next(last)]).toEqual([[undefined], undefined]);
});
