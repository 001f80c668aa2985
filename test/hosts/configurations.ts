// The servers that are tested with the real programs, in each configuration with different rules.
import { Agent } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { findProgram, type RunningProgram, startProgram } from "../../build/cli/preview/program.ts";
import { type OutputFile, textFile } from "../../build/files/file.ts";
import { apache } from "../../build/hosts/apache/index.ts";
import { apiName } from "../../build/hosts/api-name.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import { cloudflarePages, cloudflareWorkers } from "../../build/hosts/cloudflare/index.ts";
import type { Gap, HostAdapter, HostProgram, ProgramSite } from "../../build/hosts/host.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { besideFolder } from "../../build/output/location.ts";
import { openBuild } from "../../build/published/build.ts";
import { ask, type TextAnswer } from "../ask.ts";
import { everything } from "../check/everything.ts";
import type { ConformanceRequest } from "../check/requests.ts";
import { asOwnVirtualHost, asVirtualHost } from "./apache.ts";

export interface Configuration {
  readonly title: string;
  readonly host: HostAdapter;
  readonly gaps: readonly Gap[];
  /** Whether the site also serves other files than the API's. */
  readonly isShared?: true;
  /** Whether the document root has the .htaccess that docs/hosts/apache.md names, and no other configuration. */
  readonly isPublished?: true;
  /** Replace the files of the adapter's program. */
  readonly files?: (site: ProgramSite, files: readonly OutputFile[]) => readonly OutputFile[];
}

export const configurations: readonly Configuration[] = [
  { title: "nginx", host: nginx, gaps: nginx.gaps },
  {
    title: "nginx with other files",
    host: nginx,
    gaps: nginx.gaps,
    isShared: true,
    files: (site) => [textFile("nginx.conf", nginxConf(site))],
  },
  { title: "Caddy", host: caddy, gaps: caddy.gaps },
  {
    title: "Caddy with other files",
    host: caddy,
    gaps: caddy.gaps,
    isShared: true,
    files: (site) => [textFile("Caddyfile", caddyfile(site))],
  },
  { title: "Apache with .htaccess", host: apache, gaps: apache.gaps },
  {
    title: "Apache with .htaccess and other files",
    host: apache,
    gaps: [...apache.gaps, outsideGap(everything.base)],
    isShared: true,
    files: (_, files) => files.map(withoutRoot),
  },
  {
    title: "Apache with an included file",
    host: apache,
    gaps: apache.gaps,
    isShared: true,
    files: asVirtualHost,
  },
  { title: "Apache with a virtual host of its own", host: apache, gaps: apache.gaps, files: asOwnVirtualHost },
  {
    title: "Apache with .htaccess as published",
    host: apache,
    gaps: apache.gaps,
    isPublished: true,
    files: (_, files) => files.map(withoutRoot),
  },
  { title: "Cloudflare Pages", host: cloudflarePages, gaps: cloudflarePages.gaps },
  { title: "Cloudflare Workers", host: cloudflareWorkers, gaps: cloudflareWorkers.gaps },
];

/** With .htaccess files, in a site that serves other content too and has its .htaccess at the document root. */
function outsideGap(base: string): Gap {
  return {
    requests: `documents outside of ${base}, with .htaccess, in a site that serves other things`,
    happens: "answered as any other file of the site, if at all",
    reason: "their rules have to be in the document root's .htaccess, which belongs to the site",
    covers: ({ request: { path } }) => path !== base && !path.startsWith(`${base}/`),
  };
}

type Send = (request: ConformanceRequest, headers?: Readonly<Record<string, string>>) => Promise<TextAnswer>;

interface TestServer {
  readonly origin: () => string;
  readonly send: Send;
}

/**
 * Keeps connections for plain GETs only: bytes after the answer to another request could be taken for an answer. `close`
 * closes them.
 */
export function keepConnections(origin: () => string): { readonly send: Send; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  return {
    send(request, headers = {}) {
      const isPlain = request.method === "GET" && request.headers === undefined;
      return ask(origin(), request, headers, isPlain ? { agent } : {});
    },
    close: () => agent.destroy(),
  };
}

/**
 * Starts the server with the build in a folder before the tests of the current `describe`, and stops it after them. If
 * the server is not installed, adds a skipped test and returns undefined.
 */
export function startForTests({ host, files }: Configuration, dist: string): TestServer | undefined {
  const { program } = host;
  if (program === undefined) throw new Error(`${host.name} has no program.`);
  if (findProgram(program) === undefined) {
    it.skip(`is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
    return undefined;
  }
  const run: HostProgram["run"] = (site) => {
    const { files: filesOfProgram, ...rest } = program.run(site);
    return { ...rest, files: files?.(site, filesOfProgram) ?? filesOfProgram };
  };
  let server: RunningProgram | undefined;

  beforeAll(async () => {
    const beside = path.join(besideFolder(dist), host.name);
    const { base } = openBuild(dist).tables()[0];
    server = await startProgram({ ...program, run }, { base, publishRoot: dist, beside, port: 0 });
  });

  const origin = () => {
    if (server === undefined) throw new Error(`${host.name} is not running.`);
    return server.origin;
  };
  const { send, close } = keepConnections(origin);

  afterAll(async () => {
    close();
    await server?.stop();
  });

  return { origin, send };
}

/** A site with a greeting and the API. */
const caddyfile = ({ base, publishRoot, beside, port }: ProgramSite): string => `{
	admin off
	auto_https off
}
(${apiName(base)}_root) {
	root * "${publishRoot}"
}
import "${beside}/${apiName(base)}.caddy"
http://:${port} {
	bind 127.0.0.1
	root * "${publishRoot}"
	handle {
		file_server
	}
	import ${apiName(base)}
}
`;

/** The same site in nginx. */
const nginxConf = ({ base, publishRoot, beside, port }: ProgramSite): string => `daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
  variables_hash_bucket_size 128;
  map "" $${apiName(base)}_root { default "${publishRoot}"; }
  include "${beside}/${apiName(base)}.maps.conf";
  server {
    listen 127.0.0.1:${port};
    root "${publishRoot}";
    include "${beside}/${apiName(base)}.server.conf";
    location / {}
  }
}
`;

function withoutRoot({ file, parts }: OutputFile): OutputFile {
  const text = Buffer.concat([...parts()]).toString();
  return textFile(file, text.replace(/^.*only\.conf.*\n/m, ""));
}
