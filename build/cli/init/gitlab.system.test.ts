// The pipeline of a repository on GitLab: its form, and its scripts, run as GitLab does. It was checked with the JSON schema of
// GitLab, and its rules with gitlab-ci-local, which is no package of this repository.
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { serve } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { hosts } from "../../hosts/hosts.ts";
import { publishedHosts } from "../../hosts/names.ts";
import { onGitlab } from "./gitlab.ts";
import { repositoryFiles } from "./repository.ts";
import type { Target } from "./targets.ts";

const rule = z.strictObject({ if: z.string(), when: z.string().optional() });
const job = z.strictObject({
  stage: z.enum(["check", "report", "publish"]),
  rules: z.array(rule).min(1),
  needs: z.array(z.string()).optional(),
  variables: z.record(z.string(), z.string()).optional(),
  environment: z.unknown().optional(),
  resource_group: z.string().optional(),
  script: z.array(z.string()).min(1),
  artifacts: z.unknown().optional(),
});
const form = z
  .object({ stages: z.array(z.string()), workflow: z.unknown(), default: z.unknown(), variables: z.unknown() })
  .catchall(job);

function targetOf(host: string): Target {
  const publishing = hosts.get(host)?.publishing;
  if (publishing === undefined) throw new Error(`${host} does not say how one publishes.`);
  return onGitlab({ host, publishing });
}

function repository(first: string, ...others: readonly string[]) {
  const targets = [targetOf(first), ...others.map(targetOf)] as const;
  const files = repositoryFiles({ template: "blank", name: "my-api", version: "1.0.0", ci: "gitlab", targets });
  const {
    stages: _,
    workflow: _workflow,
    default: _default,
    variables: _variables,
    ...jobs
  } = form.parse(parse(files.get(".gitlab-ci.yml") ?? ""));
  return { files, jobs: new Map(Object.entries(jobs)), readme: files.get("README.md") ?? "" };
}

const previewed = ["cloudflare-pages", "netlify", "vercel"];

