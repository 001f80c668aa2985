// A server in front of the build, of a copy or of another build makes a mistake, and the verification reports it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { image } from "../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import type { TextAnswer } from "../../test/ask.ts";
import { buildForTest } from "../../test/check/built.ts";
import { ofDeprecated, writeDeprecated } from "../../test/check/deprecated.ts";
import { type Mistake, remembering, serveWith } from "../../test/check/published.ts";
import { type Sample, writeSample } from "../../test/check/sample.ts";
import { pictures } from "../../test/content/pictures.ts";
import { productsApi, someProducts, writeProducts } from "../../test/content/products.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { built } from "../../test/plan.ts";
import { listen } from "../../test/serve.ts";
import { type Preview, startPreview } from "../cli/preview/preview.ts";
import { completeApi } from "../declaration/complete.ts";
import type { Request } from "../hosts/host.ts";
import { netlify } from "../hosts/netlify/index.ts";
import { type BuildFolder, openBuild } from "../published/build.ts";
import { splitTarget } from "../routing/resolve.ts";
import { type RoutingTable, type TableOperation, tableFile } from "../routing/table.ts";
import { expectedAnswer } from "./expected.ts";
import { type Verified, type VerifyOptions, verify } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-verify-"));
const dist = path.join(folder, "dist");
let build: BuildFolder;
let preview: Preview;
let published: ReturnType<typeof remembering>;

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeSmall(content, { count: 20, pageSizes: [1, 5, 10] });
  await buildForTest(content, dist);
  build = openBuild(dist);
  preview = await startPreview(dist, 0);
  published = remembering(preview.origin);
});

/** A sample with a list and a document: each verification asks for every operation of the deployment. */
function writeSmall(content: string, sample: Sample): void {
  writeSample(content, sample);
  const deployment = path.join(content, "deployments/edge.json");
  const { status } = JSON.parse(readFileSync(deployment, "utf8"));
  writeFileSync(deployment, JSON.stringify({ operations: [operation.name, "status"], status }));
}

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

const operation = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0) ?? expect.fail();
const listPath = `/api/v1/${operation.name}`;
const dump = `/api/v1/dumps/${operation.name}.ndjson`;
const [param = ""] = operation.filters.map((filter) => filter.param);

async function serve(mistake?: Mistake, below?: string, source: Parameters<typeof serveWith>[0] = published) {
  const server = await serveWith(source, mistake, below);
  onTestFinished(() => server.stop());
  return server;
}

const verifyAt = (origin: string, options?: VerifyOptions): Promise<Verified> =>
  verify(new URL(origin), build, options);
const messages = ({ findings }: Verified) => findings.map(({ message }) => message);

/** A mistake in the status or the headers. */
type Change = (request: Request, answer: TextAnswer) => TextAnswer;

type Is = (...of: Parameters<Mistake>) => boolean;

const isAnswer: Is = () => true;
const isPage: Is = ({ method, path: asked }, { status }) => asked === listPath && status === 200 && method === "GET";

