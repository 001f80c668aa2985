// Readers follow cursors of the real servers while data, page sizes and paging change and `publish` reloads them.
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { buildAt, missing, pathsOf, publish as publishBuild, writeEdited } from "../../test/hosts/publish.ts";
import { apacheServer } from "../../test/hosts/servers.ts";
import { findProgram, startProgram } from "../cli/preview/program.ts";
import { textFile } from "../files/file.ts";
import { apache } from "../hosts/apache/index.ts";
import { caddy } from "../hosts/caddy/index.ts";
import type { HostAdapter, HostProgram, ProgramSite } from "../hosts/host.ts";
import { nginx } from "../hosts/nginx/index.ts";
import { apiName } from "../hosts/view.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-publish-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

const name = apiName(edgeNetwork.base);
const count = 130;
/** The configuration changes with the page sizes, in four of five editions. */
const editions: readonly (Omit<Sample, "count"> & { readonly gone: readonly number[] })[] = [
  { pageSizes: [5, 20], gone: [] },
  { pageSizes: [5, 10, 20], gone: [0, 1, 60] },
  { pageSizes: [3, 20], paging: "both", gone: [1, 59, 61, 104] },
  { pageSizes: [3, 20], paging: "both", gone: [0, 2, 3, 60, 129] },
  { pageSizes: [5, 12], gone: [20, 40, 99, 100, 101] },
  { pageSizes: [1, 25], gone: [7, 41] },
];
const limits = ["", "limit=5", "limit=13", "limit=20"];
const always = Array.from({ length: count }, (_, index) => index).filter(
  (index) => !editions.some(({ gone }) => gone.includes(index)),
);
const dists = editions.map((_, index) => path.join(folder, String(index), "dist"));
const again = path.join(folder, "again", "dist");
const hosts = [nginx, caddy, apache];

interface Case {
  readonly host: HostAdapter;
  readonly file: string;
  readonly configuration: (site: ProgramSite, target: string) => string;
  readonly args: (site: ProgramSite) => readonly string[];
  readonly check: readonly string[];
  readonly reload: readonly string[];
}

