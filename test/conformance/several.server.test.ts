// Several APIs in one build, with one configuration of each host: each answers as it does alone. Two of them share a folder,
// and the bases of two differ by a sign. They have the same operations, with parameters of 32 letters.
import { chmodSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiBuild, BuildPlan } from "../../build/build.ts";
import { startPreview } from "../../build/cli/preview/preview.ts";
import { findProgram, type RunningProgram, startProgram } from "../../build/cli/preview/program.ts";
import { textFile } from "../../build/files/file.ts";
import { apache } from "../../build/hosts/apache/index.ts";
import { apiName } from "../../build/hosts/api-name.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import { cloudflarePages, gaps as workerGaps } from "../../build/hosts/cloudflare/index.ts";
import type { Gap, HostAdapter, ProgramSite } from "../../build/hosts/host.ts";
import { adapters } from "../../build/hosts/hosts.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { openBuild } from "../../build/published/build.ts";
import { tableFor } from "../../build/routing/resolve.ts";
import { verify } from "../../build/verify/verify.ts";
import type { Apis } from "../../src/model/api.ts";
import { conform, type Subject } from "../check/conform.ts";
import { type Dataset, datasetOf } from "../check/dataset.ts";
import { everythingAt, writeEverything } from "../check/everything.ts";
import { pairwise } from "../check/pairwise.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { serverRequests } from "../check/server-requests.ts";
import { apacheServer } from "../hosts/apache.ts";
import { keepConnections } from "../hosts/configurations.ts";
import { type Answering, cloudfront, netlify, vercel, worker } from "../hosts/emulated.ts";
import { missing, run as publish, scriptOf } from "../hosts/publish.ts";
import { builtSeveral } from "../plan.ts";
import { rounds } from "../seed.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
writeEverything(content);

const bases = ["/api/v2", "/api/v1", "/api-v1"] as const;
const [first, second, third] = bases.map(everythingAt);
if (first === undefined || second === undefined || third === undefined) throw new Error("There are three APIs.");

type Requests = readonly ConformanceRequest[];

const build = (dist: string, hosts: readonly string[], apis: Apis = [first, second, third]): Promise<BuildPlan> =>
  builtSeveral({ apis, content, out: dist, hosts: adapters(hosts) });

/** By build and base. */
const datasets = new WeakMap<ApiBuild, Dataset>();

function datasetIn(plan: BuildPlan, base: string): Dataset {
  const api = plan.apis.find(({ table }) => table.base === base) ?? expect.fail(`There is no API ${base}.`);
  const dataset = datasets.get(api) ?? datasetOf(api.catalog, api.deployment, api.documents);
  datasets.set(api, dataset);
  return dataset;
}

/** By dataset, with the requests of servers or without them. */
const requests = { all: new WeakMap<Dataset, Requests>(), own: new WeakMap<Dataset, Requests>() };

function requestsFor(plan: BuildPlan, base: string, ofServers: boolean): Requests {
  const dataset = datasetIn(plan, base);
  const kept = ofServers ? requests.all : requests.own;
  const list = kept.get(dataset) ?? newRequests(plan, dataset, ofServers);
  kept.set(dataset, list);
  return list;
}

/** The requests whose answers are those of an API. A server may resolve some paths to those of another API. */
function newRequests(plan: BuildPlan, dataset: Dataset, ofServers: boolean): Requests {
  const { base } = dataset.api;
  const [tableOfFirst, ...others] = plan.apis.map(({ table }) => table);
  if (tableOfFirst === undefined) throw new Error("There is no API.");
  const all = [...conformanceRequests(dataset), ...(ofServers ? serverRequests(dataset) : [])];
  const isOf = ({ path: asked }: ConformanceRequest) =>
    tableFor([tableOfFirst, ...others], asked).base === base && !/\/(?:\.|%2e){1,2}(?:\/|%2f|$)/i.test(asked);
  return pairwise(dataset, all).filter(isOf);
}

/** One of so many requests: the test of one API sends them all. In CI twice as many. */
const someOf = (count: number, list: Requests): Requests =>
  list.filter((_, index) => index % Math.ceil(count / rounds) === 0);

const subjectOf = (
  plan: BuildPlan,
  dist: string,
  base: string,
  gaps: readonly Gap[],
  send: Subject["send"],
): Subject => ({ dataset: datasetIn(plan, base), dist, gaps, base, send });

interface Row {
  readonly title: string;
  readonly host: HostAdapter;
  readonly configuration?: (site: ProgramSite) => string;
}