/** Other headers of some answers. An undefined one is left out. */
const withHeaders =
  (more: Readonly<Record<string, string | undefined>>, where: Is): Change =>
  (request, answer) => {
    if (!where(request, answer)) return answer;
    const headers = Object.entries({ ...answer.headers, ...more });
    return {
      ...answer,
      headers: Object.fromEntries(headers.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    };
  };

const withStatus =
  (status: number, where: Is): Change =>
  (request, answer) =>
    where(request, answer) ? { ...answer, status } : answer;

const withBody =
  (where: Is, change: (body: string) => string | Buffer, more: Readonly<Record<string, string>> = {}): Mistake =>
  (request, answer) => {
    if (!where(request, answer)) return answer;
    const body = change(answer.body);
    return { ...answer, body, headers: { ...answer.headers, "content-length": String(body.length), ...more } };
  };

/** Changes of the same answers, one after the other. */
const together =
  (...changes: readonly Change[]): Change =>
  (request, answer) =>
    changes.reduce((changed, change) => change(request, changed), answer);

const gzip = { "content-encoding": "gzip", etag: '"gzip"' };

const isGet: Is = ({ method }, { status }) => method === "GET" && status === 200;
const isError: Is = (_, { status }) => status >= 400;
const all: Is = () => true;

it("finds that an SVG beside the data lacks its policy", async () => {
  const content = path.join(folder, "photos");
  const out = path.join(folder, "photos-dist");
  mkdirSync(content);
  writeFileSync(path.join(content, "photos.json"), JSON.stringify([{ id: "a", photo: "a.svg" }]));
  writeFileSync(path.join(content, "a.svg"), pictures.scripted);
  const schema = z.strictObject({ id: z.string(), photo: image() });
  const photos = defineCollection({ purpose: "Photos.", schema, key: "id" });
  await buildForTest(content, out, [], completeApi(defineApi({ collections: { photos } })));
  const server = await startPreview(out, 0);
  onTestFinished(() => server.stop());
  const { origin } = await serve(
    withHeaders({ "content-security-policy": undefined }, all),
    undefined,
    remembering(server.origin),
  );
  expect(messages(await verify(new URL(server.origin), openBuild(out)))).toEqual([]);
  expect(messages(await verify(new URL(origin), openBuild(out)))).toEqual([
    expect.stringMatching(/^Content-Security-Policy is absent, not default-src 'none'; .* sandbox: 1 answer\.$/),
  ]);
});

describe("a verification finds", () => {
  let count = 0;
  const stale = "The data is stale, or belongs to another build";
  const badly = "There is no answer: the body is not compressed as its Content-Encoding says";
  const accepts = ({ headers }: Parameters<Mistake>[0]) => headers?.["accept-encoding"]?.includes("gzip") === true;
  const cors = "access-control-allow-origin";

  /** What a verification finds, without the numbers of answers. */
  function reportedIn(verified: Verified): readonly string[] {
    expect(verified.different).toBeGreaterThan(0);
    for (const { examples } of verified.findings) expect(examples[0]?.curl).toMatch(/^curl -[iI] -g .*'http:.*'$/);
    return messages(verified).map((message) => message.replace(/: \d+ answers?\.$/, ""));
  }

  it.each<[string, readonly Change[], reported: readonly string[]]>([
    [
      "headers that are left out or wrong, of all answers, of errors, of one document and of redirects",
      [
        withHeaders({ "x-content-type-options": undefined }, all),
        withHeaders({ [cors]: undefined, "cache-control": "public" }, isError),
        withHeaders({ "content-type": "text/plain" }, (request) => request.path === dump),
        withHeaders({ location: "https://e.example/x" }, (_, { headers }) => "location" in headers),
      ],
      [
        "X-Content-Type-Options is absent, not nosniff",
        "Access-Control-Allow-Origin is absent, not *",
        "Cache-Control is public, not no-store",
        "Content-Type is text/plain, not application/x-ndjson",
        "Location is https://e.example/x, not /api/v1/docs/",
      ],
    ],
    [
      "200 for an error, a missing document, and HEAD and OPTIONS refused",
      [
        withStatus(200, (_, { status }) => status === 404),
        withStatus(404, (...of) => isGet(...of) && of[0].path === dump),
        withStatus(405, ({ method }) => ["HEAD", "OPTIONS"].includes(method)),
      ],
      [
        "The status is 200, not 404",
        "The status is 404, not 200",
        "The status is 405, not 200",
        "The status is 405, not 204",
      ],
    ],
  ])("%s", async (_, changes, reported) => {
    const { origin } = await serve(together(...changes));
    expect(reportedIn(await verifyAt(origin))).toEqual(expect.arrayContaining([...reported]));
  });

  it.each<[string, Mistake, reported: string]>([
    ["no 304", withStatus(200, (_, { status }) => status === 304), "The status is 200, not 304"],
    ["no ETag", withHeaders({ etag: undefined }, all), "There is no ETag"],
    [
      "another ETag on each answer",
      (...of) => withHeaders({ etag: `"${++count}"` }, isGet)(...of),
      "The status is 200, not 304",
    ],
    [
      "no 304 to the ETag of a compressed answer",
      withBody((...of) => isGet(...of) && accepts(of[0]), gzipSync, gzip),
      "The status is 200, not 304",
    ],
    [
      "no 304 to the ETag of an answer that is not compressed, of which there is a compressed one",
      (request, answer) => {
        if (request.method !== "GET" || ![200, 304].includes(answer.status)) return answer;
        if (request.headers?.["if-none-match"] === gzip.etag) return { ...answer, status: 304, body: "" };
        if (answer.status === 304) return { ...answer, status: 200 };
        return withBody((asked) => accepts(asked), gzipSync, gzip)(request, answer);
      },
      "The status is 200, not 304",
    ],
    ["a page of the build before", withBody(isPage, (body) => body.replace('"data":[', '"data":[{},')), stale],
    [
      "a page out of a cache",
      withBody(isPage, (body) => `${body} `, { age: "58" }),
      `${stale} (a cache answered: verify again when it has expired)`,
    ],
    ["a compressed body that differs", withBody(isPage, (body) => gzipSync(`${body} `), gzip), stale],
    ["a body that is not compressed with gzip", withHeaders({ "content-encoding": "gzip" }, isPage), badly],
    ["a body that is not compressed with br", withHeaders({ "content-encoding": "br" }, isPage), badly],
    [
      "a body in answer to HEAD",
      ({ method }, answer) =>
        method === "HEAD" ? Buffer.from(`HTTP/1.1 ${answer.status} OK\r\nConnection: close\r\n\r\n{}`) : answer,
      "There is no answer: the answer is not valid HTTP",
    ],
    [
      "a redirect to a slash",
      (...of) => (isPage(...of) ? { status: 301, headers: { location: "http://elsewhere/" }, body: "" } : of[1]),
      "The status is 301, a redirect to http://elsewhere/, not 200",
    ],
    [
      "connections that are closed",
      (request, answer) => (request.path === listPath && request.query !== "" ? null : answer),
      "There is no answer: the connection was closed",
    ],
  ])("%s", async (_, mistake, reported) => {
    const { origin } = await serve(mistake);
    expect(reportedIn(await verifyAt(origin))).toContain(reported);
  });
});

/** Serves a copy of a build after a change, and verifies that it is the build. */
async function verifyCopy(
  change: (copy: string) => void,
  options?: VerifyOptions,
  of: BuildFolder = build,
): Promise<Verified> {
  const copy = mkdtempSync(path.join(folder, "copy-"));
  cpSync(of.folder, copy, { recursive: true });
  change(copy);
  const server = await startPreview(copy, 0);
  onTestFinished(() => server.stop());
  return verify(new URL(server.origin), of, options);
}

const put = (copy: string, file: string, from: string) =>
  writeFileSync(path.join(copy, file), readFileSync(path.join(dist, from)));

const withOperations = (change: (operation: TableOperation) => TableOperation) => (copy: string) => {
  const file = path.join(copy, tableFile);
  const table: RoutingTable = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...table, operations: table.operations.map(change) }));
};

