// A server in front of a copy of the build, or of another build, makes a mistake, and the verification reports it.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../../test/ask.ts";
import { buildForTest } from "../../test/check/built.ts";
import { mistakes } from "../../test/check/mistakes.ts";
import { type Mistake, remembering, serveWith } from "../../test/check/published.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { type Preview, startPreview } from "../cli/preview/preview.ts";
import { splitTarget } from "../routing/resolve.ts";
import { type RoutingTable, tableFile } from "../routing/table.ts";
import { type Build, readBuild } from "./build.ts";
import { type Options, type Verified, verify } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-mistakes-"));
const dist = path.join(folder, "dist");
let build: Build;
let preview: Preview;
let published: ReturnType<typeof remembering>;

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeSample(content, { count: 130, pageSizes: [1, 5, 10, 100] });
  // Each verification asks for every operation of the deployment.
  const deployment = path.join(content, "deployments/edge.json");
  const { status } = JSON.parse(readFileSync(deployment, "utf8"));
  writeFileSync(deployment, JSON.stringify({ operations: ["records", "schema", "status"], status }));
  await buildForTest(content, dist);
  build = readBuild(dist);
  preview = await startPreview(dist, 0);
  published = remembering(preview.origin);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

const operation = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
if (operation === undefined) throw new Error("No paged operation has a filter.");
const own = `/api/v1/${operation.name}`;
const [param = ""] = operation.filters.map((filter) => filter.param);

async function serve(mistake?: Mistake, below?: string) {
  const server = await serveWith(published, mistake, below);
  onTestFinished(() => server.stop());
  return server;
}

const verifyAt = (origin: string, options?: Options): Promise<Verified> => verify(new URL(origin), build, options);
const messages = ({ findings }: Verified) => findings.map(({ message }) => message);

describe("a verification finds", () => {
  it.each(mistakes(operation))("$title", async ({ mistake, reported }) => {
    const { origin } = await serve(mistake);
    const verified = await verifyAt(origin);
    expect(verified.different).toBeGreaterThan(0);
    for (const message of reported) expect(messages(verified)).toContainEqual(expect.stringMatching(message));
    for (const { examples } of verified.findings) expect(examples[0]?.curl).toMatch(/^curl -[iI] -g .*'http:.*'$/);
  });

  it("a redirect to the right path of another server", async () => {
    const { origin } = await serve((_, answer) => {
      const { location } = answer.headers;
      const headers = { ...answer.headers, location: `https://elsewhere.example${location}` };
      return location === undefined ? answer : { ...answer, headers };
    });
    expect(messages(await verifyAt(origin))).toEqual([
      "Location is https://elsewhere.example/api/v1/docs/, not /api/v1/docs/: 1 answer.",
    ]);
  });

  it("that the query is ignored", async () => {
    const bare = await ask(preview.origin, { method: "GET", path: own, query: "" });
    const { origin } = await serve((request, answer) =>
      request.path === own && request.method === "GET" ? bare : answer,
    );
    expect(messages(await verifyAt(origin))).toContainEqual(
      expect.stringMatching(/^The query is ignored: \d+ answers, all of/),
    );
  });
});

/** Serves a copy of the build after a change, and verifies that it is the build. */
async function verifyCopy(change: (copy: string) => void, options?: Options): Promise<Verified> {
  const copy = mkdtempSync(path.join(folder, "copy-"));
  cpSync(dist, copy, { recursive: true });
  change(copy);
  const server = await startPreview(copy, 0);
  onTestFinished(() => server.stop());
  return verifyAt(server.origin, options);
}

const put = (copy: string, file: string, from: string) =>
  writeFileSync(path.join(copy, file), readFileSync(path.join(dist, from)));

function changeTable(copy: string, change: (table: RoutingTable) => RoutingTable): void {
  const file = path.join(copy, tableFile);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")))));
}

type Params = RoutingTable["operations"][number]["params"];

const withParams = (change: (params: Params) => Params) => (copy: string) =>
  changeTable(copy, (table) => ({
    ...table,
    operations: table.operations.map((each) => ({ ...each, params: change(each.params) })),
  }));

const withSizes = (...sizes: readonly number[]) =>
  withParams((params) => params.map((each) => (each.kind === "limit" ? { ...each, sizes: [...sizes] } : each)));

/** The pages of the own operation behind a cursor, without a filter and with the default limit. */
const laterPages = () => build.files.filter((file) => file.startsWith(`${own.slice(1)}/cursor/`));
const first = `${own.slice(1)}.json`;

