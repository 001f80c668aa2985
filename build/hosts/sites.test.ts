// Cases that servers.test.ts omits for servers that are configured by hand: sites that serve other content too, page
// sizes that are a list, and requests with headers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Built, buildForTest } from "../../test/check/built.ts";
import { conform } from "../../test/check/conform.ts";
import { writeSample } from "../../test/check/sample.ts";
import { serverRequests } from "../../test/check/server-requests.ts";
import { asVirtualHost } from "../../test/hosts/apache.ts";
import { ask } from "../address/ask.ts";
import type { BuildPlan } from "../build-plan.ts";
import { conformanceRequests } from "../check/requests.ts";
import { findProgram, type RunningProgram, startProgram } from "../cli/preview/program.ts";
import { type OutputFile, textFile } from "../file.ts";
import { besideFolder } from "../output/publication.ts";
import { serverGaps, siteGaps } from "./apache/gaps.ts";
import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import type { Gap, HostAdapter, HostProgram, Request, Site } from "./host.ts";
import { nginx } from "./nginx/index.ts";

vi.mock("../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("../../test/hosts/further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../documents/documents.ts")>());
});

/** A site with a greeting and the API. */
const caddyfile = ({ publishRoot, beside, port }: Site): string => `{
	admin off
	auto_https off
}
import "${beside}/stillapi.caddy"
http://:${port} {
	bind 127.0.0.1
	root * "${publishRoot}"
	handle {
		file_server
	}
	import stillapi
}
`;

import { edgeNetwork } from "../../test/edge-network.ts";

/** The same site in nginx. */
const nginxConf = ({ publishRoot, beside, port }: Site): string => `daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
  include "${beside}/stillapi.maps.conf";
  server {
    listen 127.0.0.1:${port};
    root "${publishRoot}";
    include "${beside}/stillapi.server.conf";
    location = /hello.txt {}
    location / { return 404; }
  }
}
`;

interface Case {
  readonly title: string;
  readonly host: HostAdapter;
  /** Replace the files of the adapter's program. */
  readonly files?: (site: Site, own: readonly OutputFile[]) => readonly OutputFile[];
  /** Replace the gaps of the adapter. */
  readonly gaps?: readonly Gap[];
}

const cases: readonly Case[] = [
  { title: "nginx with other files", host: nginx, files: (site) => [textFile("nginx.conf", nginxConf(site))] },
  { title: "Caddy in a site of its own", host: caddy },
  {
    title: "Caddy in a site with other files",
    host: caddy,
    files: (site) => [textFile("Caddyfile", caddyfile(site))],
  },
  { title: "Apache with .htaccess", host: apache },
  {
    title: "Apache with .htaccess and other files",
    host: apache,
    files: (_, own) => own.map(withoutRoot),
    gaps: siteGaps(edgeNetwork.base),
  },
  {
    title: "Apache with an included file",
    host: apache,
    files: asVirtualHost,
    gaps: serverGaps,
  },
];

function withoutRoot({ entry: { file }, parts }: OutputFile): OutputFile {
  const own = Buffer.concat(parts()).toString();
  return textFile(file, own.replace(/^.*only\.htaccess.*\n/m, ""));
}

/** The contract covers neither the other paths of a site nor paths that are not validly encoded. */
const isOfApi = ({ documents }: BuildPlan, { path }: Request): boolean =>
  (/^\/api\/v1(?:\/|$)/.test(path) || documents.some((document) => document.path === path)) &&
  !/\/(?:\.|%2e){2}|%(?:00|(?![0-9a-f]{2}))/i.test(path);

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-sites-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

/** Built once for all these servers, whose files do not conflict. */
let built: Built;

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeSample(content, { count: 230, pageSizes: [5, 10, 25, 100] });
  built = await buildForTest(content, dist, [...new Set(cases.map(({ host }) => host))]);
  writeFileSync(path.join(dist, "hello.txt"), "Hello.\n");
});

describe.each(cases)("$title", ({ host, files, gaps = host.gaps }) => {
  const { program: own } = host;
  if (own === undefined) throw new Error(`${host.name} has no program.`);
  const run: HostProgram["run"] = (site) => {
    const { files: theirs, ...rest } = own.run(site);
    return { ...rest, files: files?.(site, theirs) ?? theirs };
  };
  const program = { ...own, run };
  if (findProgram(program) === undefined && process.env.STILLAPI_SKIP_NOTHING === undefined) {
    return it.skip(`is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
  }

  const limited = { method: "GET", path: "/api/v1/nodes", query: "limit=5" };
  const faulty = { method: "GET", path: "/api/v1/nodes", query: "limit=0" };
  let server: RunningProgram;

  beforeAll(async () => {
    const beside = path.join(besideFolder(dist), host.name);
    server = await startProgram(program, { publishRoot: dist, beside, port: 0 });
  });

  afterAll(() => server?.stop());

  it("answers every request as the contract or a declared gap says", async () => {
    const send = (request: typeof limited) => ask(server.origin, request);
    const all = [...conformanceRequests(built.dataset), ...serverRequests(built.dataset)];
    const requests = files === undefined ? all : all.filter((request) => isOfApi(built.plan, request));
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