const withSizes = (...sizes: readonly number[]) =>
  withOperations(({ limit, ...operation }) =>
    limit === undefined ? operation : { ...operation, limit: { ...limit, sizes: [...sizes] } },
  );

const first = `${listPath.slice(1)}.json`;

/** The pages of the own operation behind a cursor, without a filter. */
const pagesOf = (limit: string) =>
  build.files(build.tables()[0]).filter((file) => file.startsWith(`${listPath.slice(1)}${limit}/cursor/`));

describe("in a copy of the build, a verification finds", () => {
  const other = /^The data is stale, or belongs to another build: \d+ answers?/;
  // The preview answers 500 if a first page is missing, where servers answer 404.
  const missing = /^The status is (?:404|400|500), not 200: \d+ answers?/;
  it.each<[string, (copy: string) => void, RegExp]>([
    ["a page with another page's bytes", (copy) => put(copy, first, `${listPath.slice(1)}/limit/5.json`), other],
    ["a missing page", (copy) => rmSync(path.join(copy, first)), missing],
    ["a missing page behind a cursor", (copy) => rmSync(path.join(copy, pagesOf("").at(-1) ?? "")), missing],
    ["a missing listing", (copy) => rmSync(path.join(copy, listPath.slice(1), param), { recursive: true }), missing],
    ["a missing document", (copy) => rmSync(path.join(copy, "api/v1/docs/style.css")), missing],
    ["fewer page sizes", withSizes(1, 5, 100), other],
    ["further page sizes", withSizes(1, 5, 10, 50, 100), missing],
    ["larger page sizes", withSizes(5, 10, 100), /^The status is 400, not 200: /],
    ["a filter that is unknown", withOperations((operation) => ({ ...operation, filters: [] })), other],
  ])("%s", async (_, change, reported) => {
    expect(messages(await verifyCopy(change))).toContainEqual(expect.stringMatching(reported));
  });

  it("two swapped pages, if it compares all", async () => {
    const swap = (copy: string) => {
      const [one = "", two = ""] = pagesOf("/limit/1").slice(12);
      put(copy, one, two);
      put(copy, two, one);
    };
    expect(messages(await verifyCopy(swap, { all: true }))).toEqual([
      "The data is stale, or belongs to another build: 2 answers.",
    ]);
  });

  it("nothing if nothing was changed, with the number of files that it did not compare", async () => {
    const some = await verifyCopy(() => undefined);
    expect(some).toMatchObject({ different: 0, findings: [], isAnotherBuild: false });
    expect(some.compared).toBeLessThan(some.files);
    const all = await verifyCopy(() => undefined, { all: true });
    expect(all).toMatchObject({ different: 0, findings: [], compared: all.files, files: some.files });
  });

  describe("with filters together, and items", () => {
    let products: BuildFolder;

    beforeAll(async () => {
      const content = path.join(folder, "products");
      const out = path.join(folder, "products-dist");
      const tagged = someProducts.products.map((product) => ({ ...product, tags: ["all"], category: "Same" }));
      writeProducts(content, { ...someProducts, products: tagged });
      await buildForTest(content, out, [], productsApi);
      products = openBuild(out);
    });

    it.each([
      ["of filters together, with a limit", /^api\/v1\/products\/tag\/\w+\/category\/\w+\/limit\/1\.json$/],
      [
        "of filters together, behind a cursor",
        /^api\/v1\/products\/tag\/\w+\/category\/\w+\/limit\/1\/cursor\/\w+\.json$/,
      ],
      ["of an item", /^api\/v1\/products\/item\/nodejs\.json$/],
      ["of an item with a key of two fields", /^api\/v1\/releases\/item\/\w+\/\w+\.json$/],
    ])("a missing file %s", async (_, form) => {
      const file = products.files(build.tables()[0]).find((name) => form.test(name)) ?? expect.fail();
      expect((await verifyCopy((copy) => rmSync(path.join(copy, file)), {}, products)).different).toBeGreaterThan(0);
    });
  });
});

