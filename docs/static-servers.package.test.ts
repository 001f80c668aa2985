// What works if a build for `plain` is opened by a server without any configuration: the table in docs/hosts/plain.md.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import mime from "mime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tagOf } from "../build/cli/preview/preview.ts";
import { findProgram, startProgram } from "../build/cli/preview/program.ts";
import type { HostProgram, ProgramSite } from "../build/hosts/host.ts";
import { plain } from "../build/hosts/plain/index.ts";
import { openBuild } from "../build/published/build.ts";
import { verify } from "../build/verify/verify.ts";
import type { ApiTypes } from "../src/answers/answers.ts";
import { clientOf } from "../src/answers/client/create.ts";
import { type Built, buildForTest } from "../test/check/built.ts";
import { everything, writeEverything } from "../test/check/everything.ts";
import { linksIn } from "../test/documents/check-page.ts";
import { type Listening, listen } from "../test/serve.ts";
import { readPage } from "./pages.ts";
import { between, table } from "./tables.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-static-"));
const dist = path.join(folder, "dist");
const { base } = everything;
let built: Built;
let files: readonly string[];

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeEverything(content);
  // Of each kind, and not every list: test/conformance/ asks a file server for all.
  const operations = ["things", "products", "vendors", "words", "exhibits", "health"];
  writeFileSync(path.join(content, "deployments/edge.json"), JSON.stringify({ operations, health: { works: true } }));
  // This host sends no policy for one that runs something.
  writeFileSync(
    path.join(content, "photos/2026/b.svg"),
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  );
  built = await buildForTest(content, dist, [plain], everything);
  files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .toSorted();
});
afterAll(() => rmSync(folder, { recursive: true }));

const bytesOf = (file: string): Buffer => readFileSync(path.join(dist, file));

interface StaticServer {
  /** As the head of a column. */
  readonly title: string;
  /** Undefined: it runs in this process. */
  readonly program?: HostProgram;
  readonly start: () => Promise<Listening>;
}

function ofProgram(title: string, command: string, args: (site: ProgramSite) => readonly string[]): StaticServer {
  const program: HostProgram = { command, install: command, run: (site) => ({ files: [], args: args(site) }) };
  const start = () => startProgram(program, { base, publishRoot: dist, configuration: folder, port: 0 });
  return { title, program, start };
}

const servers: readonly StaticServer[] = [
  ofProgram("`npx serve dist`", "serve", ({ publishRoot, port }) => [
    "--listen",
    `tcp://127.0.0.1:${port}`,
    "--no-clipboard",
    publishRoot,
  ]),
  ofProgram("`python3 -m http.server -d dist`", "python3", ({ publishRoot, port }) => [
    "-m",
    "http.server",
    `${port}`,
    "--bind",
    "127.0.0.1",
    "--directory",
    publishRoot,
  ]),
  ofProgram("`caddy file-server -r dist`", "caddy", ({ publishRoot, port }) => [
    "file-server",
    "--listen",
    `127.0.0.1:${port}`,
    "--root",
    publishRoot,
  ]),
  { title: "S3", start: startS3 },
];

/**
 * The rules of the website of a bucket, with index.html and 404.html as its documents, and the types that `aws s3 sync` sets.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/CustomErrorDocSupport.html
 */
function startS3(): Promise<Listening> {
  const objects = new Set(files);
  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? "").replace(/^\/|\?.*/gs, "")).replace(/^$|\/$/, "$&index.html");
    if (!objects.has(key) && objects.has(`${key}/index.html`))
      return response.writeHead(302, { Location: `/${key}/` }).end();
    if (!objects.has(key)) return response.writeHead(404, { "Content-Type": "text/html" }).end(bytesOf("404.html"));
    const tag = tagOf(bytesOf(key));
    if (request.headers["if-none-match"] === tag) return response.writeHead(304, { ETag: tag }).end();
    const type = mime.getType(key) ?? "binary/octet-stream";
    return response.writeHead(200, { ETag: tag, "Content-Type": type }).end(bytesOf(key));
  });
  return listen(server);
}

const mark = (works: boolean): string => (works ? "✓" : "✗");

interface Row {
  readonly title: string;
  readonly cell: (origin: string) => Promise<string>;
}

/** Whether each of some values passes. */
async function all<Value>(values: readonly Value[], passes: (value: Value) => Promise<boolean>): Promise<string> {
  expect(values).not.toEqual([]);
  for (const value of values) if (!(await passes(value))) return mark(false);
  return mark(true);
}

const hasType = async (origin: string, file: string, type: RegExp): Promise<boolean> => {
  const response = await fetch(`${origin}/${file}`);
  await response.arrayBuffer();
  return type.test(response.headers.get("content-type") ?? "");
};

/** Every thirtieth of the files that are no pages, and one of each ending. */
const sampled = (): readonly string[] => {
  const others = files.filter((file) => !file.endsWith(".html"));
  const ofEndings = new Map(others.map((file) => [path.extname(file), file])).values();
  return [...others.filter((_, index) => index % 30 === 0), ...ofEndings];
};

/** The file that serves for rows of one file. */
const page = `${base.slice(1)}/things/limit/5.json`;

