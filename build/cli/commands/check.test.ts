import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../../../src/model/place.ts";
import { one, writeBroken, writeContent } from "../../../test/cli/content-folder.ts";
import { run } from "../../../test/cli/run-command.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { contentOf } from "../../../test/plan.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
const broken = path.join(folder, "broken");

beforeAll(() => {
  writeContent(content);
  writeBroken(broken);
});

it("names both files of a duplicate by paths that a terminal can open", async () => {
  const twice = path.join(folder, "twice");
  writeContent(twice);
  const [operation] = edgeNetwork.lists;
  const example = operation?.example;
  for (const name of ["a", "b"]) {
    mkdirSync(path.join(twice, `${operation?.name}`), { recursive: true });
    writeFileSync(path.join(twice, `${operation?.name}/${name}.json`), JSON.stringify(example));
  }
  const { stderr } = await run(["check", "--content", twice, "--all"]);
  expect(stderr).toContain(`${twice}/${operation?.name}/b.json:1:`);
  expect(stderr).toMatch(/ is taken by another \w+, at \/.*\/twice\/.*\.json:\d+:\d+\./);
});

it("counts what it found valid", async () => {
  const { items } = await contentOf(content, edgeNetwork);
  const counts = edgeNetwork.lists.map((list) => `${items.get(list.name)?.count} ${list.noun}s`);
  expect(await run(["check", "--content", content])).toEqual({
    status: 0,
    stdout: `✓ ${content} is valid: ${counts.join(", ")}, 3 deployments.\n`,
    stderr: "",
  });
  expect((await run(["check", "--content", content, "--format", "json"])).stdout).toBe(
    '{"messages":[],"omitted":[]}\n',
  );
});

it("ends with 1 if there are faults", async () => {
  expect(await run(["check", "--content", broken])).toMatchObject({ status: 1, stdout: "" });
});

it("finds the project's content valid", async () => {
  expect((await contentOf("content", edgeNetwork)).isEmpty).toBe(false);
});

it("shows how much of the limits of the named hosts is used", async () => {
  const hosts = ["--host", "vercel", "cloudflare-workers"];
  const args = ["check", "--content", content, ...hosts, "--deployment", String(one)];
  const { status, stdout } = await run(args);
  expect(status).toBe(0);
  expect(stdout).toMatch(/deployments\.\n\nOf \d+ limits of \S+ and \S+, at most \d+% is used\.\n/);
  const { budget } = JSON.parse((await run([...args, "--format", "json"])).stdout);
  expect(budget).toContainEqual(
    expect.objectContaining({ host: "cloudflare-workers", what: "files", plan: "Workers Free", most: 20_000 }),
  );
});

it("reports what build would report about the deployment and the usual host", async () => {
  const missing = ["check", "--content", content, "--deployment", "nope"];
  expect(await run(missing)).toMatchObject({ status: 2, stderr: expect.stringContaining("There is no deployment") });
  const none = path.join(folder, "none");
  mkdirSync(none);
  expect(await run(["check", "--content", none])).toEqual({
    status: 2,
    stdout: "",
    stderr: '✗ There is no deployment "edge". Write deployments/edge.yaml, with the content of status.\n',
  });
  mkdirSync(path.join(none, "deployments"));
  writeFileSync(path.join(none, "deployments/edge.json"), '{"operations":["status"]}');
  expect((await run(["check", "--content", none])).stderr).toContain(
    "deployments/edge.json:1:1 missing-field A deployment must have the field status. ",
  );
});

it.each(["check", "build"])("writes the schemas for editors if there is no such deployment: %s", async (command) => {
  const schemas = path.join(path.dirname(path.resolve(content)), ".schemas");
  rmSync(schemas, { recursive: true, force: true });
  const out = command === "build" ? ["--out", path.join(folder, "no-dist")] : [];
  expect(await run([command, "--content", content, "--deployment", "nope", ...out])).toMatchObject({ status: 2 });
  expect(readdirSync(schemas)).toContain("api.json");
});

describe("of many faults", () => {
  const many = path.join(folder, "many");
  const files = Array.from({ length: 60 }, (_, index) => `a${String(index).padStart(2, "0")}.json`);

  beforeAll(() => {
    writeContent(many);
    for (const file of files) writeFileSync(path.join(many, file), "[]");
  });

  it("the first of its kind is printed, the rest is counted, and --all prints each", async () => {
    const { status, stderr } = await run(["check", "--content", many]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/a00\.json:1:1 unknown-file .* 59 more like it, in 60 files: "a01", .* and 49 more\.\n✗ /);
    expect(stderr).toMatch(/\n✗ 60 faults of 1 kind in 60 files\.\n$/);
    const all = await run(["check", "--content", many, "--all"]);
    expect(all.stderr.match(/ unknown-file /g)).toHaveLength(60);
    expect(all.stderr).toMatch(/\n✗ 60 faults in 60 files\.\n$/);
  });

  it("ten are annotations in GitHub Actions, at paths of the repository", async () => {
    const actions = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder };
    const { stdout, stderr } = await run(["check", "--content", many], actions);
    expect(stdout).toBe("");
    const annotations = stderr.split("\n").filter((line) => line.startsWith("::"));
    expect(annotations).toHaveLength(10);
    expect(annotations[0]).toMatch(
      /^::error file=many\/a00\.json,line=1,col=1,endColumn=1,title=unknown-file::No collection is called/,
    );
    const data = await run(["check", "--content", many, "--format", "json"], actions);
    expect(data.stderr).toBe("");
    expect(JSON.parse(data.stdout).messages).toHaveLength(60);
  });
});