it("finds retired pages that are missing, and says that an earlier build is published", async () => {
  const [content, out, earlier] = ["several", "several-dist", "earlier"].map((name) => path.join(folder, name));
  if (content === undefined || out === undefined || earlier === undefined) return;
  const buildHere = async (count: number, pageSizes: readonly number[], now: number) => {
    mkdirSync(content, { recursive: true });
    writeSmall(content, { count, pageSizes });
    const history = { from: out, now };
    await built({ api: edgeNetwork, content, out, history });
  };
  await buildHere(30, [5, 7, 10, 100], 1_000);
  cpSync(out, earlier, { recursive: true });
  await buildHere(26, [5, 10, 100], 1_060);
  const today = openBuild(out);
  const retired = today.files(build.tables()[0]).find((file) => file.includes("/limit/10/cursor/")) ?? "";
  expect((await verifyCopy(() => undefined, { all: true }, today)).findings).toEqual([]);
  expect(
    (await verifyCopy((copy) => rmSync(path.join(copy, retired)), { all: true }, today)).different,
  ).toBeGreaterThan(0);
  const before = await startPreview(earlier, 0);
  onTestFinished(() => before.stop());
  const verified = await verify(new URL(before.origin), today);
  expect(verified.isAnotherBuild).toBe(true);
  expect(messages(verified)).toContainEqual(
    expect.stringMatching(/^The data is stale, or belongs to another build: \d+ answers\.$/),
  );
});