const cases: readonly Case[] = [
  {
    host: nginx,
    file: "nginx.conf",
    configuration: (
      { port },
      target,
    ) => `daemon off; worker_processes 2; pid nginx.pid; error_log stderr crit; events {}
      http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
      variables_hash_bucket_size 128;
      ${["root", "maps"].map((part) => `include ${target}/current/${name}.${part}.conf;`).join(" ")}
      server { listen 127.0.0.1:${port};
      ${["server", "only"].map((part) => `include ${target}/current/${name}.${part}.conf;`).join(" ")} } }`,
    args: ({ folder }) => ["-e", "stderr", "-p", folder, "-c", "nginx.conf"],
    check: ["-q", "-t"],
    reload: ["-s", "reload"],
  },
  {
    host: caddy,
    file: "Caddyfile",
    configuration: ({ port, folder }, target) => `{
	admin unix/${folder}/admin.sock
	auto_https off
	log {
		output stderr
		level ERROR
	}
}
import ${target}/current/${name}.caddy
import ${target}/current/${name}.root.caddy
http://:${port} {
	bind 127.0.0.1
	import ${name}_only
}
`,
    args: ({ folder }) => ["--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
    check: ["validate"],
    reload: ["reload", "--address", "unix/$FOLDER/admin.sock"],
  },
  {
    host: apache,
    file: "httpd.conf",
    configuration: (
      { port, folder },
      target,
    ) => `${apacheServer({ port, folder })}Include ${target}/current/${name}.root.conf
DocumentRoot "\${${name}_root}"
<Directory ${target}>
  AllowOverride None
  Options FollowSymLinks
  Require all granted
  Include ${target}/current/${name}.conf
  Include ${target}/current/${name}.only.conf
</Directory>
`,
    args: ({ folder }) => ["-f", `${folder}/httpd.conf`],
    check: ["-t"],
    reload: ["-k", "graceful"],
  },
];

beforeAll(async () => {
  if (missing !== undefined) return;
  // A server that root has started serves as another user.
  chmodSync(folder, 0o755);
  for (const [index, { gone, ...sample }] of editions.entries()) {
    const content = path.join(folder, `content-${index}`);
    writeEdited(content, { count, ...sample }, gone);
    const now = 1_700_000_000 + 60 * index;
    const out = dists[index] ?? "";
    const previous = dists[index - 1] ?? out;
    await buildAt(content, out, { hosts, previous, now });
    if (index < editions.length - 1) continue;
    await buildAt(content, again, { hosts, previous: out, now: now + 60 });
    for (const file of pathsOf(again)) utimesSync(path.join(again, file), 1_000, 1_000);
  }
});

it.concurrent.for(cases)(
  "readers get nothing but 200 and 304 from $host.name, and every item once and in order",
  { timeout: 300_000 },
  async ({ host, file, configuration, args, check, reload }, { skip }) => {
    const { program } = host as { readonly program: HostProgram };
    const command = findProgram(program);
    if (missing !== undefined || command === undefined) skip(missing ?? `${program.command} is not installed`);
    const target = path.join(folder, host.name);
    const env: Record<string, string> = {};
    const commands = { check: "true", reload: "true" };
    const publish = async (dist: string) => {
      const words = ["--check-command", commands.check, "--reload-command", commands.reload];
      const { code, stdout, stderr } = await publishBuild(dist, host, [target, "--reload", ...words], { env });
      expect({ code, stdout: stdout.replace(/ To go back.*\n/s, ""), stderr }).toMatchObject({ code: 0 });
      return stdout;
    };
    const [first = "", ...others] = dists;
    await publish(first);
    const place = { base: edgeNetwork.base, publishRoot: target, configuration: target, port: 0 };
    const server = await startProgram(
      {
        ...program,
        run: (site) => {
          const quiet = { XDG_CONFIG_HOME: site.folder, XDG_DATA_HOME: site.folder };
          const line = (words: readonly string[]) => [command, ...words].join(" ").replace("$FOLDER", site.folder);
          const [verb, ...rest] = host === caddy ? ["run"] : ["", "-DFOREGROUND"];
          const common = args(site);
          Object.assign(env, quiet);
          Object.assign(commands, {
            check: host === caddy ? line([...check, ...common]) : line([...common, ...check]),
            reload: host === caddy ? line([...reload, ...common]) : line([...common, ...reload]),
          });
          const start = host === caddy ? [verb, ...common] : [...common, ...(host === apache ? rest : [])];
          return { files: [textFile(file, configuration(site, target))], args: start.map(String), env: quiet };
        },
      },
      place,
    );

    let over = false;
    let publications = 0;
    const faults: string[] = [];
    const seen = { across: 0, statuses: new Set<number>() };
    /** The last answer of each address, and the body of each entity tag. */
    const kept = new Map<string, { readonly etag: string; readonly body: string }>();
    const bodies = new Map<string, string>();

    const fetchPage = async (agent: Agent, address: string): Promise<string> => {
      const cached = Math.random() < 0.5 ? kept.get(address) : undefined;
      const { status, etag, body } = await ask(agent, server.origin + address, cached?.etag);
      seen.statuses.add(status);
      if (status === 304 && cached !== undefined) return cached.body;
      if (status !== 200) throw new Error(`${address}: ${status} ${body} after ${publications} publications`);
      const id = `${address} ${etag}`;
      if ((bodies.get(id) ?? body) !== body) throw new Error(`${address}: another body has the tag ${etag}`);
      bodies.set(id, body);
      kept.set(address, { etag, body });
      return body;
    };

    const walk = async (agent: Agent, { address, filter, positions, kept: always }: Listing): Promise<void> => {
      const start = publications;
      let limit = pick(limits);
      const items: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        // From a page without a limit, no cursor need start a page of another size.
        if (cursor !== undefined && Math.random() < 0.1) limit = "";
        const query = [filter, limit, cursor === undefined ? "" : `cursor=${cursor}`].filter((part) => part !== "");
        const { data, pagination } = JSON.parse(await fetchPage(agent, `${address}?${query.join("&")}`));
        items.push(...data.map((item: unknown) => JSON.stringify(item)));
        cursor = pagination.next_cursor as string | null;
        await sleep(Math.random() * 40);
      }
      const found = items.map((item) => positions.get(item) ?? -1);
      if (found.some((position, index) => position <= (found[index - 1] ?? -1)))
        throw new Error("not in order, or twice");
      const lost = always.filter((position) => !found.includes(position));
      if (lost.length > 0) throw new Error(`without the items at ${lost}`);
      if (publications > start) seen.across++;
    };
    const listings = listingsOf(first);
    const reader = async () => {
      // Like most clients, a reader keeps one connection, so no request goes from a new worker back to an old one.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!over) {
        const listing = pick(listings);
        await walk(agent, listing).catch((error) =>
          faults.push(`${listing.address}?${listing.filter}: ${error.message}`),
        );
      }
      agent.destroy();
    };
    const readers = Array.from({ length: 6 }, reader);
    try {
      for (const dist of others) {
        await sleep(300);
        await publish(dist);
        publications++;
      }
      await sleep(500);
      over = true;
      await Promise.all(readers);
      const agent = new Agent();
      const tags = () =>
        Promise.all(listings.map(({ address }) => ask(agent, server.origin + address).then(({ etag }) => etag)));
      const before = await tags();
      expect(await publish(again)).toBe(`${target} is up to date. Nothing was sent.\n`);
      expect(await tags()).toEqual(before);
      expect(before.join()).toContain('"');
    } finally {
      over = true;
      await Promise.all(readers);
      await server.stop();
    }
    expect(faults).toEqual([]);
    expect(seen.across).toBeGreaterThan(5);
    expect([...seen.statuses].sort()).toEqual([200, 304]);
  },
);

