// Several APIs on one server, of one build and of another repository's: each answers as it does alone. Two of them share a
// folder, the bases of others differ by a sign, and they have the same operations, with parameters of 32 letters.
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../build/cli/preview/program.ts";
import { apache } from "../../build/hosts/apache/index.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import { gaps as workerGaps } from "../../build/hosts/cloudflare/index.ts";
import { cloudfront } from "../../build/hosts/cloudfront/index.ts";
import type { Gap, HostAdapter, ProgramSite } from "../../build/hosts/host.ts";
import { adapters } from "../../build/hosts/hosts.ts";
import { netlify } from "../../build/hosts/netlify/index.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { vercel } from "../../build/hosts/vercel/index.ts";
import { apiName } from "../../build/hosts/view.ts";
import type { PlannedApi } from "../../build/plan/api.ts";
import type { BuildPlan } from "../../build/plan/plan.ts";
import type { Tables } from "../../build/routing/table.ts";
import type { Apis } from "../../src/model/api.ts";
import { conform, isListed, type Subject } from "../check/conform.ts";
import { datasetOf } from "../check/dataset.ts";
import { everythingAt, writeEverything } from "../check/everything.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { serverRequests } from "../check/server-requests.ts";
import { ownVirtualHost, type ServerAnswering, served, startServer } from "../hosts/configurations.ts";
import * as emulated from "../hosts/emulated.ts";
import { missing, publish } from "../hosts/publish.ts";
import { apacheServer, caddyServer, lackOf, nginxServer, programOf } from "../hosts/servers.ts";
import { builtSeveral } from "../plan.ts";
import { temporaryFolder } from "../temporary.ts";
import { get, oneOfEachKind } from "./subjects.ts";

const folder = temporaryFolder();

const contentWith = (frontPage: boolean): string => {
  const content = path.join(folder, `content-${frontPage}`);
  writeEverything(content);
  appendFileSync(path.join(content, "api.yaml"), `front_page: ${frontPage}\n`);
  return content;
};
const content = contentWith(true);

const bases = ["/api/v2", "/api/v1", "/api-v1"] as const;
const [first, second, third] = bases.map(everythingAt);
if (first === undefined || second === undefined || third === undefined) throw new Error("There are three APIs.");
const all: Apis = [first, second, third];

const build = (dist: string, hosts: readonly string[], apis: Apis, from = content): Promise<BuildPlan> =>
  builtSeveral({ apis, content: from, out: dist, hosts: adapters(hosts) });

/** The folder of the three APIs, for the servers. */
const ours = path.join(folder, "ours");
let three: BuildPlan;

beforeAll(async () => {
  three = await build(ours, ["nginx", "caddy", "apache"], all);
});

interface Asked {
  readonly dataset: Subject["dataset"];
  /** One request of each kind. */
  readonly kinds: readonly ConformanceRequest[];
}

const askedOf = new WeakMap<PlannedApi, Asked>();

/** The requests to an API of a build, which are the same for several servers. */
function askedOfApi(api: PlannedApi, dist: string): Asked {
  const { catalog, deployment, documents, table } = api;
  const asked = askedOf.get(api) ?? {
    dataset: datasetOf(catalog, deployment, documents),
    kinds: oneOfEachKind(dist, table),
  };
  askedOf.set(api, asked);
  return asked;
}

/** The wrong answers to one request of each kind, and to others, for an API of a build. */
async function failuresOf(
  api: PlannedApi,
  subject: Omit<Subject, "dataset" | "base">,
  others: (dataset: Subject["dataset"]) => readonly ConformanceRequest[] = () => [],
): Promise<readonly string[]> {
  const { dataset, kinds } = askedOfApi(api, subject.dist);
  const requests = [...kinds, ...others(dataset)];
  return (await conform({ ...subject, dataset, base: api.table.base }, requests)).failures;
}

interface Row {
  readonly title: string;
  readonly gaps: readonly Gap[];
  readonly start: emulated.Start;
  readonly lack?: string | undefined;
  /** Whether a server below that includes the same files gets all requests. */
  readonly isAskedBelow?: true;
}

const servers: readonly Row[] = [
  { title: "nginx", ...served(nginx), isAskedBelow: true },
  { title: "Caddy", ...served(caddy), isAskedBelow: true },
  { title: "Apache with .htaccess", ...served(apache) },
  { title: "Apache with a virtual host", ...served(apache, ownVirtualHost), isAskedBelow: true },
];

