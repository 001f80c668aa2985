// The declarations in examples/: each is loaded as a repository's is, built, and answers the conformance list.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { conformanceRequests } from "../../build/check/requests.ts";
import { openDeclaration } from "../../build/declaration/declaration.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import { buildForTest } from "../check/built.ts";
import { bodyIn, conform, isFile, type Subject } from "../check/conform.ts";
import { typeCheck } from "../client/type-check.ts";

const root = mkdtempSync(path.join(tmpdir(), "stillapi-examples-"));
afterAll(() => rmSync(root, { recursive: true }));

const chosen = ["netlify", "nginx"].flatMap((name) => hosts.get(name) ?? []);

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(examples)("the example %s", (name) => {
  const folder = path.join("examples", name);
  const dist = path.join(root, name);

  it("is an API that answers as the contract says", async () => {
    const [{ api }, mistakes] = await openDeclaration({ folder });
    expect(mistakes).toEqual([]);
    if (api === undefined) throw new Error("There is no API.");
    const { plan, dataset } = await buildForTest(path.join(folder, "content"), dist, chosen, false, api);
    for (const { name: list } of api.lists) expect(dataset.items.get(list)?.length).toBeGreaterThan(200);
    expect(plan.count).toBeLessThan(1_500);
    const send: Subject["send"] = (request) => {
      const answer = settle(resolve(plan.table, request), (each) => isFile(dist, each));
      const lowercase = Object.entries(answer.headers).map(([header, value]) => [header.toLowerCase(), value]);
      const body = bodyIn(dist, answer, request.method);
      return { status: answer.status, headers: Object.fromEntries(lowercase), body };
    };
    const { failures } = await conform({ dataset, dist, gaps: [], send }, conformanceRequests(dataset));
    expect(failures).toEqual([]);
  });
});

it("give a client their types", () => {
  const files = ["client.ts", ...examples.map((name) => `${name}/api.config.ts`)];
  const texts = files.map((file) => [file, readFileSync(path.join("examples", file), "utf8")] as const);
  expect(typeCheck(Object.fromEntries(texts)).errors).toEqual([]);
});
