// The declarations in examples/: each is loaded as a repository's is, built, and answers the conformance list. Each is
// served by one of the servers: test/conformance/ compares all of them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { apache } from "../../build/hosts/apache/index.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { netlify } from "../../build/hosts/netlify/index.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { openBuild } from "../../build/published/build.ts";
import { verify } from "../../build/verify/verify.ts";
import type { Api } from "../../src/model/api.ts";
import { type Built, buildForTest } from "../check/built.ts";
import { builtSubject, conform } from "../check/conform.ts";
import { conformanceRequests } from "../check/requests.ts";
import { served } from "../hosts/configurations.ts";
import { messagesOfPlan, openedWithErrors } from "../plan.ts";
import { temporaryFolder } from "../temporary.ts";
import { skipWithoutTools } from "../tools/skip.ts";

const root = temporaryFolder();

const servers = [nginx, caddy, apache];

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const openapiFiles: string[] = [];

describe.each(examples)("the example %s", (name) => {
  const folder = path.join("examples", name);
  const dist = path.join(root, name);
  const { host, lack, start } = served(servers[examples.indexOf(name) % servers.length] ?? nginx);
  let api: Api;
  let built: Built;

  beforeAll(async () => {
    const { declaration, errors } = await openedWithErrors({ folder });
    expect(errors).toEqual([]);
    if (declaration.api === undefined) throw new Error("There is no API.");
    api = declaration.api;
    built = await buildForTest(path.join(folder, "content"), dist, [host], api);
  });

  it("is an API that answers as the contract says", async () => {
    const { plan, dataset } = built;
    for (const { name: list } of api.lists) expect(dataset.items.get(list)?.length).toBeGreaterThan(200);
    expect(plan.count).toBeLessThan(5_000);
    const { failures } = await conform(builtSubject(built, dist), conformanceRequests(dataset));
    expect(failures).toEqual([]);
  });

  it.each([
    ["Netlify", [netlify]],
    // Other hosts read Netlify's files.
    ["all other hosts", [...hosts.values()].filter((host) => host !== netlify)],
  ])("fits %s", async (_, all) => {
    expect(await messagesOfPlan({ api, content: path.join(folder, "content"), hosts: all })).toEqual([]);
  });

  it("has an OpenAPI document that is valid by the official schema", async () => {
    const file = path.join(dist, api.base, "openapi.json");
    const document = JSON.parse(readFileSync(file, "utf8"));
    expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", document)).toEqual({ valid: true });
    openapiFiles.push(file);
  });

  it(`passes verify on ${host.name}`, async ({ skip }) => {
    if (lack !== undefined) return skip(lack);
    const { origin, stop } = await start(dist, [built.plan.table]);
    onTestFinished(stop);
    expect((await verify(new URL(origin), openBuild(dist), { host })).findings).toEqual([]);
  });
});

it("have OpenAPI documents that are valid by Redocly's rules", ({ skip }) => {
  skipWithoutTools(skip);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { encoding: "utf8", env, cwd: root, stdio: "pipe" } as const;
  expect(openapiFiles).toHaveLength(examples.length);
  const report = execFileSync("redocly", ["lint", ...openapiFiles, "--format", "json"], options);
  expect([...report.matchAll(/"problems": .*/g)].map(String)).toEqual(examples.map(() => '"problems": []'));
});
