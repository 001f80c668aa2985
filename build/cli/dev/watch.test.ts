import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Watch, watchFolder } from "./watch.ts";

let parent: string;
let changes: number;
let watched: Watch;

const at = (name: string): string => path.join(parent, name);

beforeEach(() => {
  // When the watcher looks for itself is up to the test. What the system reports to it comes when it comes.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  parent = mkdtempSync(path.join(tmpdir(), "stillapi-watch-"));
  mkdirSync(at("real/content/sub/deep"), { recursive: true });
  symlinkSync("real", at("link"));
  changes = 0;
  const onChange = () => {
    changes++;
  };
  watched = watchFolder(at("link/content"), { onChange, onFollowed: () => undefined });
});

afterEach(() => {
  watched.close();
  vi.useRealTimers();
  rmSync(parent, { recursive: true });
});

/** Waits until the change has been reported and the watcher has reacted to it. */
async function settled(): Promise<void> {
  for (let seen = -1; seen !== changes; await sleep(20)) seen = changes;
}

const move = (from: string, to: string) => () => renameSync(at(from), at(to));
const copy = (from: string, to: string) => () => cpSync(at(from), at(to), { recursive: true });
const remove = (name: string) => () => rmSync(at(name), { recursive: true });
const make = (name: string) => () => void mkdirSync(at(name), { recursive: true });
const save = (name: string) => () => writeFileSync(at(name), "");
const point = (target: string) => () => {
  symlinkSync(target, at("other-link"));
  renameSync(at("other-link"), at("link"));
};

const sub = "real/content/sub";

it.each<[claim: string, folder: string, ...steps: (() => void)[]]>([
  ["the folder was away for a moment", "", move("real/content", "x"), move("x", "real/content")],
  ["the folder was made again", "", remove("real/content"), make("real/content")],
  ["the folder was replaced", "", move("real/content", "x"), make("real/content")],
  ["one above it was away for a moment", "", move("real", "x"), save("x/content/a.json"), move("x", "real")],
  ["one above it was replaced", "", copy("real", "x"), move("real", "y"), move("x", "real")],
  ["a link to it led elsewhere for a moment", "", copy("real", "x"), point("x"), point("real")],
  ["a link to it was pointed elsewhere", "", copy("real", "x"), point("x")],
  ["one in it was away for a moment", "sub", move(sub, "x"), move("x", sub)],
  ["one around it was away for a moment", "sub/deep", move(sub, "x"), move("x", sub)],
  ["one in it was made again", "sub/deep", remove(sub), make(`${sub}/deep`)],
  ["one in it was replaced", "sub/deep", copy(sub, "x"), move(sub, "y"), move("x", sub)],
  ["two in it changed places", "sub", move(sub, "x"), move("x/deep", sub), move("x", `${sub}/deep`)],
  ["one was made in it", "new/deep", make("real/content/new/deep"), save("real/content/new/deep/a.json")],
])("reports what is saved after %s", async (_, folder, ...steps) => {
  for (const step of steps) {
    step();
    await settled();
  }
  const file = path.join(at("link/content"), folder, "saved.json");
  writeFileSync(file, "");
  await vi.advanceTimersByTimeAsync(200);
  await settled();
  for (const change of [() => writeFileSync(file, "again"), () => unlinkSync(file)]) {
    const before = changes;
    change();
    await vi.waitFor(() => expect(changes).toBeGreaterThan(before), { timeout: 120_000, interval: 1 });
    await settled();
  }
});

it.each<[claim: string, ...steps: (() => void)[]]>([
  ["the folder away and back", move("real/content", "x"), move("x", "real/content")],
  ["one in it away and back", move(sub, "x"), move("x", sub)],
  ["one in it made again", remove(sub), make(sub)],
])("reports what is saved at once after %s", async (_, ...steps) => {
  for (const step of steps) step();
  await settled();
  const before = changes;
  writeFileSync(at(`${sub}/saved.json`), "");
  await vi.advanceTimersByTimeAsync(200);
  await vi.waitFor(() => expect(changes).toBeGreaterThan(before), { timeout: 120_000, interval: 1 });
});

it.each([
  ["folder", move("real/content", "x")],
  ["link to it", () => unlinkSync(at("link"))],
])("reports that the %s is gone, once", async (_, change) => {
  change();
  await settled();
  const before = changes;
  await vi.advanceTimersByTimeAsync(200);
  expect(changes).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(changes).toBe(before + 1);
});

it("leaves nothing open once it is closed", async () => {
  const watches = () => process.getActiveResourcesInfo().filter((resource) => resource === "FSEventWrap").length;
  expect(watches()).toBeGreaterThan(0);
  watched.close();
  await vi.waitFor(() => expect(watches()).toBe(0), { timeout: 120_000, interval: 1 });
});
