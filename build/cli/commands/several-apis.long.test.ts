// What the commands say of several APIs.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { run } from "../../../test/cli/run-command.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startPreview } from "../preview/preview.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
const dist = path.join(folder, "dist");
const asked = ["--content", content, "--config", path.join(folder, "api.config.ts")];

const declare = (...names: readonly string[]) =>
  writeFileSync(
    path.join(folder, "api.config.ts"),
    `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const collections = { plants: defineCollection({ purpose: "Plants.", schema: z.strictObject({ id: slug.describe("Id.") }), key: "id" }) };
const v1 = defineApi({ collections });
const v2 = defineApi({ base: "/api/v2", title: "Second", collections });
const v3 = defineApi({ base: "/api/v3", collections });
export default [${names.join(", ")}];`,
  );

beforeAll(async () => {
  mkdirSync(content, { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  writeFileSync(path.join(content, "plants.json"), '[{ "id": "mint" }]');
  declare("v2", "v1");
  expect(await run(["build", ...asked, "--out", dist, "--host", "netlify"])).toMatchObject({ status: 0, stderr: "" });
});

it("check names each with its items", async () => {
  const { status, stdout } = await run(["check", ...asked, "--host", "netlify"]);
  expect(status).toBe(0);
  const said = `✓ ${content} is valid for /api/v2, /api/v1.\n  /api/v2: 1 item of plants\n  /api/v1: 1 item of plants\n`;
  expect(stdout).toContain(said);
});

it("build counts the items and files of each", async () => {
  const { stdout } = await run(["build", ...asked, "--out", path.join(folder, "counted"), "--host", "netlify"]);
  expect(stdout).toMatch(/^Second, \/api\/v1: /);
  for (const name of ["/api/v2/plants", "/api/v1/plants"])
    expect(stdout).toMatch(new RegExp(`\\n${name} +1 +1 +\\d+ +`));
  const json = await run(["build", ...asked, "--out", path.join(folder, "counted"), "--format", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    apis: [
      { base: "/api/v2", operations: { plants: { items: 1 } } },
      { base: "/api/v1", operations: { plants: { items: 1 } } },
    ],
  });
});

it("preview and verify answer and report for each", async () => {
  const { origin, paths, stop } = await startPreview(dist, 0);
  onTestFinished(stop);
  expect(paths).toEqual(
    expect.arrayContaining(["/", "/api/v2/docs/", "/api/v2/plants", "/api/v1/docs/", "/api/v1/plants"]),
  );
  for (const address of [origin, `${origin}/api/v1`]) {
    const { status, stdout } = await run(["verify", address, "--out", dist]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\/api\/v2\n✓ .*\/api\/v1\n✓ /s);
  }
  const json = await run(["verify", origin, "--out", dist, "--format", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    folder: dist,
    apis: [
      { base: "/api/v2", url: origin, different: 0, findings: [] },
      { base: "/api/v1", url: origin, different: 0, findings: [] },
    ],
  });
});

it.each([
  ["a folder", async () => dist],
  [
    "an address",
    async () => {
      const { origin, stop } = await startPreview(dist, 0);
      onTestFinished(stop);
      return origin;
    },
  ],
])("diff compares each with that of %s, and names those that are new or gone", async (_, place) => {
  const against = await place();
  const diff = (...more: readonly string[]) => run(["diff", ...asked, "--against", against, ...more]);
  declare("v2", "v1");
  const same = await diff();
  expect(same.stdout).toMatch(
    /^\/api\/v2\n✓ .* nothing changes in the API\.\n\n\/api\/v1\n✓ .* nothing changes in the API\.\n$/,
  );
  declare("v3", "v2", "v1");
  const added = await diff();
  expect(added.stdout).toMatch(/^\+ The API \/api\/v3 is new\.\n\n\/api\/v2\n/);
  declare("v1");
  const gone = await diff("--fail-on", "api-removed");
  expect(gone.status).toBe(1);
  const text = "The API /api/v2 is removed: its paths are answered with 404. It had not been deprecated.";
  expect(gone.stdout).toContain(`✗ api-removed ${text}\n`);
  declare("v2");
  const json = await diff("--format", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    messages: [],
    added: [],
    removed: ["/api/v1"],
    breaking: [{ code: "api-removed", operations: ["plants"], values: ["/api/v1"] }],
    apis: [{ base: "/api/v2", breaking: [], operations: { added: [], removed: [] } }],
  });
  const markdown = await diff("--format", "markdown");
  expect(markdown.stdout).toMatch(/^<!-- stillapi diff -->\n### 1 API removed\n\n- The API \/api\/v1 is removed: /);
  expect(markdown.stdout).toContain("\n## `/api/v2`\n\n### Nothing changes in the API\n");
  expect(markdown.stdout.split("<!-- stillapi diff -->")).toHaveLength(2);
  declare("v3", "v1");
  const moved = await diff();
  expect(moved.stdout).toContain("base-changed Every path starts with /api/v3 in place of /api/v2");
});
