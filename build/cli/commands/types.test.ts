import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { one, writeBroken, writeContent } from "../../../test/cli/content-folder.ts";
import { run } from "../../../test/cli/run-command.ts";
import { typeCheck } from "../../../test/client/type-check.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { readCatalog } from "../../content/content.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-types-"));
const content = path.join(folder, "content");
const file = path.join(folder, "api.d.ts");

beforeAll(() => writeContent(content));
afterAll(() => rmSync(folder, { recursive: true }));

it("writes types with which a client type-checks", async () => {
  expect(await run(["types", file, "--content", content])).toEqual({
    status: 0,
    stdout: `✓ ${file} written.\n`,
    stderr: "",
  });
  const [{ settings, deployments }] = await readCatalog(content, edgeNetwork);
  const calls = deployments.get(settings.defaultDeployment)?.operations.map((name) => `client["${name}"];`);
  const consumer = [
    'import { createClient } from "stillapi/client";',
    'import type { Api } from "./api.js";',
    'const client = createClient<Api>("https://example.com");',
    ...(calls ?? []),
    "// @ts-expect-error: there is no such operation",
    'client["nothing"];',
  ].join("\n");
  expect(typeCheck({ "api.d.ts": readFileSync(file, "utf8"), "consumer.ts": consumer }).errors).toEqual([]);
});

it("writes the operations of the deployment only", async () => {
  await run(["types", file, "--content", content, "--deployment", String(one)]);
  const [{ deployments }] = await readCatalog(content, edgeNetwork);
  const served = deployments.get(String(one))?.operations;
  const names = [...readFileSync(file, "utf8").matchAll(/^ {4}readonly (\S+): \{$/gm)].map(([, name]) => name);
  expect(names).toEqual(edgeNetwork.operations.map(({ name }) => name).filter((name) => served?.includes(name)));
});

it("writes nothing if the content has faults", async () => {
  const broken = path.join(folder, "broken");
  writeBroken(broken);
  const other = path.join(folder, "other.d.ts");
  expect(await run(["types", other, "--content", broken])).toMatchObject({ status: 1, stdout: "" });
  expect(existsSync(other)).toBe(false);
});

it("writes declaration files only", async () => {
  const { status, stderr } = await run(["types", "api.ts", "--content", content]);
  expect(status).toBe(2);
  expect(stderr).toContain("The name of a declaration file ends in .d.ts.");
});
