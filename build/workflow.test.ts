// The code that may run beside the secrets of the repository's workflows.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { netlify } from "./hosts/netlify/index.ts";

const read = (name: string) => readFileSync(`.github/workflows/${name}.yml`, "utf8");
const api = read("api");
const program = read("program");
const step = z.object({ uses: z.string().optional(), run: z.string().optional(), env: z.unknown().optional() });
const form = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) });

describe.each([
  ["data", api],
  ["program", program],
])("the workflow for the %s", (_, text) => {
  it("names each action by its commit, with the version beside it", () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

it("runs no install script in a job with secrets, and builds without the development packages", () => {
  const secretive = Object.values(form.parse(parse(api)).jobs).filter((job) =>
    JSON.stringify(job).includes("secrets."),
  );
  expect(secretive).toHaveLength(1);
  for (const { steps } of secretive) {
    const commands = steps.flatMap(({ run }) => run ?? []);
    for (const command of commands.filter((line) => line.startsWith("npm ci"))) {
      expect(command).toContain("--ignore-scripts");
    }
    const build = commands.findIndex((command) => command.startsWith("npm run build"));
    expect(commands[build - 1]).toBe("npm ci --omit=dev --ignore-scripts");
  }
});

it("publishes by the commands that init writes", () => {
  for (const command of netlify.publishing?.run("edge") ?? []) expect(api).toContain(`run: ${command}\n`);
});

describe("as a repository of data does", () => {
  const template = readFileSync("build/cli/init/templates/repository/.github/workflows/api.yml", "utf8");
  const jobsOf = (text: string) => parse(text).jobs;

  it("treats pull requests", () => {
    for (const job of ["check", "breaking", "comment"]) expect(jobsOf(api)[job]).toEqual(jobsOf(template)[job]);
  });

  it.each(["uses: actions/checkout", "npm run build"])("publishes by the step %s", (text) => {
    const stepOf = (workflow: string) =>
      jobsOf(workflow.replace("- __HOST_STEPS__", "- run: exit")).publish.steps.find((step: object) =>
        Object.entries(step).some(([name, value]) => `${name}: ${value}`.includes(text)),
      );
    expect(stepOf(api)).toBeDefined();
    expect(stepOf(api)).toEqual(stepOf(template));
  });
});

it("tests the program with the oldest version of Node that it supports, and later ones, without secrets", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const [, oldest] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
  expect(program).toContain(`node: [${oldest}, `);
  expect(program).not.toContain("secrets.");
});