interface Printed extends Place {
  readonly code: string;
  readonly text: string;
}

describe("of valid content", () => {
  const config = path.join(folder, "api.config.ts");
  const project = path.join(folder, "warned");
  const earlier = path.join(folder, "earlier");
  const file = path.relative(process.cwd(), config);
  const warnings = [
    "11:51 undescribed (warning) 2 fields of lost have no .describe(), by which the reference explains them to consumers: id, name.",
    "11:112 empty-collection (warning) The collection lost is empty: no file below content/ matches lots/*.json.",
  ].map((message) => `${file}:${message}`);
  const sunsets = [
    "7:3 sunset (warning) The sunset of the filter old of things",
    "8:3 sunset (warning) The sunset of the order back of things",
    "9:3 sunset (warning) The sunset of the collection things",
  ].map((start) => `${file}:${start} was on 2027-06-01. Remove it, or give it a later sunset.`);

  beforeAll(() => {
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    writeFileSync(
      config,
      `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { deprecated, slug } from "stillapi/forms";
const until = { since: "2026-12-01", sunset: "2027-06-01" };
const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({ id: slug.describe("Names it."), old: deprecated(slug.describe("Was."), { since: "2026-12-01" }) }),
  key: "id",
  filters: { old: { field: "old", deprecated: until } },
  orders: { back: { fields: ["-id"], deprecated: until } },
  deprecated: until,
});
const lost = defineCollection({ purpose: "Lost.", schema: z.strictObject({ id: slug, name: slug }), key: "id", files: "lots/*.json" });
export default defineApi({ collections: { things, lost } });`,
    );
    mkdirSync(project);
    writeFileSync(path.join(project, "things.json"), "[]");
    mkdirSync(path.join(earlier, "content"), { recursive: true });
    writeFileSync(path.join(earlier, "content/others.json"), "[]");
    writeFileSync(
      path.join(earlier, "api.config.ts"),
      `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const others = defineCollection({ purpose: "Others.", schema: z.strictObject({ id: slug.describe("Names it.") }), key: "id" });
export default defineApi({ collections: { others } });`,
    );
  });

  const ofCommand: Readonly<Record<string, readonly string[]>> = {
    build: ["--out", `${project}-dist`],
    diff: ["--against", path.join(earlier, "content")],
  };

  const at = (command: string, day: string, more: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
    run([command, "--content", project, "--config", config, ...(ofCommand[command] ?? []), ...more], {
      SOURCE_DATE_EPOCH: String(Date.parse(day) / 1_000),
      ...env,
    });

  const linesOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

  it.each(["check", "build", "diff"])(
    "%s prints the same warnings, those of sunsets once these have come",
    async (command) => {
      const before = await at(command, "2027-05-31T23:59:59Z");
      expect(before).toMatchObject({ status: 0, stderr: linesOf(warnings) });
      const after = await at(command, "2027-06-01T00:00:00Z");
      expect(after).toMatchObject({ status: 0, stderr: linesOf([...sunsets, ...warnings]) });
    },
  );

  const printedLine = ({ file, line, column, code, text }: Printed) =>
    `${file}:${line}:${column} ${code} (warning) ${text}`;

  const annotationFor = ({ line, column, endColumn, code, text }: Printed) =>
    `::warning file=api.config.ts,line=${line},col=${column},endColumn=${endColumn},title=${code}::${text}`;

  it.each(["check", "build", "diff"])("%s has the same warnings for programs and for GitHub", async (command) => {
    const day = "2027-06-01T00:00:00Z";
    const actions = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder };
    const all = [...sunsets, ...warnings];
    const json = await at(command, day, ["--format", "json"], actions);
    expect(json).toMatchObject({ status: 0, stderr: "" });
    const { messages, omitted } = JSON.parse(json.stdout);
    expect(messages.map(printedLine)).toEqual(all);
    expect(omitted).toEqual([]);
    const { stderr } = await at(command, day, [], actions);
    expect(stderr).toContain(linesOf(all));
    const annotations = stderr.split("\n").filter((line) => line.startsWith("::"));
    expect(annotations).toEqual(messages.map(annotationFor));
  });

  it("ends with 1 on warnings with --fail-on-warnings", async () => {
    const day = "2027-01-01T00:00:00Z";
    expect(await at("check", day, ["--fail-on-warnings"])).toEqual({
      status: 1,
      stdout: `✓ ${project} is valid: 0 items of things, 0 items of lost.\n`,
      stderr: `${linesOf(warnings)}✗ 2 warnings, which --fail-on-warnings does not accept.\n`,
    });
    const json = await at("check", day, ["--fail-on-warnings", "--format", "json"]);
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout).messages).toMatchObject([{ code: "undescribed" }, { code: "empty-collection" }]);
    expect((await run(["check", "--content", content, "--fail-on-warnings"])).status).toBe(0);
  });
});
