import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPageSize } from "../../../src/paging.ts";
import type { Response } from "../../conformance/ask.ts";
import { bodyIn, isFile, type Subject } from "../../conformance/conform.ts";
import { buildForTest, sampleContent } from "../../conformance/fixture.ts";
import { fuzz } from "../../conformance/fuzz.ts";
import { conformanceRequests } from "../../conformance/requests.ts";
import { describeConformance } from "../../conformance/suite.ts";
import type { Answer, Request } from "../../routing/resolve.ts";
import { makeTable } from "../../routing/table.ts";
import { loadNetlify, type NetlifyEmulator } from "./emulator.ts";
import { netlify } from "./index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-netlify-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Site extends Subject {
  readonly emulator: NetlifyEmulator;
}

let sites = 0;

async function makeSite(content: string): Promise<Site> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset } = await buildForTest(content, dist, [netlify]);
  const emulator = await loadNetlify(dist, (file) => isFile(dist, file));
  return {
    dataset,
    dist,
    emulator,
    gaps: netlify.gaps,
    send: async (request) => respond(dist, request, await emulator.answer(request)),
  };
}

const respond = (dist: string, { method }: Request, answer: Answer): Response => ({
  status: answer.status,
  body: bodyIn(dist, answer, method),
  headers: lowercase(answer.headers),
});

const lowercase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describeConformance("Netlify", folder, makeSite);

describe("Netlify", () => {
  let small: Site;

  beforeAll(async () => {
    small = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  });

  it("sends JSON with CORS also if Netlify goes by the path of the request for headers", () => {
    for (const { path: sent } of conformanceRequests(small.dataset)) {
      const headers = lowercase(small.emulator.headersFor(sent));
      expect(headers).toMatchObject({ "access-control-allow-origin": "*", "x-content-type-options": "nosniff" });
      if (sent.startsWith("/api/v1")) expect(headers["content-type"]).toBe("application/json");
    }
    expect(small.emulator.headersFor("/api/v1/regions")["Cache-Control"]).toBe("public, max-age=300");
  });

  it("has fewer rules than Netlify accepts where every limit has its pages, which takes the most", () => {
    const [use] =
      netlify.uses?.(
        makeTable(
          small.dataset.operations.map(({ name }) => name),
          () => everyPageSize,
        ),
      ) ?? [];
    expect(use).toMatchObject({ what: "rules", used: small.emulator.rules });
    expect(small.emulator.rules).toBeLessThan(use?.most ?? 0);
  });

  it("answers requests that nobody wrote down as the contract or a declared gap says", async () => {
    // A file's own path is not part of the contract: Netlify serves the file.
    const ascii = (sent: string) =>
      sent.replace(/%[0-7][0-9a-f]/gi, (encoded) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)));
    const isOwn = ({ path: sent }: Request) => isFile(small.dist, ascii(sent));
    const send = (request: Request) => small.send(isOwn(request) ? { ...request, path: "/", query: "" } : request);
    await fuzz("netlify", { ...small, send }, 2_000);
  }, 180_000);

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