interface Listing {
  readonly address: string;
  readonly filter: string;
  /** The position in the first build of each item, as JSON. */
  readonly positions: ReadonlyMap<string, number>;
  /** The positions of the items that all builds contain. */
  readonly kept: readonly number[];
}

/** The long listings of a build with all items, with and without a filter. */
function listingsOf(dist: string): readonly Listing[] {
  return edgeNetwork.lists.flatMap(({ name, filters: [filter] }) => {
    const lines = readFileSync(path.join(dist, `api/v1/dumps/${name}.ndjson`), "utf8")
      .trim()
      .split("\n");
    if (lines.length !== count) return [];
    const content: readonly Record<string, unknown>[] = JSON.parse(
      readFileSync(path.join(folder, "content-0", `${name}.json`), "utf8"),
    );
    const positions = new Map(lines.map((line, position) => [line, position]));
    const positionOf = (item: unknown) => positions.get(JSON.stringify(item)) ?? -1;
    const items = always.map((index) => content[index] ?? {});
    const of = (query: string, among: readonly unknown[]): Listing => ({
      address: `/api/v1/${name}`,
      filter: query,
      positions,
      kept: among.map(positionOf),
    });
    if (filter === undefined) return [of("", items)];
    const { field = "" } = filter;
    const value = items[0]?.[field];
    return [
      of("", items),
      of(
        `${filter.param}=${value}`,
        items.filter((item) => item[field] === value),
      ),
    ];
  });
}

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: string;
}

/** Retries if the server has closed an idle connection (RFC 9112, section 9.3.1). */
function ask(agent: Agent, address: string, etag?: string, attempt = 1): Promise<Answer> {
  return new Promise((done, failed) => {
    const request = get(
      address,
      { agent, headers: etag === undefined ? {} : { "If-None-Match": etag } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", failed);
        response.once("end", () => {
          done({
            status: response.statusCode ?? 0,
            etag: response.headers.etag ?? "",
            body: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    request.once("error", (error) => {
      if (request.reusedSocket && attempt < 4) ask(agent, address, etag, attempt + 1).then(done, failed);
      else failed(error);
    });
  });
}

function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(Math.random() * from.length)];
  if (one === undefined) throw new Error("Nothing to choose from.");
  return one;
}