const others: readonly Row[] = [
  { title: "the preview", gaps: [], start: emulated.preview },
  { title: "Netlify", gaps: netlify.gaps, start: emulated.netlify },
  { title: "Vercel", gaps: vercel.gaps, start: emulated.vercel },
  { title: "CloudFront", gaps: cloudfront.gaps, start: emulated.cloudfront },
  { title: "Cloudflare's worker", gaps: workerGaps, start: emulated.worker },
];

const two = path.join(folder, "two");

describe.each([
  ["three APIs", servers, ours, all, () => three],
  // Netlify and CloudFront have no room for three.
  ["two APIs", others, two, [second, third], () => build(two, ["netlify", "vercel", "cloudfront"], [second, third])],
] as const)("%s of one build", (_, rows, dist, apis, planOf) => {
  let plan: BuildPlan;

  beforeAll(async () => {
    plan = await planOf();
    // Apache's ETag of a file is weak until the file is a second old.
    if (rows === servers) await sleep(1_000);
  });

  describe.each<Row>(rows)("on $title", ({ gaps, start, lack, isAskedBelow = false }) => {
    if (lack !== undefined) return it.skip(`is skipped, because ${lack}`);
    let answering: emulated.Answering;
    beforeAll(async () => {
      answering = await start(dist, tablesOf(plan));
    });
    afterAll(() => answering?.stop());

    it("answer as they do alone", async () => {
      for (const api of plan.apis) {
        const { base } = api.table;
        expect(await answering.send(get(`${base}/things`, "limit=5"))).toMatchObject({ status: 200 });
        expect(await answering.send(get(`${base}/things`, "limit=0"))).toMatchObject({ status: 400 });
        if (isAskedBelow) continue;
        expect(await failuresOf(api, { dist, gaps, send: (request) => answering.send(request) })).toEqual([]);
      }
    });

    it("are all named where there is nothing", async () => {
      const { status, body } = await answering.send(get("/api/v3/things"));
      const [front, ...further] = apis.map(({ base }) => base);
      const message = expect.stringContaining(`${front}/things`);
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 404, message });
      expect(body).toContain(` Other APIs are at ${further.join(", ")}.`);
    });

    it("have the front page, and a page for people who are lost, of the first", async () => {
      expect(await answering.send(get("/"))).toMatchObject({ status: 200 });
      const body = expect.stringContaining(`${apis[0].base}/docs/`);
      expect(await answering.send(get("/nothing"))).toMatchObject({ status: 404, body });
    });
  });
});

const tablesOf = ({ apis: [one, ...further] }: BuildPlan): Tables => [one.table, ...further.map(({ table }) => table)];

/** An API of another repository, without a front page. Its base, as an expression, matches another base. */
const neighbour = everythingAt("/api.v1");

interface Published {
  readonly host: HostAdapter;
  /** The configuration with the files of the published builds, as the pages of the hosts show. */
  readonly configuration: (place: ProgramSite, targets: Targets) => string;
  /** The arguments with which the server checks its configuration, and its output if the configuration is valid. */
  readonly check: (folder: string) => readonly string[];
  readonly accepts: string;
}

/** The folders of the two builds. */
interface Targets {
  readonly ours: string;
  readonly theirs: string;
}

/** The files of all APIs with an ending, one of our APIs after the other, then that of the neighbour. */
const partsOf = ({ ours, theirs }: Targets, ending: string, apis: readonly string[] = bases): readonly string[] => [
  ...apis.map((base) => path.join(ours, "current", `${apiName(base)}.${ending}`)),
  path.join(theirs, "current", `${apiName(neighbour.base)}.${ending}`),
];

const includes = (files: readonly string[]): string => files.map((file) => `include ${file};`).join("\n  ");

