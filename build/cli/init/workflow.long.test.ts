// The code that runs beside the secrets of a repository of data, and the permissions of its token. The form of the workflow was
// checked with the JSON schema of SchemaStore, which is no package of this repository.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { temporaryFolder } from "../../../test/temporary.ts";
import { hosts } from "../../hosts/hosts.ts";
import { publishedHosts } from "../../hosts/names.ts";
import { repositoryFiles } from "./repository.ts";
import type { Target } from "./targets.ts";

const step = z.object({
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.unknown().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const permissions = z.record(z.string(), z.string());
const job = z.object({
  needs: z.string().optional(),
  if: z.string().default(""),
  permissions: permissions.optional(),
  steps: z.array(step),
});
const form = z.object({
  permissions,
  jobs: z.strictObject({
    check: job,
    breaking: job,
    comment: job,
    publish: job,
  }),
});

function targetOf(host: string): Target {
  const publishing = hosts.get(host)?.publishing;
  if (publishing === undefined) throw new Error(`${host} does not say how one publishes.`);
  return { host, publishing };
}

const repositoryFor = (first: string, ...others: readonly string[]) =>
  repositoryFiles({
    template: "blank",
    name: "my-api",
    version: "1.0.0",
    targets: [targetOf(first), ...others.map(targetOf)],
  });

const workflow = (...names: Parameters<typeof repositoryFor>): string =>
  repositoryFor(...names).get(".github/workflows/api.yml") ?? "";

const folder = temporaryFolder();

describe.each(publishedHosts)("for %s", (host) => {
  const text = workflow(host);
  const { permissions, jobs } = form.parse(parse(text));
  const all = Object.values(jobs);

  it("names each action by its commit, as the program's own workflow does", () => {
    const workflow = readFileSync(".github/workflows/api.yml", "utf8");
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => String(action));
    expect(used).toHaveLength(4);
    for (const action of used) {
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      expect(workflow).toContain(action);
    }
  });

  it("gives secrets to the jobs that publish, and there to nothing that a package runs when it is installed", () => {
    const secretive = Object.entries(jobs).filter(([, job]) => JSON.stringify(job).includes("secrets."));
    const hasSecrets = Object.keys(hosts.get(host)?.publishing?.secrets ?? {}).length > 0;
    expect(secretive.map(([name]) => name)).toEqual(hasSecrets ? ["publish"] : []);
    const commands = all.flatMap(({ steps }) => steps.flatMap(({ run }) => run?.split("\n") ?? []));
    const installs = commands.filter((command) => /npm ci|npx --yes/.test(command));
    expect(installs.length).toBeGreaterThan(1);
    for (const command of installs) expect(command).toContain("--ignore-scripts");
    expect(jobs.publish.if).toBe("github.event_name == 'push'");
  });

  it("lets pull requests write nothing but a comment, and only if they are not from a fork", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.check.permissions).toBeUndefined();
    expect(jobs.comment.permissions).toEqual({ "pull-requests": "write" });
    expect(jobs.breaking.permissions).toEqual({});
    expect(jobs.comment.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    expect(jobs.comment.steps.filter(({ uses }) => uses !== undefined)).toEqual([]);
    expect(text.replaceAll(/^ *#.*$/gm, "")).not.toContain("pull_request_target");
  });

  it("puts nothing that others wrote into a script", () => {
    const scripts = all.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    for (const script of scripts) expect(script).not.toContain("${{");
  });

  it("has scripts without faults of syntax", () => {
    for (const { steps } of all) {
      for (const { run } of steps) if (run !== undefined) execFileSync("bash", ["-n", "-c", run]);
    }
  });
});

describe("for several hosts", () => {
  const files = repositoryFor("nginx", "caddy", "plain");
  const { publish } = form.parse(parse(workflow("nginx", "caddy", "plain"))).jobs;

  it("publishes to each and verifies it there, by names of settings that do not meet", () => {
    const steps = publish.steps.slice(-6);
    expect(steps.map(({ run }) => run?.split("\n").at(-1)?.slice(0, 40))).toEqual([
      'npm run publish -- nginx "$SERVER" --rel',
      'npm run verify -- "$API_URL" --host ngin',
      'npm run publish -- caddy "$SERVER" --rel',
      'npm run verify -- "$API_URL" --host cadd',
      "npx --yes --ignore-scripts gh-pages@6.3.",
      'npm run verify -- "$API_URL" --host plai',
    ]);
    const settingIn = (text: string | undefined) => text?.replace(/^\$\{\{ | \}\}$/g, "");
    expect(steps.map(({ env }) => settingIn(env?.["API_URL"] ?? env?.["SERVER"]))).toEqual([
      "vars.SERVER",
      "vars.API_URL",
      "vars.CADDY_SERVER",
      "vars.CADDY_API_URL",
      undefined,
      "vars.PLAIN_API_URL",
    ]);
    expect(publish.permissions).toEqual({ contents: "write" });
  });

  it("lists each setting once, and builds for all of them", () => {
    const readme = files.get("README.md") ?? "";
    const named = [...readme.matchAll(/^\| (?:secret|variable) `(\w+)` /gm)].map(([, name]) => name);
    expect(new Set(named).size).toBe(named.length);
    const used = [...workflow("nginx", "caddy", "plain").matchAll(/(?:vars|secrets)\.(\w+)/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(used));
    expect(files.get("content/api.yaml")).toContain("\nhosts: [nginx, caddy, plain]\n");
    expect(readme).toContain("nginx, Caddy and GitHub Pages answer requests");
  });
});

/** Runs a step of the job as GitHub does, with programs in place of those on the machine. */
function runStep(
  name: "check" | "breaking" | "comment",
  index: number,
  programs: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
) {
  const { jobs } = form.parse(parse(workflow("netlify")));
  const { run = "" } = jobs[name].steps.at(index) ?? {};
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(path.join(bin, program), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(bin, program), 0o755);
  }
  const all = { ...env, PATH: `${bin}:${process.env["PATH"]}`, RUNNER_TEMP: bin, GITHUB_REPOSITORY: "me/my-api" };
  return execFileSync("bash", ["-e", "-o", "pipefail", "-c", run], {
    cwd: bin,
    env: all,
    encoding: "utf8",
    stdio: "pipe",
  });
}

describe("the steps of a pull request", () => {
  const summary = path.join(folder, "summary");
  const output = path.join(folder, "output");
  const diff = (exit: number, failing: number) => ({
    npm: `printf '%s' "$GITHUB_ACTIONS"; printf '<!-- mark -->\\nOne more.\\n'
case "$*" in *--fail-on*) exit ${failing};; esac
exit ${exit}`,
  });
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, GITHUB_ACTIONS: "true" };

  it.each([
    [0, 0, ""],
    [0, 1, "breaking=true\n"],
    [0, 2, ""],
    [1, 1, ""],
    [2, 2, ""],
  ])("tell what changes, and fail only if diff ends with 2: %i, with --fail-on %i", (exit, failing, last) => {
    mkdirSync(folder, { recursive: true });
    for (const file of [summary, output]) writeFileSync(file, "");
    const step = () => runStep("check", -1, diff(exit, failing), env);
    if (Math.max(exit, failing) < 2) step();
    else expect(step).toThrow();
    expect(readFileSync(summary, "utf8")).toBe("<!-- mark -->\nOne more.\n");
    const [, end, rest] =
      /^changes<<([0-9a-f]{32})\n<!-- mark -->\nOne more.\n\1\n(.*)$/s.exec(readFileSync(output, "utf8")) ?? [];
    expect([end?.length, rest]).toEqual([32, last]);
  });

  it("fail on breaking changes, unless a label says that they are meant", () => {
    const { jobs } = form.parse(parse(workflow("netlify")));
    expect(jobs.breaking.needs).toBe("check");
    expect(jobs.breaking.if).toBe(
      "!cancelled() && needs.check.outputs.breaking == 'true' && !contains(github.event.pull_request.labels.*.name, 'breaking-change')",
    );
    expect(() => runStep("breaking", 0, {}, {})).toThrow("breaking-change");
  });

  it.each([
    [
      "make a comment where there is none",
      "",
      ["repos/me/my-api/issues/7/comments --raw-field body=<!-- mark -->", "One more. --silent"],
    ],
    [
      "change the one they have made",
      "echo 42",
      ["--method PATCH repos/me/my-api/issues/comments/42 --raw-field body=<!-- mark -->", "One more. --silent"],
    ],
  ])("%s", (_, found, asked) => {
    const log = path.join(folder, "asked");
    writeFileSync(log, "");
    const gh = `case "$*" in *--paginate*) [ "$mark" = "<!-- mark -->" ] && { ${found || ":"}; };; *) shift; printf '%s\\n' "$*" >> "${log}";; esac`;
    runStep(
      "comment",
      0,
      { gh },
      { COMMENTS: "repos/me/my-api/issues/7/comments", CHANGES: "<!-- mark -->\nOne more." },
    );
    expect(readFileSync(log, "utf8").trimEnd().split("\n")).toEqual(asked);
  });
});
