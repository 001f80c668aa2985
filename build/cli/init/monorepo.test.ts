import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../../test/temporary.ts";
import { hosts } from "../../hosts/hosts.ts";
import { collectionsFrom, repositoryOf } from "./from.ts";
import { filesWithin, repositoryAround } from "./monorepo.ts";
import { repositoryFiles } from "./repository.ts";

const root = temporaryFolder();
const folder = path.join(root, "tools/my api");
mkdirSync(path.join(root, ".git"));

const publishing = hosts.get("nginx")?.publishing;
if (publishing === undefined) throw new Error("nginx does not say how one publishes.");
const templated = repositoryFiles({
  template: "blank",
  name: "my-api",
  version: "1.0.0",
  targets: [{ host: "nginx", publishing }],
});

const catalogs = ["a", "b"].map((team) => {
  const file = path.join(root, "packages", team, "catalog.yaml");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `services:\n- { id: ${team}-1, size: 1 }\n`);
  return file;
});

it("finds the git repository around a folder, which may be a new clone itself", () => {
  expect(repositoryAround(folder)).toBe(root);
  expect(repositoryAround(root)).not.toBe(root);
});

it("declares several files of one name as one collection, which reads them where they are", async () => {
  const [collection, ...others] = await collectionsFrom(catalogs, { root, folder });
  expect(others).toEqual([]);
  expect(collection?.count).toBe(2);
  expect(collection?.code).toContain(
    'files: { match: "*/catalog.yaml", folder: "../../packages", items: "services" },',
  );
  expect(collection?.files.size).toBe(0);
});

it("copies them into a repository of its own", async () => {
  const [collection] = await collectionsFrom(catalogs);
  expect(collection?.code).toContain('files: { match: "catalog/*/catalog.yaml", items: "services" },');
  expect([...(collection?.files.keys() ?? [])]).toEqual(["catalog/a/catalog.yaml", "catalog/b/catalog.yaml"]);
});

it("puts the workflow at the root, for this folder and its data, unless a file has its name there", async () => {
  const collections = await collectionsFrom(catalogs, { root, folder });
  const written = () =>
    filesWithin(root, { folder, name: "my-api" }, repositoryOf(templated, collections), collections);
  const { files, note } = written();
  const workflow = parse(String(files.get("../../.github/workflows/my-api.yml")));
  const paths = ["packages/**", "tools/my api/**", ".github/workflows/my-api.yml"];
  expect(workflow.on.pull_request.paths).toEqual(paths);
  expect(workflow.on.push.paths).toEqual(paths);
  for (const name of ["check", "publish"]) {
    expect(workflow.jobs[name].defaults.run).toEqual({ "working-directory": "tools/my api" });
    expect(workflow.jobs[name].steps[1].with["cache-dependency-path"]).toBe("tools/my api/package-lock.json");
  }
  for (const name of ["breaking", "comment"]) expect(workflow.jobs[name].defaults).toBeUndefined();
  expect(note).toContain('"./tools/my api/.schemas/api.json"');
  expect(note).toContain('"tools/my api/content/api.*"');
  mkdirSync(path.join(root, ".github/workflows"), { recursive: true });
  writeFileSync(path.join(root, ".github/workflows/my-api.yml"), "");
  expect([...written().files.keys()].filter((file) => file.includes("workflows"))).toEqual([]);
});