it("gives the same examples in the same order, whichever answers come first", async () => {
  let count = 0;
  const late = async (request: Request): Promise<TextAnswer> => {
    await sleep((count++ * 7) % 5);
    return published(request);
  };
  const { origin } = await serve(withHeaders({ "cache-control": "no-cache" }, isAnswer), undefined, late);
  const examples = async () => (await verifyAt(origin)).findings.map((finding) => finding.examples);
  const first = await examples();
  expect(first[0]?.length).toBeGreaterThan(1);
  expect(await examples()).toEqual(first);
});

it("expects the gaps of a host", async () => {
  const answerOf = async (request: Request): Promise<TextAnswer> => {
    const expected = await expectedAnswer(build.tables()[0], build, netlify.gaps, request);
    if (expected === undefined) return published(request);
    const { headers, body = "" } = expected;
    const isKnown = expected.status === 200 && request.headers?.["if-none-match"] === '"it"';
    return {
      status: isKnown ? 304 : expected.status,
      headers: { ...headers, etag: '"it"' },
      body: isKnown ? "" : body.toString(),
    };
  };
  const { origin } = await serve(undefined, undefined, answerOf);
  expect((await verifyAt(origin)).different).toBeGreaterThan(10);
  expect(await verifyAt(origin, { host: netlify })).toMatchObject({ different: 0 });
});

describe("of an API for readers, a verification finds", () => {
  const out = path.join(folder, "readers-dist");
  let open: Preview;
  beforeAll(async () => {
    const content = path.join(folder, "readers");
    writeSmall(content, { count: 20, pageSizes: [10] });
    const settings = path.join(content, "api.yaml");
    const access = { description: "Ask.", scheme: "basic" };
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), access }));
    await buildForTest(content, out);
    open = await startPreview(out, 0);
    return () => open.stop();
  });
  const refused = { status: 401, headers: {}, body: "" };
  const isOfReader: Is = ({ headers }) => headers?.["authorization"] !== undefined;
  it.each<[string, Mistake, ...RegExp[]]>([
    [
      "nothing if only they get answers",
      (request, answer) => (request.method === "OPTIONS" || isOfReader(request, answer) ? answer : refused),
    ],
    [
      "that everybody gets answers",
      (_, answer) => answer,
      /^Everybody gets the answer, although api\.yaml has access: \d+ answers\.$/,
    ],
    [
      "that preflights, which have no credentials, are refused",
      (request, answer) => (isOfReader(request, answer) ? answer : refused),
      /^The status is 401, not 204: \d+ answers\.$/,
      /^The status is 401, not 404: \d+ answers\.$/,
    ],
  ])("%s", async (_, mistake, ...expected) => {
    const { origin } = await serve(mistake, undefined, remembering(open.origin));
    const verified = await verify(new URL(origin.replace("//", "//alice:secret@")), openBuild(out));
    expect(messages(verified)).toEqual(expected.map((message) => expect.stringMatching(message)));
  });
});

