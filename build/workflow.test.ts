// What may run beside the secrets of the repository's workflow.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const text = readFileSync(".github/workflows/api.yml", "utf8");
const step = z.object({ uses: z.string().optional(), run: z.string().optional(), env: z.unknown().optional() });
const { jobs } = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) }).parse(parse(text));

it("names each action by its commit, with the version beside it", () => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it("runs no install script in a job with secrets, and builds without the development packages", () => {
  const secretive = Object.values(jobs).filter((job) => JSON.stringify(job).includes("secrets."));
  expect(secretive).toHaveLength(1);
  for (const { steps } of secretive) {
    const commands = steps.flatMap(({ run }) => run ?? []);
    for (const command of commands.filter((each) => each.startsWith("npm ci"))) {
      expect(command).toContain("--ignore-scripts");
    }
    const build = commands.indexOf("npm run build");
    expect(commands[build - 1]).toBe("npm ci --omit=dev --ignore-scripts");
  }
});
