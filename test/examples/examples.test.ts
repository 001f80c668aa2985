// The declarations in examples/: each is loaded as a repository's is, built, served by each server, and answers the
// conformance list.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planBuild } from "../../build/build.ts";
import { openDeclaration } from "../../build/declaration/declaration.ts";
import { cloudflareWorkers } from "../../build/hosts/cloudflare/index.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { besideFolder } from "../../build/output/location.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import { readBuild } from "../../build/verify/build.ts";
import { verify } from "../../build/verify/verify.ts";
import type { Api } from "../../src/api.ts";
import { type Built, buildForTest } from "../check/built.ts";
import { bodyIn, conform, isFile, type Subject } from "../check/conform.ts";
import { conformanceRequests } from "../check/requests.ts";
import { typeCheck } from "../client/type-check.ts";
import { configurations, startForTests } from "../hosts/configurations.ts";
import { sendToWorker } from "../hosts/worker-emulator.ts";

const root = mkdtempSync(path.join(tmpdir(), "stillapi-examples-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Cloudflare's runtime takes seconds to start. Its worker gets the requests in this process. */
const servers = configurations.filter(
  ({ host, isShared, needs }) => isShared === undefined && needs === undefined && !host.name.startsWith("cloudflare"),
);
const chosen = [...new Set(servers.map(({ host }) => host))];

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(examples)("the example %s", (name) => {
  const folder = path.join("examples", name);
  const dist = path.join(root, name);
  let api: Api;
  let built: Built;

  beforeAll(async () => {
    const [opened, mistakes] = await openDeclaration({ folder });
    expect(mistakes).toEqual([]);
    if (opened.api === undefined) throw new Error("There is no API.");
    api = opened.api;
    built = await buildForTest(path.join(folder, "content"), dist, chosen, api);
  });

  it("is an API that answers as the contract says", async () => {
    const { plan, dataset } = built;
    for (const { name: list } of api.lists) expect(dataset.items.get(list)?.length).toBeGreaterThan(200);
    expect(plan.count).toBeLessThan(2_000);
    const send: Subject["send"] = (request) => {
      const answer = settle(resolve(plan.table, request), (each) => isFile(dist, each));
      const lowercase = Object.entries(answer.headers).map(([header, value]) => [header.toLowerCase(), value]);
      const body = bodyIn(dist, answer, request.method);
      return { status: answer.status, headers: Object.fromEntries(lowercase), body };
    };
    const { failures } = await conform({ dataset, dist, gaps: [], send }, conformanceRequests(dataset));
    expect(failures).toEqual([]);
  });

  it("is answered by Cloudflare's worker as the contract or a declared gap says", async () => {
    const { plan, dataset } = built;
    const { gaps } = cloudflareWorkers;
    const subject = { dataset, dist, gaps, send: sendToWorker(dist, plan.table) };
    expect((await conform(subject, conformanceRequests(dataset))).failures).toEqual([]);
  });

  it.each([...hosts.values()])("fits $name", async (host) => {
    const content = path.join(folder, "content");
    expect((await planBuild({ api, content, deployment: undefined, hosts: [host] }))[1]).toEqual([]);
  });

  it("has an OpenAPI document that is valid by the official schema and by Redocly's rules", async () => {
    const file = path.join(dist, api.base, "openapi.json");
    const document = JSON.parse(readFileSync(file, "utf8"));
    expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", document)).toEqual({ valid: true });
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const bin = path.resolve("node_modules/@redocly/cli/bin/cli.js");
    const options = { encoding: "utf8", env, cwd: root, stdio: "pipe" } as const;
    const report = execFileSync(process.execPath, [bin, "lint", file, "--format", "json"], options);
    expect(JSON.parse(report.slice(report.indexOf("{"))).problems).toEqual([]);
  });

  describe.each(servers)("on $title", (row) => {
    const server = startForTests(row, dist);
    if (server === undefined) return;

    it("passes verify", async () => {
      if (row.isPublished === true && api.base.lastIndexOf("/") > 0) {
        copyFileSync(path.join(besideFolder(dist), "apache", "only.htaccess"), path.join(dist, ".htaccess"));
      }
      const host = { ...row.host, gaps: row.gaps };
      expect((await verify(new URL(server.origin()), readBuild(dist), { host })).findings).toEqual([]);
    });
  });
});

it("give a client their types", () => {
  const files = ["client.ts", ...examples.map((name) => `${name}/api.config.ts`)];
  const texts = files.map((file) => [file, readFileSync(path.join("examples", file), "utf8")] as const);
  expect(typeCheck(Object.fromEntries(texts)).errors).toEqual([]);
});
