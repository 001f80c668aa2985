// What servers.test.ts leaves out of servers that are configured by hand: sites that serve other things too, page
// sizes that are a list, and requests with headers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../conformance/ask.ts";
import { conform } from "../conformance/conform.ts";
import { type Built, buildForTest } from "../conformance/fixture.ts";
import { conformanceRequests } from "../conformance/requests.ts";
import { writeSample } from "../conformance/sample.ts";
import { serverRequests } from "../conformance/server-requests.ts";
import { type OutputFile, textFile } from "../file.ts";
import { besideFolder } from "../output/publication.ts";
import { findProgram, type RunningProgram, startProgram } from "../preview/program.ts";
import { asVirtualHost } from "./apache/fixture.ts";
import { serverGaps } from "./apache/gaps.ts";
import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import type { Gap, HostAdapter, HostProgram, Request, Site } from "./host.ts";

/** A greeting, the API, and its error for all else. */
const caddyfile = ({ publishRoot, beside, port }: Site): string => `{
	admin off
	auto_https off
}
import "${beside}/edge-api.caddy"
http://:${port} {
	bind 127.0.0.1
	root * "${publishRoot}"
	handle {
		file_server
	}
	import edge_api
	handle_errors {
		header Content-Type application/json
		header Access-Control-Allow-Origin *
		header X-Content-Type-Options nosniff
		header Cache-Control no-store
		rewrite * /api/v1/errors/not_found.json
		file_server
	}
}
`;

interface Case {
  readonly title: string;
  readonly host: HostAdapter;
  /** In place of the files of the adapter's own program. */
  readonly files?: (site: Site, own: readonly OutputFile[]) => readonly OutputFile[];
  /** In place of the adapter's own. */
  readonly gaps?: readonly Gap[];
}

const cases: readonly Case[] = [
  { title: "Caddy in a site of its own", host: caddy },
  {
    title: "Caddy in a site with other files",
    host: caddy,
    files: (site) => [textFile("Caddyfile", caddyfile(site))],
  },
  { title: "Apache with .htaccess", host: apache },
  {
    title: "Apache with an included file",
    host: apache,
    files: asVirtualHost,
    gaps: serverGaps,
  },
];

/** How a site answers other methods elsewhere is its own affair. */
const isOfApi = ({ path }: Request): boolean => /^\/api\/v1(?!.*\/\.\.)(?:\/|$)/.test(path);

describe.each(cases)("$title", ({ host, files, gaps = host.gaps }) => {
  const { program: own } = host;
  if (own === undefined) throw new Error(`${host.name} has no program.`);
  const run: HostProgram["run"] = (site) => {
    const { files: theirs, ...rest } = own.run(site);
    return { ...rest, files: files?.(site, theirs) ?? theirs };
  };
  const program = { ...own, run };
  if (findProgram(program) === undefined && process.env.EDGE_API_SKIP_NOTHING === undefined) {
    return it.skip(`is skipped, because ${program.command} is not installed. To get it: ${program.install}`);
  }

  const folder = mkdtempSync(path.join(tmpdir(), "edge-api-sites-"));
  const dist = path.join(folder, "dist");
  const limited = { method: "GET", path: "/api/v1/nodes", query: "limit=5" };
  const faulty = { method: "GET", path: "/api/v1/nodes", query: "limit=0" };
  let built: Built;
  let server: RunningProgram;

  beforeAll(async () => {
    const content = path.join(folder, "content");
    writeSample(content, { count: 230, pageSizes: [5, 10, 25, 100] });
    built = await buildForTest(content, dist, [host]);
    writeFileSync(path.join(dist, "hello.txt"), "Hello.\n");
    const beside = path.join(besideFolder(dist), host.name);
    server = await startProgram(program, { publishRoot: dist, beside, port: 0 });
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  it("answers every request as the contract or a declared gap says", async () => {
    const send = (request: typeof limited) => ask(server.origin, request);
    const requests = [
      ...conformanceRequests(built.dataset),
      ...serverRequests(built.dataset).filter((request) => files === undefined || isOfApi(request)),
    ];
    const { failures } = await conform({ dataset: built.dataset, dist, gaps, send }, requests);
    expect(failures).toEqual([]);
  });

  it.skipIf(files === undefined)("leaves the other files to the site", async () => {
    const hello = await ask(server.origin, { method: "GET", path: "/hello.txt", query: "" });
    expect(hello).toMatchObject({ status: 200, body: "Hello.\n" });
    expect(hello.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("sends a page whole, whatever range is asked for", async () => {
    const whole = await ask(server.origin, limited);
    for (const range of ["bytes=0-9", "bytes=99999-", "nonsense"]) {
      expect(await ask(server.origin, limited, { range })).toMatchObject({ status: 200, body: whole.body });
    }
  });

  it("sends an error whole, whatever of it the client has", async () => {
    const whole = await ask(server.origin, faulty);
    const { etag = '"none"', "last-modified": since = new Date().toUTCString() } = whole.headers;
    for (const headers of [{ "if-none-match": etag }, { "if-modified-since": since }, { range: "bytes=0-9" }]) {
      expect(await ask(server.origin, faulty, headers)).toMatchObject({ status: 400, body: whole.body });
    }
  });

  it("refuses a method that has a body", async () => {
    const refused = await ask(server.origin, { ...limited, method: "POST" }, { "content-length": "0" });
    expect(refused).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, OPTIONS", "cache-control": "no-store" },
    });
  });
});
