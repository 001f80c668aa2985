import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { listOperations } from "../../src/operations.ts";
import { hosts } from "../hosts/hosts.ts";
import { run } from "./fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-init-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (...steps: readonly string[]) => readFileSync(path.join(folder, ...steps), "utf8");

describe.each([...hosts.keys()])("a repository for %s", (host) => {
  const at = path.join(folder, host);

  it("has content that passes check and build", async () => {
    expect(await run(["init", at, "--host", host])).toMatchObject({ status: 0, stderr: "" });
    const content = path.join(at, "content");
    expect(await run(["check", "--content", content, "--host", host])).toMatchObject({ status: 0, stderr: "" });
    const built = await run(["build", "--content", content, "--out", path.join(at, "dist"), "--host", host]);
    expect(built).toMatchObject({ status: 0, stderr: "" });
    for (const { name } of listOperations) {
      expect(JSON.parse(read(host, "dist", "api", "v1", `${name}.json`)).data).toHaveLength(1);
    }
  });

  it("builds for its host, and publishes to it", () => {
    const { scripts, dependencies } = JSON.parse(read(host, "package.json"));
    expect(Object.keys(scripts)).toEqual(["build", "check", "dev", "preview", "diff"]);
    expect(dependencies).toEqual({ "edge-api": `^${manifest.version}` });
    expect(scripts.build).toBe(host === "netlify" ? "edge-api build" : `edge-api build --host ${host}`);
    expect(read(host, "README.md")).not.toContain("does not know how to publish");
    expect(read(host, ".github", "workflows", "api.yml")).toContain(`verify "$API_URL" --host ${host}\n`);
  });

  it("lets git ignore what a build and npm write", () => {
    const ignored = read(host, ".gitignore").split("\n");
    for (const each of readdirSync(at).filter((name) => name.startsWith("dist"))) expect(ignored).toContain(`${each}/`);
    for (const each of ["node_modules/", ".schemas/"]) expect(ignored).toContain(each);
  });
});

it("refuses a folder that is not empty, and writes nothing", async () => {
  const full = path.join(folder, "full");
  mkdirSync(full);
  writeFileSync(path.join(full, "notes.txt"), "");
  const { status, stdout, stderr } = await run(["init", full]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`✗ ${full} is not empty: it holds notes.txt. Name a folder that is new or empty.\n`);
  expect(readdirSync(full)).toEqual(["notes.txt"]);
});

it("writes into a new clone, which holds a .git folder and nothing else", async () => {
  const clone = path.join(folder, "My Clone");
  mkdirSync(path.join(clone, ".git"), { recursive: true });
  expect(await run(["init", clone])).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(read("My Clone", "package.json")).name).toBe("my-clone");
  expect(existsSync(path.join(clone, "netlify.toml"))).toBe(true);
});

it("knows the hosts there are", async () => {
  expect(await run(["init", path.join(folder, "unknown"), "--host", "geocities"])).toMatchObject({ status: 2 });
  expect(existsSync(path.join(folder, "unknown"))).toBe(false);
});