const rows: readonly Row[] = [
  {
    title: "lists, single items, documents, files beside the data, outputs",
    cell: (origin) =>
      all(sampled(), async (file) => {
        const response = await fetch(`${origin}/${encodeURI(file)}`);
        return Buffer.from(await response.arrayBuffer()).equals(bytesOf(file));
      }),
  },
  {
    title: "… with the `Content-Type` of JSON",
    cell: (origin) => all([page, `${base.slice(1)}.json`], (file) => hasType(origin, file, /^application\/json/)),
  },
  {
    title: "scripts, styles and pictures with their `Content-Type`",
    cell: (origin) =>
      all(
        Object.entries({
          "client.js": /^(?:text|application)\/javascript/,
          "docs/style.css": /^text\/css/,
          "docs/icon.svg": /^image\/svg\+xml/,
        }),
        ([file, type]) => hasType(origin, `${base.slice(1)}/${file}`, type),
      ),
  },
  {
    title: "pages for people, and all of their links",
    cell: (origin) => {
      const hrefs = files
        .filter((file) => file.endsWith(".html") && file !== "404.html")
        .flatMap((file) => linksIn(bytesOf(file).toString()));
      const paths = new Set(hrefs.filter((href) => href.startsWith("/")).map((href) => href.replace(/#.*/s, "")));
      return all([...paths], async (at) => {
        const response = await fetch(origin + at);
        await response.arrayBuffer();
        return response.status === 200;
      });
    },
  },
  { title: "the [client](../client.md)", cell: async (origin) => mark(await clientWorks(origin)) },
  {
    title: "`verify`",
    cell: async (origin) =>
      mark((await verify(new URL(origin), openBuild(dist), { host: plain })).findings.length === 0),
  },
  {
    title: "scripts of other origins may read answers",
    cell: async (origin) => mark((await fetch(`${origin}/${page}`)).headers.get("access-control-allow-origin") === "*"),
  },
  {
    title: "304 for an answer that has not changed",
    cell: async (origin) => {
      const { headers } = await fetch(`${origin}/${page}`);
      const sent = {
        ...(headers.has("etag") && { "if-none-match": headers.get("etag") ?? "" }),
        ...(headers.has("last-modified") && { "if-modified-since": headers.get("last-modified") ?? "" }),
      };
      return mark((await fetch(`${origin}/${page}`, { headers: sent })).status === 304);
    },
  },
  {
    title: "404 with a body that names the addresses",
    cell: async (origin) => {
      const response = await fetch(`${origin}${base}/nope`);
      return mark(response.status === 404 && (await response.text()) === bytesOf("404.html").toString());
    },
  },
  {
    title: "a path of another host, such as `/api/v1/nodes?limit=5`",
    cell: async (origin) => {
      const response = await fetch(`${origin}${base}/things?limit=5`);
      const body = await response.text();
      return response.status === 200 && body.includes("<html") ? "a list of files" : String(response.status);
    },
  },
];

/** Every method of the client, and the error for an unknown value. */
async function clientWorks(origin: string): Promise<boolean> {
  const client = clientOf<ApiTypes>(`${origin}${base}`, {}) as unknown as {
    readonly things: {
      get(params: object): Promise<{ readonly data: readonly unknown[] }>;
      items(params: object): AsyncIterable<unknown>;
      count(params: object): Promise<number>;
      sync(copy: Map<string, unknown>): Promise<string>;
    };
    readonly products: { item(key: unknown): Promise<unknown> };
    health(): Promise<unknown>;
  };
  const { things, products } = client;
  const total = built.dataset.items.get("things")?.length;
  const [product] = built.dataset.items.get("products") ?? [];
  let walked = 0;
  for await (const _ of things.items({ limit: 10, sort: "newest" })) walked++;
  const copy = new Map();
  await things.sync(copy);
  const error = await things.get({ region: "zzz" }).catch((reason) => reason);
  return (
    walked === total &&
    copy.size === total &&
    (await things.get({ region: "us", limit: 5 })).data.length === 5 &&
    (await things.count({})) === total &&
    JSON.stringify(await products.item(product?.["name"])) === JSON.stringify(product) &&
    JSON.stringify(await client.health()) === JSON.stringify(built.dataset.documents.get("health")) &&
    error.code === "invalid_region"
  );
}

const absent = servers.flatMap(({ program }) =>
  program && findProgram(program) === undefined ? [program.command] : [],
);

it.skipIf(absent.length > 0)(
  `shows what works${absent.map((name) => `; ${name} is not installed`).join("")}`,
  async () => {
    const running = await Promise.all(servers.map(({ start }) => start()));
    try {
      const lines: string[][] = [];
      for (const { title, cell } of rows)
        lines.push([title, ...(await Promise.all(running.map(({ origin }) => cell(origin))))]);
      const text = table(["", ...servers.map(({ title }) => title)], lines);
      await expect(between(readPage("docs/hosts/plain.md"), "servers", text)).toMatchFileSnapshot("hosts/plain.md");
    } finally {
      await Promise.all(running.map(({ stop }) => stop()));
    }
  },
);