/** The files of all APIs in one <Directory>, and the one file of the first for all other paths. */
const virtualHost = ({ base, others = [], beside }: ProgramSite): string => `<VirtualHost *>
  DocumentRoot "\${top}"
  TraceEnable off
  ${[base, ...others].map((one) => `Define ${apiName(one)}_root "\${top}"`).join("\n  ")}
  <Directory "\${top}">
    AllowOverride None
    Require all granted
    ${[base, ...others].map((one) => `Include "${beside}/${apiName(one)}.conf"`).join("\n    ")}
    Include "${beside}/${apiName(base)}.only.conf"
  </Directory>
</VirtualHost>
`;

const rows: readonly Row[] = [
  { title: "nginx", host: nginx },
  { title: "Caddy", host: caddy },
  { title: "Apache with .htaccess", host: apache },
  { title: "Apache with included files", host: apache, configuration: virtualHost },
  { title: "Cloudflare Pages", host: cloudflarePages },
];

describe("servers", () => {
  const dist = path.join(folder, "servers");
  let plan: BuildPlan;

  beforeAll(async () => {
    plan = await build(dist, ["nginx", "caddy", "apache", "cloudflare-pages"]);
    // Apache's ETag of a file is weak until the file is a second old.
    await sleep(1_000);
  });

  describe.each(rows)("$title", ({ host, configuration }) => {
    const { program, gaps } = host;
    if (program === undefined) throw new Error(`${host.name} has no program.`);
    if (findProgram(program) === undefined) {
      return it.skip(`is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
    }
    const isSlow = host === cloudflarePages;
    let server: RunningProgram;
    const { send, close } = keepConnections(() => server.origin);

    beforeAll(async () => {
      const [base, ...others] = bases;
      const site = { base, others, publishRoot: dist, beside: path.join(`${dist}.hosts`, host.name), port: 0 };
      const run = (place: ProgramSite) => {
        const { files, ...rest } = program.run(place);
        if (configuration === undefined) return { files, ...rest };
        return {
          ...rest,
          files: files.map(({ file, parts }) => {
            const [start] = Buffer.concat([...parts()])
              .toString()
              .split("<Directory");
            return textFile(file, `${start}${configuration(place)}`);
          }),
        };
      };
      server = await startProgram({ ...program, run }, site);
    }, 60_000);

    afterAll(async () => {
      close();
      await server?.stop();
    });

    it.each(bases)(
      "answers for %s as it does alone",
      async (base) => {
        const list = someOf(isSlow ? 100 : 12, requestsFor(plan, base, !isSlow));
        expect(list.length).toBeGreaterThan(5);
        const { failures } = await conform(subjectOf(plan, dist, base, gaps, send), list);
        expect(failures).toEqual([]);
      },
      120_000,
    );

    if (isSlow) return;
    it("names all APIs where there is nothing", async () => {
      const { status, body } = await send({ method: "GET", path: "/api/v3/things", query: "" });
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 404, message: all });
    });

    it("has the front page, and a page for people who are lost, of the first", async () => {
      expect(await send({ method: "GET", path: "/", query: "" })).toMatchObject({ status: 200 });
      const body = expect.stringContaining(`href="${bases[0]}/docs/"`);
      expect(await send({ method: "GET", path: "/nothing", query: "" })).toMatchObject({ status: 404, body });
    });
  });
});

/** A configuration that includes the files of a published build, as the pages of the hosts show: the roots of all are in one. */
const published: ReadonlyMap<HostAdapter, (place: ProgramSite, current: string) => string> = new Map([
  [
    nginx,
    (
      { port, folder: at },
      current,
    ) => `daemon off; master_process off; pid ${at}/nginx.pid; error_log stderr crit; events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${at}/${name};`).join(" ")}
  variables_hash_bucket_size 128;
  include ${current}/${apiName(bases[0])}.root.conf;
  ${bases.map((base) => `include ${current}/${apiName(base)}.maps.conf;`).join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    ${bases.map((base) => `include ${current}/${apiName(base)}.server.conf;`).join("\n    ")}
    include ${current}/${apiName(bases[0])}.only.conf;
  }
}
`,
  ],
  [
    caddy,
    ({ port }, current) => `{
	admin off
	auto_https off
}
import ${current}/${apiName(bases[0])}.root.caddy
${bases.map((base) => `import ${current}/${apiName(base)}.caddy`).join("\n")}
http://:${port} {
	bind 127.0.0.1
	import ${apiName(bases[0])}_only
	${bases
    .slice(1)
    .map((base) => `import ${apiName(base)}`)
    .join("\n\t")}
}
`,
  ],
  [
    apache,
    ({ port, folder: at }, current) => `${apacheServer({ port, folder: at })}<VirtualHost *:${port}>
  TraceEnable off
  Include ${current}/${apiName(bases[0])}.root.conf
  DocumentRoot "\${${apiName(bases[0])}_root}"
  <Directory ${path.dirname(current)}>
    AllowOverride None
    Options FollowSymLinks
    Require all granted
    ${bases.map((base) => `Include ${current}/${apiName(base)}.conf`).join("\n    ")}
    Include ${current}/${apiName(bases[0])}.only.conf
  </Directory>
</VirtualHost>
`,
  ],
]);

describe("published with publish.sh", () => {
  const dist = path.join(folder, "published");

  beforeAll(async () => {
    await build(dist, ["nginx", "caddy", "apache"]);
    // A server that root has started serves as another user.
    chmodSync(folder, 0o755);
  });

  it.for([...published])(
    "all of them answer on one server: %$",
    { timeout: 120_000 },
    async ([host, text], { skip }) => {
      const { program } = host;
      if (program === undefined || findProgram(program) === undefined) return skip(`${host.name} is not installed`);
      if (missing !== undefined) return skip(missing);
      const target = path.join(folder, `published-${host.name}`);
      const { code, stderr } = await publish(scriptOf(dist, host), [target]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const run = (place: ProgramSite) => {
        const { files, ...rest } = program.run(place);
        return { ...rest, files: files.map(({ file }) => textFile(file, text(place, path.join(target, "current")))) };
      };
      const site = { base: bases[0], publishRoot: target, beside: target, port: 0 };
      const server = await startProgram({ ...program, run }, site);
      try {
        const opened = openBuild(dist);
        for (const table of opened.tables()) {
          const { findings, isAnotherBuild } = await verify(new URL(server.origin), opened, { host }, table);
          expect({ findings, isAnotherBuild }).toEqual({ findings: [], isAnotherBuild: false });
        }
      } finally {
        await server.stop();
      }
    },
  );
});

const all = expect.stringMatching(/\/api\/v2\/things.* Other APIs are at \/api\/v1, \/api-v1\.$/);

interface Emulated {
  readonly title: string;
  readonly gaps: readonly Gap[];
  readonly start: (dist: string, plan: BuildPlan) => Promise<Answering> | Answering;
}

const gapsOf = (name: string): readonly Gap[] => adapters([name]).flatMap(({ gaps }) => gaps);

const emulated: readonly Emulated[] = [
  {
    title: "preview",
    gaps: [],
    async start(dist) {
      const { origin, stop } = await startPreview(dist, 0);
      const { send, close } = keepConnections(() => origin);
      return { send, stop: () => stop().finally(close) };
    },
  },
  { title: "Netlify", gaps: gapsOf("netlify"), start: netlify },
  { title: "Vercel", gaps: gapsOf("vercel"), start: vercel },
  {
    title: "Cloudflare's worker",
    gaps: workerGaps,
    start: (dist, { apis: [one, ...others] }) => worker(dist, one.table, ...others.map(({ table }) => table)),
  },
];

describe("others", () => {
  const dist = path.join(folder, "others");
  let plan: BuildPlan;

  beforeAll(async () => {
    // Of three, Netlify takes too many rules.
    plan = await build(dist, ["netlify", "vercel"], [second, third]);
  });

  describe.each(emulated)("$title", ({ gaps, start, title }) => {
    it.each(bases.slice(1))(
      "answers for %s as it does alone",
      async (base) => {
        const { send, stop } = await start(dist, plan);
        try {
          expect(await failuresOf(plan, dist, base, gaps, send, title === "Netlify" ? 12 : 6)).toEqual([]);
        } finally {
          await stop();
        }
      },
      120_000,
    );
  });
});

/** The wrong answers to one in so many requests. */
async function failuresOf(
  plan: BuildPlan,
  dist: string,
  base: string,
  gaps: readonly Gap[],
  send: Subject["send"],
  share: number,
): Promise<readonly string[]> {
  const list = someOf(share, requestsFor(plan, base, false));
  return (await conform(subjectOf(plan, dist, base, gaps, send), list)).failures;
}

it("CloudFront answers for each of two as it does alone: its template has no room for three of them", async () => {
  const dist = path.join(folder, "cloudfront");
  const plan = await build(dist, ["cloudfront"], [first, second]);
  const { send } = cloudfront(dist, ...plan.apis.map(({ table }) => table));
  for (const base of [first.base, second.base])
    expect(await failuresOf(plan, dist, base, gapsOf("cloudfront"), send, 6)).toEqual([]);
});

it.each([
  [
    "cloudfront",
    "bytes of a template that is sent with the request",
    "or publish one of the APIs at an address of its own",
  ],
  ["netlify", "rules", "With page_sizes: [100] in api.yaml it fits"],
])("says of %s what to do if three have no room", async (host, what, hint) => {
  const failure = await build(path.join(folder, `no-room-${host}`), [host]).catch(String);
  expect(failure).toMatch(new RegExp(`${host} accepts at most [0-9,]+ ${what}, and this build has [0-9,]+ `));
  expect(failure).toMatch(/ \/api\/v2 alone has [0-9,]+, \/api\/v1 alone has [0-9,]+, \/api-v1 alone has [0-9,]+\./);
  expect(failure).toContain(hint);
});
