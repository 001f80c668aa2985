import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary.ts";
import { addFolders } from "./folders.ts";

it("creates the missing folders and returns them, inner ones first", () => {
  const folder = temporaryFolder();
  const inner = path.join(folder, "a/b");
  expect(addFolders(inner)).toEqual([inner, path.join(folder, "a")]);
  expect(addFolders(inner)).toEqual([]);
});

it("throws below a file", () => {
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => addFolders(path.join(file, "a/b"))).toThrow("ENOTDIR");
});

it.skipIf(!existsSync("/proc/self"))("throws where the system creates no folders", () => {
  expect(() => addFolders("/proc/a/b")).toThrow("ENOENT");
});
