import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary.ts";
import { changedFiles, snapshotOf } from "./snapshot.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");

const at = (file: string): string => path.join(content, file);

/** The files that differ after a change. */
function changedBy(change: () => void): readonly string[] {
  const before = snapshotOf(content);
  change();
  return changedFiles(before, snapshotOf(content));
}

it("names what is added, saved, replaced and removed, in folders too, each once", () => {
  mkdirSync(at("nodes/eu"), { recursive: true });
  writeFileSync(at("regions.json"), "[]");
  writeFileSync(at("nodes/eu/lhr.json"), "[]");
  expect(changedBy(() => undefined)).toEqual([]);
  expect(changedBy(() => writeFileSync(at("nodes/eu/cdg.json"), "[]"))).toEqual(["nodes/eu/cdg.json"]);
  expect(changedBy(() => writeFileSync(at("regions.json"), "[1]"))).toEqual(["regions.json"]);
  const replace = () => {
    writeFileSync(path.join(folder, "draft"), "[2]");
    utimesSync(path.join(folder, "draft"), 1, 1);
    renameSync(path.join(folder, "draft"), at("regions.json"));
  };
  expect(changedBy(replace)).toEqual(["regions.json"]);
  // Of the same length and time.
  expect(changedBy(replace)).toEqual(["regions.json"]);
  expect(changedBy(() => renameSync(at("nodes/eu"), at("nodes/us")))).toEqual([
    "nodes/eu/cdg.json",
    "nodes/eu/lhr.json",
    "nodes/us/cdg.json",
    "nodes/us/lhr.json",
  ]);
  expect(changedBy(() => unlinkSync(at("nodes/us/lhr.json")))).toEqual(["nodes/us/lhr.json"]);
});

it("says nothing of names that start with a dot, and follows no link to a folder", () => {
  mkdirSync(path.join(folder, "elsewhere"));
  symlinkSync(path.join(folder, "elsewhere"), at("link"));
  expect(changedBy(() => writeFileSync(at(".regions.json.swp"), ""))).toEqual([]);
  expect(changedBy(() => writeFileSync(path.join(folder, "elsewhere/a.json"), ""))).not.toContain("link/a.json");
});

it("has no files of a folder that is not there", () => {
  writeFileSync(at("regions.json"), "[]");
  expect(changedBy(() => rmSync(content, { recursive: true }))).toContain("regions.json");
  expect(snapshotOf(content).size).toBe(0);
});
