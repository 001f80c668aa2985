import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { run } from "../../test/cli/run-command.ts";

let folder: string;
let content: string;
let config: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "stillapi-declared-"));
  content = path.join(folder, "content");
  config = path.join(folder, "api.config.ts");
  out = path.join(folder, "dist");
  mkdirSync(path.join(content, "deployments"), { recursive: true });
  writeFileSync(path.join(content, "deployments", "edge.json"), '{ "operations": ["cities"] }');
  writeFileSync(path.join(content, "cities.json"), '[{ "id": "bonn", "size": "small" }]');
  writeFileSync(config, declared());
  return () => rmSync(folder, { recursive: true });
});

const declared = (key = "id", more = "") => `import * as z from "zod";
import { defineApi, defineCollection } from "stillapi";
import { slug } from "stillapi/forms";
const cities = defineCollection({
  purpose: "Cities.",
  noun: { one: "city", many: "cities" },
  schema: z.strictObject({ id: slug, size: z.enum(["small", "large"])${more} }),
  key: "${key}",
  filters: { size: "size" },
});
export default defineApi({ base: "/v2", collections: { cities } });
`;

const asked = () => ["--content", content, "--config", config];

it("builds the declared API", async () => {
  const checked = await run(["check", ...asked()]);
  const warning = `${path.relative(process.cwd(), config)}:7:3 undescribed (warning) 2 fields of cities have no .describe(), by which the reference explains them to consumers: id, size.`;
  expect(checked).toEqual({ status: 0, stderr: `${warning}\n`, stdout: `✓ ${content} is valid: 1 city.\n` });
  const built = await run(["build", ...asked(), "--out", out]);
  expect(built).toMatchObject({ status: 0, stderr: `${warning}\n` });
  expect(built.stdout).toMatch(/^The API: .*\n\n.*\ncities +1 +3 +[1-9]\d+ +\d/);
  expect(JSON.parse(readFileSync(path.join(out, "v2", "cities", "size", "small.json"), "utf8"))).toMatchObject({
    data: [{ id: "bonn" }],
  });
});

it("reports the faults of the declaration like those of the content, and reads no content", async () => {
  writeFileSync(config, declared("idd"));
  writeFileSync(path.join(content, "cities.json"), "[");
  const file = path.relative(process.cwd(), config);
  const message = 'The collection "cities" has no field "idd", which its key names.';
  for (const command of [["check"], ["build", "--out", out], ["diff"]]) {
    const { status, stdout, stderr } = await run([...command, "--config", config, "--content", content]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`${file}:8:8 no-such-name ${message} Did you mean "id"?\n`);
  }
  expect(existsSync(out)).toBe(false);
  const data = await run(["check", ...asked(), "--format", "json"]);
  expect(JSON.parse(data.stdout)).toMatchObject({
    messages: [{ severity: "error", code: "no-such-name", text: message, file, line: 8, column: 8 }],
    omitted: [],
  });
  const actions = await run(["check", ...asked()], { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder });
  expect(actions.stderr).toContain("::error file=api.config.ts,line=8,col=8,endColumn=13,title=no-such-name::");
});

it("ends with 2 if there is no file of the name", async () => {
  const { status, stderr } = await run(["check", "--config", path.join(folder, "no.ts")]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^✗ There is no file .*no\.ts\./) });
});

const empty = "It is empty. Set the variable that it comes from, or leave the option out.";
const missing =
  "It is the next option: the value before it is missing. Set the variable that it comes from, and quote it.";

it.each([
  [["diff", "--against", ""], "--against <state>", "", empty],
  [["diff", "--against", "--fail-on", "breaking"], "--against <state>", "--fail-on", missing],
  [["check", "--content", ""], "--content <folder>", "", empty],
  [["check", "--config", ""], "--config <file>", "", empty],
  [["build", "--out", ""], "--out <folder>", "", empty],
  [["build", "--out", "--all"], "--out <folder>", "--all", missing],
  [["build", "--previous", "--all"], "--previous <folder|url|none>", "--all", missing],
  [["build", "--deployment", "--all"], "--deployment <name>", "--all", missing],
  [["preview", "--out", ""], "--out <folder>", "", empty],
  [["verify", "http://127.0.0.1", "--out", "--all"], "--out <folder>", "--all", missing],
])("says what a variable that is not set leaves of %j", async (args, option, value, reason) => {
  expect(await run(args)).toEqual({
    status: 2,
    stdout: "",
    stderr: `error: option '${option}' argument '${value}' is invalid. ${reason}\n`,
  });
});

it.each([
  ["preview", "A preview uses the program of one host: name one at a time."],
  ["verify", "One host answers at an address: name that one."],
])("refuses two hosts of %s instead of taking the last", async (name, hint) => {
  expect(await run([name, out, "--host", "nginx", "--host", "caddy"])).toEqual({
    status: 2,
    stdout: "",
    stderr: `error: option '--host <name>' argument 'caddy' is invalid. nginx is already named. ${hint}\n`,
  });
  expect(existsSync(out)).toBe(false);
});
