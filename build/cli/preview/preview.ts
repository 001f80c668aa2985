// Serves a built API on this machine as the contract says: the routing table selects the file that is the answer, and the
// file is sent as it is at that moment.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { hostname } from "node:os";
import { inWords, MachineError } from "../../files/machine-error.ts";
import { sha256 } from "../../files/sha256.ts";
import { openBuild } from "../../published/build.ts";
import { type Answer, resolve, settle, splitTarget, tableFor } from "../../routing/resolve.ts";
import type { Tables } from "../../routing/table.ts";
import { out } from "../terminal.ts";

export interface Preview {
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** See `pathsOf`. */
  readonly paths: readonly string[];
  readonly stop: () => Promise<void>;
}

/** In bytes, with the target of the request. Node answers longer ones with 431. Hosts answer 414 from about this length on. */
const maxHeaderSize = 16_384;

/** The files that are served, on a disk or in memory. */
export interface ServedSite {
  tables(): Tables;
  has(file: string): boolean;
  /** Undefined if there is no such file (any more). */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Replaces the Cache-Control of files. */
  readonly cacheControl?: string;
  /** Answers a request that is none to the API. Returns false if it is one. */
  answerOther?(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Serves a folder. Rejects if the folder holds no build or the port is in use. */
export const startPreview = async (folder: string, port: number): Promise<Preview> =>
  serveSite(openBuild(folder), port);

/** Serves on 127.0.0.1. Port 0 selects any free port. Rejects if the port is in use. */
export async function serveSite(site: ServedSite, port: number): Promise<Preview> {
  const paths = pathsOf(site.tables());
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isLocalName(request.headers.host)) {
      if (site.answerOther?.(request, response)) return;
      answer(site, request, response).catch((error: unknown) => fail(response, error));
    } else {
      forbid(response);
    }
  };
  const server = createServer({ maxHeaderSize }, onRequest);
  // Without this listener, Node answers an unknown expectation with 417.
  server.on("checkExpectation", onRequest);
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    paths,
    stop: () =>
      new Promise((stopped, failed) => {
        server.close((error) => (error ? failed(error) : stopped()));
        server.closeAllConnections();
      }),
  };
}

/** Of each API, the paths of the pages for people, then those of the operations. */
export const pathsOf = (tables: Tables): readonly string[] =>
  tables.flatMap(({ operations, documents, addresses, lost, mount = "" }) => {
    const pages = documents.filter(
      ({ contentType, file }) => contentType.startsWith("text/html") && file !== lost?.file,
    );
    if (addresses === undefined) return [...pages, ...operations].map(({ path }) => path);
    const files = [...pages.map(({ file }) => `/${file}`), ...operations.map(({ path }) => `${path}.json`)];
    return files.map((file) => mount + file.replace(/\/index\.html$/, "/"));
  });

/** One line for each API: the address of its first page, or of its first operation. */
export function addressesText({ origin, tables }: Pick<Preview, "origin"> & { readonly tables: Tables }): string {
  const firsts = tables.map((table) => pathsOf([table])[0] ?? table.base);
  return firsts.map((path) => `  ${out.bold(`${origin}${path}`)}\n`).join("");
}

/** `by` names the program that serves. */
export const servingText = (folder: string, by: string, { origin, paths }: Pick<Preview, "origin" | "paths">): string =>
  `Serving ${folder} ${by}on ${out.bold(origin)} (Ctrl-C stops it):\n${paths.map((path) => `  ${origin}${path}\n`).join("")}`;

async function answer(site: ServedSite, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parsed = { method: request.method ?? "GET", ...splitTarget(relative(request.url ?? "/")) };
  // If a build removes the file after it was found, the request is resolved again.
  for (let attempt = 1; ; attempt++) {
    const settled = settle(resolve(tableFor(site.tables(), parsed.path), parsed), (file) => site.has(file));
    if (settled.file === undefined) {
      response.writeHead(settled.status, settled.headers).end();
      return;
    }
    const bytes = await site.read(settled.file);
    const cached = site.cacheControl && { "Cache-Control": site.cacheControl };
    const headers = { ...settled.headers, ...cached };
    if (bytes !== undefined) return send(request, response, { ...settled, headers }, bytes);
    if (attempt === 3) throw new MachineError(`There is no ${settled.file}.`, "Run the build again.");
  }
}

/** Without the origin that a request in the absolute form has (RFC 9112, section 3.2.2). */
const relative = (target: string): string => target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");

/**
 * If-None-Match is the only precondition of the contract, and holds for pages: an error is not answered with 304.
 * Ranges and other preconditions are ignored, as hosts are configured to do.
 */
function send(
  { method, headers: { "if-none-match": ifNoneMatch } }: IncomingMessage,
  response: ServerResponse,
  { status, headers }: Answer,
  bytes: Uint8Array,
): void {
  const tag = tagOf(bytes);
  if (status === 200 && isNamed(tag, ifNoneMatch ?? "")) {
    const { "Content-Type": _, ...others } = headers;
    response.writeHead(304, { ...others, ETag: tag }).end();
    return;
  }
  response.writeHead(status, { ...headers, ...(status === 200 && { ETag: tag }), "Content-Length": bytes.length });
  response.end(method === "HEAD" ? undefined : bytes);
}

/** A strong entity tag (RFC 9110, section 8.8.3). It only depends on the bytes. */
export const tagOf = (bytes: Uint8Array): string => `"${sha256(bytes).slice(0, 32)}"`;

/** Whether `If-None-Match` names the tag: the field is `*` or a list of tags, and a weak tag matches too (section 13.1.2). */
export function isNamed(tag: string, ifNoneMatch: string): boolean {
  const isList = /^[ \t,]*$/.test(ifNoneMatch.replaceAll(entityTag, ""));
  const tags = [...ifNoneMatch.matchAll(entityTag)].map(([, opaque]) => opaque);
  return ifNoneMatch.trim() === "*" || (isList && tags.includes(tag));
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether the value of a Host header names this machine, against DNS rebinding: a page of another site gives its name the
 * address 127.0.0.1 and reads the served files as if they were of the same origin, but the browser sends the name of the
 * site as the Host. Browsers always send one, so a request without one is accepted.
 */
export function isLocalName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return ["localhost", "127.0.0.1", "[::1]", hostname().toLowerCase()].includes(name);
}

/** Without CORS headers: a page of another site must not read the build. */
const forbid = (response: ServerResponse): void =>
  sendError(
    response,
    403,
    "forbidden_host",
    "The preview only answers requests whose Host is a name of this machine, such as localhost.",
  );

/** The contract has no answer for errors of the machine, a folder that has changed since its build, or a bug. */
function fail(response: ServerResponse, error: unknown): void {
  const reason = error instanceof MachineError ? `${error.message} ${error.hint ?? ""}`.trim() : inWords(error);
  if (reason === undefined) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (response.headersSent) response.destroy();
  else sendError(response, 500, "internal_error", reason ?? "The preview failed. Its terminal shows the error.");
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify({ object: "error", status, code, message }));
}