describe("in a copy of the build, a verification finds", () => {
  const other = /^The data is stale, or of another build: \d+ answers?/;
  // The preview answers 500 if a first page is missing, where servers answer 404.
  const missing = /^The status is (?:404|400|500) \w+, not 200: \d+ answers?/;
  it.each<[string, (copy: string) => void, RegExp]>([
    ["a page with another page's bytes", (copy) => put(copy, first, `${own.slice(1)}/limit/5.json`), other],
    [
      "an empty last page in place of one of several",
      (copy) => {
        const empty = {
          object: "list",
          data: [],
          pagination: { limit: 100, count: 0, has_more: false, next_cursor: null },
        };
        for (const page of laterPages()) writeFileSync(path.join(copy, page), JSON.stringify(empty));
      },
      other,
    ],
    ["a missing page", (copy) => rmSync(path.join(copy, first)), missing],
    ["a missing page behind a cursor", (copy) => rmSync(path.join(copy, laterPages().at(-1) ?? "")), missing],
    ["a missing listing", (copy) => rmSync(path.join(copy, own.slice(1), param), { recursive: true }), missing],
    ["a missing document", (copy) => rmSync(path.join(copy, "api/v1/docs/style.css")), /./],
    ["fewer page sizes", withSizes(1, 5, 100), other],
    ["further page sizes", withSizes(1, 5, 10, 50, 100), missing],
    ["larger page sizes", withSizes(5, 10, 100), /The status is 400 invalid_limit, not 200: /],
    [
      "a filter that is unknown",
      withParams((params) => params.filter(({ kind }) => kind !== "filter")),
      /The query is ignored/,
    ],
    [
      "a filter that does not exist",
      withParams((params) => params.map((each) => (each.name === "cursor" ? { ...each, name: "after" } : each))),
      /The query is ignored|is stale/,
    ],
  ])("%s", async (_, change, reported) => {
    const verified = await verifyCopy(change);
    expect(messages(verified)).toContainEqual(expect.stringMatching(reported));
  });

  it("two swapped items, if it compares all", async () => {
    const verified = await verifyCopy(
      (copy) => {
        const [one = "", two = ""] = build.files
          .filter((file) => file.startsWith(`${own.slice(1)}/limit/1/cursor/`))
          .slice(40);
        put(copy, one, two);
        put(copy, two, one);
      },
      { all: true },
    );
    expect(messages(verified)).toContainEqual(
      `The data is stale, or of another build: 2 answers, all of them at ${own}.`,
    );
  });

  it("nothing if nothing was changed, with the number of files that it did not compare", async () => {
    const some = await verifyCopy(() => undefined);
    expect(some).toMatchObject({ different: 0, findings: [], isAnotherBuild: false });
    expect(some.compared).toBeLessThan(some.files);
    const all = await verifyCopy(() => undefined, { all: true });
    expect(all).toMatchObject({ different: 0, findings: [], compared: all.files, files: some.files });
  });
});

describe("a verification", () => {
  it("sends a few hundred requests, at most eight at once, and names itself", async () => {
    const server = await serve();
    const { asked } = await verifyAt(server.origin);
    // Of three operations.
    expect(asked).toBeGreaterThan(100);
    expect(server.asked.length).toBeLessThan(400);
    expect(server.most()).toBeLessThanOrEqual(8);
    for (const { headers } of server.asked) expect(headers["user-agent"]).toMatch(/^stillapi\/[\d.]+ \(verify\)$/);
  });

  it("sends the same requests each time", async () => {
    const [one, other] = [await serve(), await serve()];
    for (const { origin } of [one, other]) await verifyAt(origin);
    const targets = ({ asked }: typeof one) => asked.map(({ method, url }) => `${method} ${url}`).sort();
    expect(targets(one)).toEqual(targets(other));
  });

  it("compares pages of every combination of parameters, and every document", async () => {
    const server = await serve();
    await verifyAt(server.origin);
    const asked = new Set(server.asked.map(({ method, url }) => `${method} ${url}`));
    const combinations = [[], ["limit"], ["cursor"], ["limit", "cursor"]].flatMap((names) => [
      names,
      [param, ...names],
    ]);
    for (const names of combinations) {
      const query = names.map((name) => `${name}=[^&]+`).join("&");
      const form = new RegExp(`^GET ${own}${query === "" ? "" : `[?]${query}`}$`);
      expect([...asked].filter((each) => form.test(each))).not.toEqual([]);
    }
    for (const { path: document } of build.table.documents) expect(asked).toContain(`GET ${document}`);
  });

  it("tries again if a connection is closed", async () => {
    const seen = new Set<string>();
    const { origin } = await serve((request, answer) => {
      const key = JSON.stringify(request);
      if (seen.has(key)) return answer;
      seen.add(key);
      return seen.size % 20 === 0 ? null : answer;
    });
    expect(messages(await verifyAt(origin))).toEqual([]);
  });

  it("waits if the server requests it", async () => {
    let count = 0;
    const { origin } = await serve((_, answer) =>
      ++count % 30 === 5 ? { status: 429, headers: { "retry-after": "0" }, body: "" } : answer,
    );
    expect(messages(await verifyAt(origin))).toEqual([]);
  });

  it("gives up on a server that never answers, or stops answering", async () => {
    for (const silentFrom of [0, 40]) {
      let count = 0;
      const server = createServer((incoming, response) => {
        if (++count <= silentFrom) {
          ask(preview.origin, { method: incoming.method ?? "", ...splitTarget(incoming.url ?? "") }).then(
            ({ status, headers, body }) => response.writeHead(status, headers).end(body),
          );
        }
      });
      const port = await getPort({ host: "127.0.0.1" });
      await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
      const stopped = verifyAt(`http://127.0.0.1:${port}`, { patience: 200 });
      await expect(stopped).rejects.toThrow(`The server at 127.0.0.1:${port} does not answer.`);
      server.close();
      server.closeAllConnections();
    }
  });

  it("accepts the address of the API itself, and one below a path", async () => {
    const { origin } = await serve(undefined, "/below");
    for (const address of [origin, `${origin}/`, `${origin}/api/v1`, `${origin}/api/v1/`]) {
      expect(messages(await verifyAt(address))).toEqual([]);
    }
  });

  it("sends nothing but GET until it knows the API", async () => {
    const server = await serve((_, answer) => ({ ...answer, status: 200, headers: {}, body: "<p>Hello." }));
    await expect(verifyAt(server.origin)).rejects.toThrow(/^There is no API of this program at /);
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});
