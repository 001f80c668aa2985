import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/output/folder.ts";
import { openCache } from "./cache.ts";

const bytes = (text: string) => Buffer.from(text);
const kept = (cache: ReturnType<typeof openCache>, text: string) => cache.get(bytes(text))?.toString();

it("returns what was stored for the same bytes, and for no others", () => {
  const folder = path.join(temporaryFolder(), "cache");
  openCache(folder, "1").set(bytes("a"), bytes("found in a"));
  const later = openCache(folder, "1");
  expect([kept(later, "a"), kept(later, "b")]).toEqual([bytes("found in a").toString(), undefined]);
  expect(kept(openCache(folder, "2"), "a")).toBeUndefined();
});

it("ignores an entry that is torn or was changed", () => {
  const folder = temporaryFolder();
  const cache = openCache(folder, "1");
  cache.set(bytes("a"), bytes("found in a"));
  const [name = ""] = readdirSync(folder);
  const file = path.join(folder, name);
  const whole = readFileSync(file, "utf8");
  for (const text of ["", whole.slice(0, 40), whole.slice(0, -1), `${whole}x`, whole.replace("found", "Found")]) {
    writeFileSync(file, text);
    expect(kept(cache, "a")).toBeUndefined();
  }
  writeFileSync(file, whole);
  expect(kept(cache, "a")).toBe("found in a");
});

it("works if the folder is not writable", () => {
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const cache = openCache(file, "1");
  cache.set(bytes("a"), bytes("found in a"));
  expect(kept(cache, "a")).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("");
});

it("keeps the thousand entries that were used last", () => {
  const folder = temporaryFolder();
  const cache = openCache(folder, "1");
  for (let index = 0; index < 1_010; index++) cache.set(bytes(String(index)), bytes("found"));
  expect(readdirSync(folder).length).toBeLessThanOrEqual(1_001);
  expect(kept(cache, "1009")).toBe("found");
});
