// The pipeline for GitLab of docs/hosts/README.md: its scripts, run as GitLab does.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { netlify } from "../build/hosts/netlify/index.ts";
import { temporaryFolder } from "../test/temporary.ts";

const job = z.object({ rules: z.array(z.strictObject({ if: z.string() })).length(1), script: z.array(z.string()) });
const form = z.object({ check: job, breaking: job, publish: job });
const [, pipeline = ""] = /```yaml\n(workflow:.*?)```/s.exec(readFileSync("docs/hosts/README.md", "utf8")) ?? [];
const jobs = form.parse(parse(pipeline));

const folder = temporaryFolder();
const calls = path.join(folder, "calls");

/** Runs a job in a shell as GitLab's runner does, with a program in place of npm and npx, and no variables but these. */
function runJob(name: keyof typeof jobs, env: Readonly<Record<string, string>>, npm = "") {
  writeFileSync(calls, "");
  for (const program of ["npm", "npx"]) {
    writeFileSync(path.join(folder, program), `#!/bin/sh\necho "$PREVIOUS|${program} $*" >> "${calls}"\n${npm}\n`);
    chmodSync(path.join(folder, program), 0o755);
  }
  const script = jobs[name].script.join("\n");
  const all = { PATH: `${folder}:${process.env["PATH"]}`, CI_MERGE_REQUEST_DIFF_BASE_SHA: "abc", ...env };
  const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: folder, env: all });
  return { status, called: readFileSync(calls, "utf8").trimEnd().split("\n") };
}

const published = { API_URL: "https://api.example.com" };

it.each([
  ["with the start of the branch", {}, "abc"],
  ["with the published API", published, "https://api.example.com"],
])("checks a merge request and compares it %s", (_, env, against) => {
  const diff = `|npm run --silent diff -- --against ${against}`;
  expect(runJob("check", env)).toEqual({ status: 0, called: ["|npm ci --ignore-scripts", "|npm run check", diff] });
  expect(runJob("breaking", env)).toEqual({
    status: 0,
    called: ["|npm ci --ignore-scripts", `${diff} --fail-on breaking`],
  });
});

it.each([
  { job: "check", failing: "check", code: 1, status: 1 },
  { job: "check", failing: "diff", code: 1, status: 0 },
  { job: "check", failing: "diff", code: 2, status: 1 },
  { job: "breaking", failing: "diff", code: 1, status: 1 },
] as const)("ends the job $job with $status if $failing ends with $code", ({ job, failing, code, status }) => {
  expect(runJob(job, {}, `case "$*" in *${failing}*) exit ${code};; esac`).status).toBe(status);
});

it("has no job breaking if a label is breaking-change", () => {
  const [{ if: condition } = expect.fail()] = jobs.breaking.rules;
  const [, pattern = ""] = / !~ \/(.*)\/$/.exec(condition) ?? [];
  const isLabel = (labels: string) => new RegExp(pattern).test(labels);
  expect(["breaking-change", "a,breaking-change", "breaking-change,b"].map(isLabel)).toEqual([true, true, true]);
  expect(["", "a", "no-breaking-change", "breaking-changes,b"].map(isLabel)).toEqual([false, false, false, false]);
});

it("publishes as the workflow on GitHub does, and verifies what is published already", () => {
  const sha = { CI_COMMIT_SHA: "f00", GITHUB_SHA: "f00" };
  const [deploy = expect.fail()] = netlify.publishing?.run("my-api") ?? [];
  const first = ["|npm ci --omit=dev --ignore-scripts", "|npm run build", `|${deploy.replace('"$GITHUB_SHA"', "f00")}`];
  expect(runJob("publish", sha)).toEqual({ status: 0, called: first });
  expect(runJob("publish", { ...sha, ...published }).called).toEqual([
    first[0],
    "https://api.example.com|npm run build",
    first[2],
    "|npm run verify -- https://api.example.com",
  ]);
});