const published: readonly Published[] = [
  {
    host: nginx,
    configuration: (place, targets) =>
      nginxServer(
        place,
        includes([...partsOf(targets, "root.conf", [first.base]), ...partsOf(targets, "maps.conf")]),
        `${includes(partsOf(targets, "server.conf"))}
    include ${targets.ours}/current/${apiName(first.base)}.only.conf;`,
      ),
    check: (at) => ["-t", "-p", at, "-c", "nginx.conf"],
    accepts: "test is successful",
  },
  {
    host: caddy,
    configuration: (place, targets) =>
      caddyServer(
        place,
        [...partsOf(targets, "root.caddy", [first.base]), ...partsOf(targets, "caddy")]
          .map((file) => `import ${file}`)
          .join("\n"),
        [`${apiName(first.base)}_only`, ...[second, third, neighbour].map(({ base }) => apiName(base))]
          .map((name) => `import ${name}`)
          .join("\n\t"),
      ),
    check: (at) => ["validate", "--config", `${at}/Caddyfile`, "--adapter", "caddyfile"],
    accepts: "Valid configuration",
  },
  {
    host: apache,
    configuration(place, targets) {
      const only = `${targets.ours}/current/${apiName(first.base)}.only.conf`;
      const files = partsOf(targets, "conf");
      const directory = (target: string, included: readonly string[]) => `<Directory ${target}>
    AllowOverride None
    Options FollowSymLinks
    Require all granted
    ${included.map((file) => `Include ${file}`).join("\n    ")}
  </Directory>`;
      return `${apacheServer(place)}<VirtualHost *:${place.port}>
  TraceEnable off
  ${partsOf(targets, "root.conf", [first.base])
    .map((file) => `Include ${file}`)
    .join("\n  ")}
  DocumentRoot "\${${apiName(first.base)}_root}"
  ${directory(targets.ours, [...files.slice(0, -1), only])}
  ${directory(targets.theirs, files.slice(-1))}
</VirtualHost>
`;
    },
    check: (at) => ["-t", "-f", `${at}/httpd.conf`],
    accepts: "Syntax OK",
  },
];

/** Servers refuse some requests before they look at the rules of any API. */
const isRefusedEarly = ({ method, path: asked }: ConformanceRequest): boolean =>
  method === "TRACE" || /%(?:00|(?![0-9a-f]{2}))/i.test(asked);

describe("three APIs of one build and one of another, published to one server", () => {
  const builds = { ours, theirs: path.join(folder, "theirs") };
  let theirs: BuildPlan;

  beforeAll(async () => {
    const hosts = published.map(({ host }) => host.name);
    theirs = await build(builds.theirs, hosts, [neighbour], contentWith(false));
    // A server that root has started serves as another user.
    chmodSync(folder, 0o755);
  });

  describe.each(published)("on $host.name", ({ host, configuration, check, accepts }) => {
    const program = programOf(host);
    const lack = lackOf(program) ?? missing;
    if (lack !== undefined) return it.skip(`is skipped, because ${lack}`);
    let server: ServerAnswering;
    let checked = "";

    beforeAll(async () => {
      const targets = {
        ours: path.join(folder, `ours-${host.name}`),
        theirs: path.join(folder, `theirs-${host.name}`),
      };
      for (const name of ["ours", "theirs"] as const) {
        const { code, stderr } = await publish(builds[name], host, [targets[name]]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      }
      let at = "";
      const site = { base: first.base, publishRoot: targets.ours, configuration: targets.ours };
      server = await startServer(program, site, (_, place) => {
        at = place.folder;
        return configuration(place, targets);
      });
      const env = { ...process.env, XDG_CONFIG_HOME: at, XDG_DATA_HOME: at };
      const { stdout, stderr } = spawnSync(findProgram(program) ?? "", check(at), { encoding: "utf8", env });
      checked = stdout + stderr;
    });

    afterAll(() => server?.stop());

    it("has nothing to warn of in its configuration", () => {
      expect(checked).toContain(accepts);
      expect(checked).not.toMatch(/warn|error|emerg/i);
    });

    it.each([
      ["ours", () => three],
      ["theirs", () => theirs],
    ] as const)("answer as they do alone: %s", async (name, plan) => {
      const { gaps } = host;
      const { send } = server;
      for (const api of plan().apis) {
        const { base } = api.table;
        const isOfApi = ({ path: asked }: ConformanceRequest) =>
          (asked.startsWith(`${base}/`) || isListed(api.table, asked)) && !/\/(?:\.|%2e){2}/i.test(asked);
        const failures = await failuresOf(api, { dist: builds[name], gaps, send }, (dataset) =>
          [...conformanceRequests(dataset), ...serverRequests(dataset)].filter(isRefusedEarly).filter(isOfApi),
        );
        expect(failures).toEqual([]);
      }
    });
  });
});

it.each([
  [
    "cloudfront",
    "bytes of a template that is sent with the request",
    "or publish one of the APIs at an address of its own",
  ],
  ["netlify", "rules", "With page_sizes: [100] in api.yaml it fits"],
])("says of %s what to do if three have no room", async (host, what, hint) => {
  const failure = await build(path.join(folder, `no-room-${host}`), [host], all).catch(String);
  expect(failure).toMatch(new RegExp(`${host} accepts at most [0-9,]+ ${what}, and this build has [0-9,]+ `));
  expect(failure).toMatch(/ \/api\/v2 alone has [0-9,]+, \/api\/v1 alone has [0-9,]+, \/api-v1 alone has [0-9,]+\./);
  expect(failure).toContain(hint);
});
