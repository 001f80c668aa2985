import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary.ts";
import { programAt } from "./repository.ts";

const folder = temporaryFolder();

const modules = path.join(folder, "tools", "node_modules");
const root = path.join(modules, "stillapi");
const archive = path.join(folder, "stillapi-1.2.3-beta.tgz");

beforeEach(() => {
  mkdirSync(root, { recursive: true });
  writeFileSync(archive, "");
});

const installedFrom = (resolved: string) =>
  writeFileSync(
    path.join(modules, ".package-lock.json"),
    JSON.stringify({ packages: { "node_modules/stillapi": { version: "1.2.3", resolved } } }),
  );

it("asks for compatible versions of what came from a registry", () => {
  installedFrom("https://registry.example/stillapi/-/stillapi-1.2.3.tgz");
  expect(programAt(root, "1.2.3")).toEqual({ dependency: "^1.2.3" });
});

it("keeps the archive that it was installed from", () => {
  installedFrom("file:../stillapi-1.2.3-beta.tgz");
  expect(programAt(root, "1.2.3")).toEqual({
    dependency: "file:vendor/stillapi-1.2.3-beta.tgz",
    archive: { file: "vendor/stillapi-1.2.3-beta.tgz", from: archive },
  });
});

it.each([
  ["the archive is gone", "file:../gone.tgz", root],
  ["a folder was installed", "file:..", root],
  ["it is a checkout", undefined, path.join(folder, "checkout")],
])("names an archive to be made if %s", (_, resolved, at) => {
  if (resolved !== undefined) installedFrom(resolved);
  const file = "vendor/stillapi-1.2.3.tgz";
  expect(programAt(at, "1.2.3")).toEqual({ dependency: `file:${file}`, archive: { file, from: undefined } });
});