describe.each(publishedHosts)("for %s", (host) => {
  const { files, jobs, readme } = repository(host);

  it("has jobs for merge requests and for the default branch, and no workflow of GitHub", () => {
    const names = ["check", "breaking", "note", ...(previewed.includes(host) ? ["preview"] : [])];
    expect([...jobs.keys()]).toEqual([...names, host === "plain" ? "pages" : "publish"]);
    for (const [name, { stage, rules }] of jobs) {
      const condition = stage === "publish" ? "$CI_COMMIT_BRANCH ==" : '$CI_PIPELINE_SOURCE == "merge_request_event"';
      for (const { if: text } of rules) expect(text.startsWith(condition), name).toBe(true);
    }
    expect([...files.keys()].filter((file) => file.startsWith(".github"))).toEqual([]);
    for (const [file, text] of files) expect(text, file).not.toMatch(/__[A-Z_]+__|GITHUB_|\$\{\{/);
    expect(readme).not.toContain("undefined");
  });

  it("has scripts without faults of syntax, and runs nothing that a package runs when it is installed", () => {
    for (const { script } of jobs.values()) {
      execFileSync("bash", ["-n", "-c", script.join("\n")]);
      for (const line of script.filter((text) => /npm ci|npx --yes/.test(text)))
        expect(line).toContain("--ignore-scripts");
    }
  });

  it("lists the variables that the commands need", () => {
    const { publishing } = targetOf(host);
    for (const name of Object.keys({ ...publishing.secrets, ...publishing.variables, API_URL: "", GITLAB_TOKEN: "" }))
      expect(readme).toContain(` \`${name}\``);
  });
});

it("maps the variables of several hosts in the shell, and leaves GitLab Pages for the end", () => {
  const { jobs, readme } = repository("plain", "nginx", "caddy");
  const script = jobs.get("pages")?.script ?? [];
  expect(script.filter((line) => /^export|publish\.sh|verify|^rm|^apt/.test(line))).toEqual([
    "apt-get update && apt-get install --yes rsync",
    'sh dist.hosts/nginx/publish.sh --reload "$SERVER"',
    'if [ -n "$NGINX_API_URL" ]; then npm run verify -- "$NGINX_API_URL" --host nginx; fi',
    'export SSH_KEY="$CADDY_SSH_KEY"',
    'export SERVER="$CADDY_SERVER"',
    'export SSH_KNOWN_HOSTS="$CADDY_SSH_KNOWN_HOSTS"',
    'export CHECK="$CADDY_CHECK"',
    'export RELOAD="$CADDY_RELOAD"',
    'sh dist.hosts/caddy/publish.sh --reload "$SERVER"',
    'if [ -n "$CADDY_API_URL" ]; then npm run verify -- "$CADDY_API_URL" --host caddy; fi',
    "rm -rf public && mv dist public",
  ]);
  expect(jobs.get("pages")?.artifacts).toEqual({ paths: ["public"] });
  expect(readme).toContain("GitLab Pages, nginx and Caddy answer requests");
});

it("leaves out the job breaking if a label is breaking-change", () => {
  const [unless] = repository("netlify").jobs.get("breaking")?.rules ?? [];
  expect(unless?.when).toBe("never");
  const [, pattern = ""] = / =~ \/(.*)\/$/.exec(unless?.if ?? "") ?? [];
  const isLabel = (labels: string) => new RegExp(pattern).test(labels);
  expect(["breaking-change", "a,breaking-change", "breaking-change,b"].map(isLabel)).toEqual([true, true, true]);
  expect(["", "a", "no-breaking-change", "breaking-changes,b"].map(isLabel)).toEqual([false, false, false, false]);
});

const folder = temporaryFolder();

describe("the scripts", () => {
  const { jobs } = repository("netlify");
  let work: string;
  let calls: string;

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    work = mkdtempSync(path.join(folder, "work-"));
    calls = path.join(folder, "calls");
  });

  /** Runs a job in a shell as GitLab's runner does, with a program in place of npm and npx, and no variables but these. */
  async function runJob(name: string, npm: string, env: Readonly<Record<string, string>> = {}) {
    const bin = mkdtempSync(path.join(folder, "bin-"));
    for (const program of ["npm", "npx"]) {
      const file = path.join(bin, program);
      writeFileSync(file, `#!/bin/sh\necho "$PREVIOUS|$*" >> "${calls}"\n${npm}\n`);
      chmodSync(file, 0o755);
    }
    rmSync(calls, { force: true });
    const script = jobs.get(name)?.script.join("\n") ?? "exit 9";
    const all = { HOME: work, PATH: `${bin}:${process.env["PATH"]}`, ...env };
    const ended = promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: work, env: all });
    const code = await ended.then(
      () => 0,
      (error: { code: number }) => error.code,
    );
    const called = existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : [];
    return { code, called };
  }

  const npm = (check: number, diff: number, failing: number) => `case "$*" in
  *check*) exit ${check};;
  *--fail-on*) exit ${failing};;
  *diff*) printf '<!-- mark -->\\nOne more.\\n'; exit ${diff};;
esac`;

  it.each([
    { check: 0, diff: 0, failing: 0, code: 0, breaking: 0 },
    { check: 0, diff: 0, failing: 1, code: 0, breaking: 1 },
    { check: 1, diff: 1, failing: 1, code: 1, breaking: 0 },
    { check: 0, diff: 1, failing: 1, code: 0, breaking: 0 },
    { check: 0, diff: 2, failing: 2, code: 2, breaking: 0 },
    { check: 0, diff: 0, failing: 2, code: 2, breaking: 0 },
  ])("check and compare, and fail on breaking changes: %j", async ({ check, diff, failing, code, breaking }) => {
    rmSync(path.join(work, "breaking"), { force: true });
    expect(await runJob("check", npm(check, diff, failing))).toMatchObject({ code });
    expect(readFileSync(path.join(work, "changes.md"), "utf8")).toBe("<!-- mark -->\nOne more.\n");
    expect(await runJob("breaking", "exit 9")).toEqual({ code: breaking, called: [] });
  });

  it.each([
    [{ CI_MERGE_REQUEST_DIFF_BASE_SHA: "abc" }, "abc"],
    [{ CI_MERGE_REQUEST_DIFF_BASE_SHA: "abc", API_URL: "https://api.example.com" }, "https://api.example.com"],
  ])("compare with the published API, or with the start of the branch: %j", async (env, against) => {
    const { called } = await runJob("check", "exit 0", env);
    expect(called).toContain(`|run --silent diff -- --against ${against} --format markdown`);
  });

  it.each([
    [{}, ["|run build -- "], []],
    [
      { API_URL: "https://api.example.com" },
      ["https://api.example.com|run build -- --previous-required"],
      ["|run verify -- https://api.example.com"],
    ],
  ])("publish with the variables %j", async (env, built, verified) => {
    const { code, called } = await runJob("publish", "exit 0", env);
    expect(code).toBe(0);
    const isOf = (command: string) => (call: string) => call.includes(`run ${command} `);
    expect(called.filter(isOf("build")).map((call) => `${call} `.replace(/ +$/, " "))).toEqual(
      built.map((call) => `${call} `.replace(/ +$/, " ")),
    );
    expect(called.filter(isOf("verify"))).toEqual(verified);
  });

  it("publish a marked build as the environment of a merge request", async () => {
    const deploy = `case "$*" in *deploy*) echo '{"deploy_url":"https://mr-5--my-api.netlify.app"}';; esac`;
    const { code, called } = await runJob("preview", deploy, { CI_MERGE_REQUEST_IID: "5" });
    expect(code).toBe(0);
    expect(called).toContain("|run build -- --preview");
    expect(called.at(-1)).toContain("deploy --no-build --dir dist --alias mr-5 --json");
    expect(readFileSync(path.join(work, "preview.env"), "utf8")).toBe("PREVIEW_URL=https://mr-5--my-api.netlify.app\n");
  });

  describe("note what changes", () => {
    const text = "<!-- mark -->\nOne more.\n";
    const other = { id: 1, author: { id: 8 }, body: text };
    const note = (body: string) => ({ id: 42, author: { id: 7 }, body });
    const many = Array.from({ length: 100 }, () => note("A remark."));

    it.each([
      ["in a new note", [[other]], "POST /projects/3/merge_requests/5/notes"],
      ["in the earlier one", [[other, note("<!-- mark -->\nBefore.")]], "PUT /projects/3/merge_requests/5/notes/42"],
      ["in one of a later page", [many, [note(text)]], "PUT /projects/3/merge_requests/5/notes/42"],
    ])("%s", async (_, pages, last) => {
      const asked: unknown[] = [];
      const origin = await serve(async (request, response) => {
        const { method, url = "" } = request;
        const page = new URL(url, "http://localhost").searchParams.get("page");
        if (method !== "GET") asked.push(`${method} ${url}`, await json(request));
        expect(request.headers["private-token"]).toBe("secret");
        response.end(JSON.stringify(url === "/user" ? { id: 7 } : (pages[Number(page) - 1] ?? {})));
      });
      writeFileSync(path.join(work, "changes.md"), text);
      const env = { CI_MERGE_REQUEST_PROJECT_ID: "3", CI_MERGE_REQUEST_IID: "5", GITLAB_TOKEN: "secret" };
      expect(await runJob("note", "exit 9", { ...env, CI_API_V4_URL: origin })).toEqual({ code: 0, called: [] });
      expect(asked).toEqual([last, { body: text }]);
    });

    it("not at all if the job before ended too early", async () => {
      rmSync(path.join(work, "changes.md"));
      expect(await runJob("note", "exit 9")).toEqual({ code: 0, called: [] });
    });
  });
});