describe("of what is deprecated, a verification finds", () => {
  const out = path.join(folder, "deprecated-dist");
  let noticed: Preview;
  beforeAll(async () => {
    writeDeprecated(path.join(folder, "deprecated"));
    await buildForTest(path.join(folder, "deprecated"), out, [], ofDeprecated);
    noticed = await startPreview(out, 0);
    return () => noticed.stop();
  });
  const spots: Is = (request, { status }) => request.path === "/api/v1/spots" && status === 200;
  const places: Is = (request, { status }) => request.path === "/api/v1/places/a" && status === 200;
  const june = (day: string) => `Tue, ${day} Jun 2027 00:00:00 GMT`;
  it.each<[string, Mistake, ...RegExp[]]>([
    ["nothing in the preview", (_, answer) => answer],
    ["that the header is missing", withHeaders({ deprecation: undefined }, spots), /^Deprecation is absent, not @/],
    ["another sunset", withHeaders({ sunset: june("08") }, spots), /^Sunset is Tue, 08 Jun .*, not Tue, 01 Jun/],
    ["a link without the notice", withHeaders({ link: "</>" }, spots), /^Link is <\/>, not .*rel="deprecation"/],
    ["a notice of what stays", withHeaders({ sunset: june("01") }, places), /^Sunset is Tue, 01 Jun .*, not absent/],
  ])("%s", async (_, mistake, ...expected) => {
    const { origin } = await serve(mistake, undefined, remembering(noticed.origin));
    const verified = await verify(new URL(origin), openBuild(out));
    expect(messages(verified)).toEqual(expected.map((message) => expect.stringMatching(message)));
  });
});

describe("a verification", () => {
  it("sends the same few hundred requests each time, at most eight at once, and names itself", async () => {
    const server = await serve();
    const other = await serve();
    const { asked } = await verifyAt(server.origin);
    // Of two operations.
    expect(asked).toBeGreaterThan(100);
    expect(server.asked.length).toBeLessThan(400);
    expect(server.most()).toBeLessThanOrEqual(8);
    for (const { headers } of server.asked) expect(headers["user-agent"]).toMatch(/^stillapi\/[\d.]+ \(verify\)$/);
    await verifyAt(other.origin);
    const targets = ({ asked: all }: typeof other) => all.map(({ method, url }) => `${method} ${url}`).sort();
    expect(targets(server)).toEqual(targets(other));
  });

  it("compares pages of every combination of parameters, and every document", async () => {
    const server = await serve();
    await verifyAt(server.origin);
    const asked = new Set(server.asked.map(({ method, url }) => `${method} ${url}`));
    const paging = [[], ["limit"], ["cursor"], ["limit", "cursor"]];
    for (const names of paging.flatMap((names) => [names, [param, ...names]])) {
      const query = names.map((name) => `${name}=[^&]+`).join("&");
      const form = new RegExp(`^GET ${listPath}${query === "" ? "" : `[?]${query}`}$`);
      expect([...asked].filter((target) => form.test(target))).not.toEqual([]);
    }
    for (const { path: document } of build.tables()[0].documents) expect(asked).toContain(`GET ${document}`);
  });

  it("tries again if a connection is closed, and waits if the server requests it", async () => {
    const seen = new Set<string>();
    const { origin } = await serve((request, answer) => {
      const key = JSON.stringify(request);
      if (seen.has(key)) return answer;
      seen.add(key);
      if (seen.size % 30 === 5) return { status: 429, headers: { "retry-after": "0" }, body: "" };
      return seen.size % 20 === 0 ? null : answer;
    });
    expect(messages(await verifyAt(origin))).toEqual([]);
  });

  it.each([0, 40])("gives up on a server that does not answer after %i requests", async (silentFrom) => {
    let count = 0;
    const server = createServer(({ method = "", url = "" }, response) => {
      if (++count > silentFrom) return;
      published({ method, ...splitTarget(url) }).then((answer) =>
        response.writeHead(answer.status, answer.headers).end(answer.body),
      );
    });
    const { origin, stop } = await listen(server);
    onTestFinished(stop);
    const reason = `The server at ${new URL(origin).host} does not answer.`;
    await expect(verifyAt(origin, { patience: 200 })).rejects.toThrow(reason);
  });

  it("accepts the address of the API itself, and one below a path", async () => {
    const { origin } = await serve(undefined, "/below");
    for (const address of [`${origin}/`, `${origin}/api/v1`]) {
      expect(messages(await verifyAt(address))).toEqual([]);
    }
  });

  it("sends nothing but GET until it knows the API", async () => {
    const server = await serve((_, answer) => ({ ...answer, status: 200, headers: {}, body: "<p>Hello." }));
    await expect(verifyAt(server.origin)).rejects.toThrow(/^There is no API of stillapi at /);
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});
