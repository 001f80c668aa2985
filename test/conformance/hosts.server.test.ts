// The conformance matrix: every host answers the whole list and random requests as the contract or its declared gaps say,
// for an API with everything.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Gap, Request } from "../../build/hosts/host.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { ask as askForBytes } from "../../build/published/request.ts";
import { conform, isFileOf, isListed } from "../check/conform.ts";
import { svgPolicy } from "../check/dataset.ts";
import { everything, namedFiles } from "../check/everything.ts";
import { fuzz } from "../check/fuzz.ts";
import type { ServerAnswering } from "../hosts/configurations.ts";
import { describeRows, get, type Running, rows } from "./subjects.ts";

const { base } = everything;

it("the rows include every host with a program that answers as the host does", () => {
  const published = [...hosts.values()].filter(({ publishing }) => publishing !== undefined);
  const expected = published.filter(({ program }) => program !== undefined && program.differs === undefined);
  expect(new Set(rows.flatMap(({ host, isServer }) => (isServer && host) || []))).toEqual(new Set(expected));
});

/** Files of a site at paths that are almost paths of the API. */
const siteFiles = [
  "/hello.txt",
  `${base}-docs/x.txt`,
  `${base}x.json`,
  `${base.replace(".", "x")}/things.txt`,
  `${base.toUpperCase()}/things.txt`,
];

function writeSite(dist: string): void {
  for (const file of siteFiles) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    writeFileSync(path.join(dist, file), "Hello.\n");
  }
}

const unseenIn = (occurrences: ReadonlyMap<Gap, number>): readonly string[] =>
  [...occurrences].filter(([gap, count]) => count === 0 && !gap.isOfSeveral).map(([gap]) => gap.requests);

describeRows(({ ci }) => ci, addTests, writeSite);

function addTests({ row, dist, built, subject, requests, answering }: Running): void {
  const { host, ci, isServer, isShared = false } = row;
  const getsList = ci === "list";

  it("answers the requests, and random ones, as the contract or a declared gap says", async () => {
    const { failures, occurrences } = await conform(subject(), requests());
    expect(failures).toEqual([]);
    if (!getsList) return;
    expect(unseenIn(occurrences)).toEqual([]);
    // A host without rules for queries answers little as the contract says.
    if (row.title === "a plain file server") return;
    // The contract does not cover the path of a file, except for documents.
    const { documents, table } = built().plan;
    const documentFiles = new Set(documents.map(fileOf));
    const isDocument = (file: string) => documentFiles.has(file) || isListed(table, `/${file}`);
    const isFile = isFileOf(dist);
    const isOwn = (request: Request) => isFile(fileOf(request)) && !isDocument(fileOf(request));
    const { send } = subject();
    const sendOrLose = (request: Request) => send(isOwn(request) ? { ...request, path: "/nope" } : request);
    await fuzz({ ...subject(), send: isServer ? send : sendOrLose });
  });

  if (!isServer) return;
  const server = () => answering() as ServerAnswering;

  it("sends the bytes of files beside the data, whatever the query, and a policy with an SVG", async () => {
    for (const [file, { type, bytes }] of Object.entries(namedFiles)) {
      for (const query of ["", "v=0123456789abcdef", "limit=0"]) {
        const answer = await askForBytes(server().origin, get(`${base}/files/${file}`, query), {}, {});
        const { "content-type": sent, "cache-control": cache, "content-security-policy": policy } = answer.headers;
        expect({ file, sent, cache, policy, body: answer.body.toString("latin1") }).toEqual({
          file,
          sent: type,
          cache: "public, max-age=7200",
          policy: file.endsWith(".svg") ? svgPolicy : undefined,
          body: Buffer.from(bytes).toString("latin1"),
        });
      }
    }
  });

  it("answers 304 to the ETag of a page, item or document, and sends the whole of it and of errors otherwise", async () => {
    const { send } = server();
    const documents = built().plan.documents.filter(({ path: asked }) => !isShared || asked.startsWith(`${base}/`));
    const lists = everything.lists.map(({ name, cache }) => ({ path: `${base}/${name}`, cacheControl: cache }));
    const kinds = [lists, items, assets, documents].flatMap((all) => (getsList ? all : all.slice(0, 2)));
    for (const { path: asked, cacheControl } of kinds) {
      const first = await send(get(asked));
      const headers = { "access-control-allow-origin": "*", "cache-control": cacheControl };
      expect({ asked, ...first }).toMatchObject({ asked, status: 200, headers });
      const { etag = "" } = first.headers;
      const again = await send(get(asked), { "if-none-match": etag });
      expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers: { etag, ...headers } });
      const part = await send(get(asked), { range: "bytes=1-3" });
      const isResumed = host === nginx && asked.endsWith(".ndjson");
      expect({ asked, ...part }).toMatchObject(
        isResumed ? { asked, status: 206, body: first.body.slice(1, 4) } : { asked, status: 200, body: first.body },
      );
      for (const other of [{ "if-none-match": '"other"' }, { range: "bytes=999999999-" }, { range: "bytes=0-1,3-4" }]) {
        expect({ asked, ...(await send(get(asked), other)) }).toMatchObject({ asked, status: 200, body: first.body });
      }
    }
    for (const faulty of [get(`${base}/things`, "limit=0"), get(`${base}/docs/nope`)]) {
      const { status, headers, body } = await send(faulty);
      expect(status).toBeGreaterThanOrEqual(400);
      const { etag = '"none"', "last-modified": since = new Date().toUTCString() } = headers;
      for (const cached of [{ "if-none-match": etag }, { "if-modified-since": since }]) {
        expect(await send(faulty, cached)).toMatchObject({ status, body });
      }
    }
  });

  if (!isShared) return;
  it("leaves the other files to the site", async () => {
    for (const asked of siteFiles) {
      const answer = await server().send(get(asked));
      expect({ asked, ...answer }).toMatchObject({ asked, status: 200, body: "Hello.\n" });
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
  });
}

/** Single items by keys and aliases of every form. */
const items = [
  ["products/nodejs", "public, max-age=90"],
  ["products/node.js", "public, max-age=90"],
  ["releases/a.b/x..y", "public, max-age=60"],
  ["builds/go/18.20.1/-1", "public, max-age=30"],
  ["words/b.br", "public, max-age=60"],
  ["words/c.var", "public, max-age=60"],
  ["words/f.json.x", "public, max-age=60"],
].map(([target, cacheControl]) => ({ path: `${base}/${target}`, cacheControl }));

const assets = Object.keys(namedFiles).map((file) => ({
  path: `${base}/files/${file}`,
  cacheControl: "public, max-age=7200",
}));

/** The path of the file that most hosts serve for a path: decoded, and without slashes at its ends. */
const fileOf = ({ path: asked }: Pick<Request, "path">): string =>
  decoded(new URL(`http://localhost${asked}`).pathname).replace(/^\/+|\/+$/g, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No file has such a name.
    return text;
  }
}
