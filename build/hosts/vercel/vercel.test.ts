import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { bodyIn, conform, isFile, type Subject } from "../../../test/check/conform.ts";
import { fuzz } from "../../../test/check/fuzz.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { describeConformance } from "../../../test/check/suite.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { loadVercel, type VercelEmulator } from "../../../test/hosts/vercel-emulator.ts";
import { findProgram } from "../../cli/preview/program.ts";
import { besideFolder } from "../../output/location.ts";
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

describeConformance("Vercel", folder, makeSite);

describe("Vercel", () => {
  let small: Site;

  beforeAll(async () => {
    small = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  });

  it("answers requests that nobody wrote down as the contract or a declared gap says", async () => {
    // The contract does not cover the path of a file: Vercel serves the file.
    const known = new Set(small.dataset.published.map((each) => each.path));
    const isOwn = ({ path: sent }: Request) => isFile(small.dist, sent) && !known.has(sent);
    const send = (request: Request) => small.send(isOwn(request) ? { ...request, path: "/nope", query: "" } : request);
    await fuzz({ ...small, send });
  }, 180_000);

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

/** How Vercel's command line prepares a deployment, without the network. */
describe("vercel build", () => {
  const install = "npm install --no-save vercel@54.4.0 (170 MB)";
  const command = findProgram({ command: "vercel", install, run: () => ({ files: [], args: [] }) });
  if (command === undefined) return it.skip(`is skipped, because vercel is not installed. To install it: ${install}`);

  /** Writes `.vercel/output` in a new folder. */
  const build = async (prepare: (root: string) => void): Promise<string> => {
    const root = mkdtempSync(path.join(folder, "deploy-"));
    mkdirSync(path.join(root, ".vercel"));
    // The file that `vercel link` writes.
    writeFileSync(path.join(root, ".vercel/project.json"), '{"projectId":"prj_x","orgId":"team_x","settings":{}}');
    prepare(root);
    const env = { ...process.env, HOME: folder, VERCEL_TELEMETRY_DISABLED: "1" };
    await promisify(execFile)(command, ["build", "--yes"], { cwd: root, env });
    return path.join(root, ".vercel/output");
  };
  /** Vercel appends routes, and sorts the routes that a build command writes. */
  const failures = async (site: Site, output: string) =>
    (await conform({ ...site, ...load(site.dist, `${output}/config.json`) }, conformanceRequests(site.dataset)))
      .failures;
  const filesIn = (root: string) =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => isFile(root, file))
      .sort();

  it("publishes dist as it is, with its routes and without vercel.json", async () => {
    const site = await makeSite(sampleContent(folder, { count: 12, pageSizes: [5, 100] }).content);
    const output = await build((root) => cpSync(site.dist, root, { recursive: true }));
    expect(filesIn(`${output}/static`)).toEqual(filesIn(site.dist).filter((file) => file !== "vercel.json"));
    expect(await failures(site, output)).toEqual([]);
  }, 120_000);

  it("answers the same if a build command has written config.json", async () => {
    const site = await makeSite(sampleContent(folder, { count: 12, pageSizes: [5, 100] }).content);
    const config = path.join(besideFolder(site.dist), "vercel/config.json");
    const output = await build((root) => {
      const copy = `cp -r ${site.dist} .vercel/output/static && cp ${config} .vercel/output/`;
      const buildCommand = `mkdir -p .vercel/output && ${copy}`;
      writeFileSync(path.join(root, "package.json"), '{"private":true}');
      writeFileSync(
        path.join(root, "vercel.json"),
        JSON.stringify({ framework: null, installCommand: "true", buildCommand }),
      );
    });
    expect(isFile(output, "static/api/v1/nodes.json")).toBe(true);
    expect(await failures(site, output)).toEqual([]);
  }, 120_000);
});
