import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeBroken, writeContent } from "../../test/cli/content-folder.ts";
import { run } from "../../test/cli/run-command.ts";
import { temporaryFolder } from "../../test/temporary.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
const broken = path.join(folder, "broken");

beforeAll(() => {
  writeContent(content);
  writeBroken(broken);
});

describe("wrong usage and the machine's faults end with 2 and one sentence", () => {
  it.each([
    [["build", "--deployment", "egde", "--content", content], /^✗ There is no deployment "egde"\. .*\n$/],
    [["build", "--content", "nowhere"], /^✗ There is no folder nowhere\. Name the folder with --content\.\n$/],
    [["build", "--content", "README.md"], /^✗ README\.md is not a folder\.\n$/],
    [
      ["build", "--content", content, "--out", path.join(content, "dist")],
      /^✗ .*dist is inside .*content\. Choose an output folder outside the content\.\n$/,
    ],
    [
      ["build", "--content", content, "--out", "src"],
      /^✗ src holds files that stillapi did not write, such as .* Choose another folder with --out, or empty this one\.\n$/,
    ],
    [["build", "--content", content, "--out", "README.md/x"], /^✗ Not a directory: .*README\.md\/x\.\n$/],
    [["build", "--hots", "x"], /^error: unknown option '--hots'\n\(Did you mean --host\?\)\n$/],
    [["build", "--host", "nope"], /^error: .*Allowed choices are /],
    [["check", "--format", "xml"], /^error: .*Allowed choices are text, json\.\n$/],
    [["biuld"], /^error: unknown command 'biuld'\n\(Did you mean build\?\)\n$/],
    [
      ["preview", "--out", "nowhere"],
      /^✗ nowhere contains no build\. Run the build first, or name another folder with --out\.\n$/,
    ],
    ...["x", "-1", "1.5", "65536"].map((port): [readonly string[], RegExp] => [
      ["preview", `--port=${port}`],
      /^error: .*A port is an integer from 0 to 65535\.\n$/,
    ]),
  ])("%j", async (args, stderr) => {
    const result = await run(args);
    expect(result.stderr).toMatch(stderr);
    expect(result).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("with --format json, whatever ends the run", () => {
  it.each<[readonly string[], RegExp]>([
    [["check", "--content", "nowhere"], /^There is no folder nowhere\.$/],
    [["build", "--content", "nowhere", "--hots", "x"], /^unknown option '--hots'/],
    [["build", "--content", content, "--deployment", "nope"], /^There is no deployment "nope"\.$/],
    [["build", "--content", content, "--out", "README.md/x"], /^Not a directory: /],
    [["nope"], /^unknown command 'nope'/],
  ])("is one JSON document: %j", async (args, message) => {
    const { status, stdout, stderr } = await run([...args, "--format", "json"]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      messages: [],
      omitted: [],
      error: expect.objectContaining({ message: expect.stringMatching(message) }),
    });
  });
});

it("notices options that npm has swallowed", async () => {
  const swallowed = { npm_lifecycle_event: "check", npm_config_host: "true" };
  for (const args of [["check"], ["check", "nginx"]]) {
    const { status, stderr } = await run([...args, "--content", content], swallowed);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "✗ npm read --host as one of its options. Put -- before the options: npm run check -- --host …\n",
    });
  }
  expect(
    await run(["check", "--content", content], { npm_lifecycle_event: "test", npm_config_host: "true" }),
  ).toMatchObject({ stderr: expect.not.stringContaining("npm") });
});

it("takes the option all of npm, which .npmrc may set, for npm's", async () => {
  const withAll = { npm_lifecycle_event: "check", npm_config_all: "true" };
  expect(await run(["check", "--content", content], withAll)).toMatchObject({
    status: 0,
    stderr: expect.not.stringContaining("npm"),
  });
});

it("tells its version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await run(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

it("explains itself, and prints its usage if no command is named", async () => {
  expect(await run(["--help"])).toMatchObject({ status: 0, stdout: expect.stringContaining("check") });
  const none = await run([]);
  expect(none).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Usage: stillapi") });
});

describe.each(["build", "check", "diff", "dev", "preview", "publish", "verify", "init"])("%s", (command) => {
  const page = readFileSync("docs/commands.md", "utf8");

  it("explains its options, and docs/commands.md names each", async () => {
    const { status, stdout } = await run([command, "--help"]);
    expect(status).toBe(0);
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options.length).toBeGreaterThan(1);
    const [row = ""] = new RegExp(`^\\| \`[^\`]*(?<![-\\w])${command}\\b.*`, "m").exec(page) ?? [];
    for (const option of options.filter((name) => name !== "--help")) expect(row).toContain(option);
  });
});

it("says with --help what the choices and defaults are, as one types them, and nothing of switches", async () => {
  const { stdout } = await run(["build", "--help"]);
  const help = stdout.replaceAll(/\s+/g, " ");
  expect(help).toContain("(env: DEPLOYMENT)");
  expect(help).toContain("(choices: text, json; default: text)");
  expect(help).toContain("report each fault separately --format");
});

it("colours nothing if the output is no terminal", async () => {
  for (const args of [
    ["check", "--content", content],
    ["build", "--content", broken, "--out", `${folder}/c`],
  ]) {
    const { stdout, stderr } = await run(args);
    expect(stdout + stderr).not.toContain("\u{1b}[");
  }
});
