import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TextAnswer } from "../../../test/ask.ts";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { bodyIn, isFileOf, type Subject } from "../../../test/check/conform.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { loadNetlify, type NetlifyEmulator } from "../../../test/hosts/netlify-emulator.ts";
import type { Answer, Request } from "../../routing/resolve.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { netlify } from "./index.ts";
import { rules } from "./print.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-netlify-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Site extends Subject {
  readonly emulator: NetlifyEmulator;
  readonly table: RoutingTable;
}

let sites = 0;

async function makeSite(content: string): Promise<Site> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset, plan } = await buildForTest(content, dist, [netlify]);
  const emulator = await loadNetlify(dist, isFileOf(dist));
  return {
    dataset,
    dist,
    emulator,
    table: plan.table,
    gaps: netlify.gaps,
    send: async (request) => respond(dist, request, await emulator.answer(request)),
  };
}

const respond = (dist: string, { method }: Request, answer: Answer): TextAnswer => ({
  status: answer.status,
  body: bodyIn(dist, answer, method),
  headers: lowercase(answer.headers),
});

const lowercase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe("Netlify", () => {
  let small: Site;

  beforeAll(async () => {
    small = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  });

  it("sends the same type and CORS if Netlify goes by the path of the request for headers", () => {
    const types = new Map(small.dataset.published.map(({ path, contentType }) => [path, contentType]));
    const answered = new Set([...types.keys(), ...small.dataset.operations.map(({ name }) => `/api/v1/${name}`)]);
    for (const { path: sent } of conformanceRequests(small.dataset)) {
      const headers = lowercase(small.emulator.headersFor(sent));
      expect(headers).toMatchObject({ "access-control-allow-origin": "*", "x-content-type-options": "nosniff" });
      if (answered.has(sent)) expect(headers["content-type"]).toBe(types.get(sent) ?? "application/json");
    }
    expect(small.emulator.headersFor("/api/v1/regions")["Cache-Control"]).toBe("public, max-age=300");
  });

  it("lets a preflight pass at every known path", async () => {
    const preflight = {
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "*, Authorization",
      "access-control-max-age": "86400",
    };
    const operations = small.dataset.operations.map(({ name }) => `/api/v1/${name}`);
    const documents = small.dataset.published.map(({ path }) => path);
    for (const path of [...operations, ...documents]) {
      const { status, headers } = await small.send({ method: "OPTIONS", path, query: "" });
      expect({ path, status, headers }).toMatchObject({ path, status: 200, headers: preflight });
      expect(lowercase(small.emulator.headersFor(path))).toMatchObject(preflight);
    }
    const { status, headers } = await small.send({ method: "OPTIONS", path: "/api/v1/nowhere", query: "" });
    expect(status).toBe(404);
    expect(headers).not.toHaveProperty("access-control-allow-methods");
  });

  it("has fewer rules than Netlify accepts even with pages for every limit", () => {
    const limit = netlify.limits?.find(({ what }) => what === "rules") ?? expect.fail();
    expect(rules([small.table]).length).toBe(small.emulator.rules);
    expect(small.emulator.rules).toBeLessThan(limit.max);
  });

  it("lets no value lead out of its place in a path", async () => {
    const values = [
      "..",
      ".",
      "",
      "%2e%2e",
      "%2E.",
      "..%2F..%2Fstatus",
      "../../status",
      "..%5C..",
      "..%00",
      "%252e%252e",
    ];
    const pairs = ["region", "cursor"].flatMap((param) => values.map((value) => `${param}=${value}`));
    const queries = pairs.flatMap((pair) => [pair, `${pair}&limit=5`, `limit=5&cursor=..&${pair}`]);
    const ask = (query: string) => small.emulator.answer({ method: "GET", path: "/api/v1/nodes", query });
    const answers = await Promise.all(queries.map(ask));
    const errors = /^(?:404\.html|api\/v1\/errors\/nodes\/invalid_[a-z]+\.json)$/;
    expect(queries.filter((_, index) => !errors.test(answers[index]?.file ?? ""))).toEqual([]);
    expect(answers.filter(({ status }) => status < 400)).toEqual([]);
  });
});
