import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { bodyIn, isFile, type Subject } from "../../../test/check/conform.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { loadVercel, type VercelEmulator } from "../../../test/hosts/vercel-emulator.ts";
import type { Request } from "../../routing/resolve.ts";
import { makeTable, type RoutingTable } from "../../routing/table.ts";
import { vercel } from "./index.ts";

const { operations } = edgeNetwork;

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-vercel-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Site extends Subject {
  readonly emulator: VercelEmulator;
  readonly documents: RoutingTable["documents"];
}

let sites = 0;

async function makeSite(content: string): Promise<Site> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset, plan } = await buildForTest(content, dist, [vercel]);
  const { documents } = plan.table;
  return { dataset, dist, documents, gaps: vercel.gaps, ...load(dist, path.join(dist, "vercel.json")) };
}

/** Answers by the routes of a file. */
function load(dist: string, config: string): Pick<Site, "emulator" | "send"> {
  const emulator = loadVercel(readFileSync(config, "utf8"), (file) => isFile(dist, file));
  const send = (request: Request) => {
    const answer = emulator.answer(request);
    const names = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { status: answer.status, headers: Object.fromEntries(names), body: bodyIn(dist, answer, request.method) };
  };
  return { emulator, send };
}

describe("Vercel", () => {
  let small: Site;

  beforeAll(async () => {
    small = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  });

  it("stays within Vercel's number of routes with the page sizes that take the most", () => {
    const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
    const names = operations.map(({ name }) => name);
    const table = makeTable(edgeNetwork, names, () => [...odd, 100], small.documents);
    for (const { what, used, most } of vercel.uses?.(table) ?? []) expect(used, what).toBeLessThan(most);
  });

  it("lets only well-formed values into a path", () => {
    const values = [
      "..",
      ".",
      "",
      "%2e%2e",
      "..%2F..%2Fstatus",
      "../../status",
      "..%5C..",
      "lhr1/..",
      "lhr1%00",
      "$limit",
    ];
    const pairs = ["region", "cursor"].flatMap((param) => values.map((value) => `${param}=${value}`));
    const answers = pairs
      .flatMap((pair) => [pair, `${pair}&limit=5`, `limit=5&${pair}`])
      .map((query) => small.emulator.answer({ method: "GET", path: "/api/v1/nodes", query }));
    expect(new Set(answers.map(({ status, file }) => `${status} ${file}`))).toEqual(
      new Set(["400 api/v1/errors/nodes/invalid_region.json", "400 api/v1/errors/nodes/invalid_cursor.json"]),
    );
  });
});
