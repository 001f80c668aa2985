import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { programFor } from "./program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-program-"));
afterAll(() => rmSync(folder, { recursive: true }));

const modules = path.join(folder, "tools", "node_modules");
const root = path.join(modules, "edge-api");
const repository = path.join(folder, "my-api");

beforeEach(() => mkdirSync(root, { recursive: true }));

const installedFrom = (resolved: string) =>
  writeFileSync(
    path.join(modules, ".package-lock.json"),
    JSON.stringify({ packages: { "node_modules/edge-api": { version: "1.2.3", resolved } } }),
  );

it("asks for compatible versions of what came from a registry, or was not installed by npm", () => {
  expect(programFor(repository, root, "1.2.3")).toBe("^1.2.3");
  installedFrom("https://registry.example/edge-api/-/edge-api-1.2.3.tgz");
  expect(programFor(repository, root, "1.2.3")).toBe("^1.2.3");
  expect(programFor(repository, path.join(folder, "checkout"), "1.2.3")).toBe("^1.2.3");
});

it("asks for the same file where it was installed from a file", () => {
  installedFrom("file:../edge-api-1.2.3.tgz");
  expect(programFor(repository, root, "1.2.3")).toBe("file:../edge-api-1.2.3.tgz");
});
