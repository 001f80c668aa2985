// APIs of different repositories on one server: each is published to a separate folder with publish.sh, and answers as it
// does alone. Their bases differ by a sign, and they have the same operations, with parameters of 32 letters.
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram, type RunningProgram, startProgram } from "../../build/cli/preview/program.ts";
import { textFile } from "../../build/files/file.ts";
import { apache } from "../../build/hosts/apache/index.ts";
import { apiName } from "../../build/hosts/api-name.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import type { HostAdapter } from "../../build/hosts/host.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { type Built, buildForTest } from "../check/built.ts";
import { conform, isListed } from "../check/conform.ts";
import { everythingAt, writeEverything } from "../check/everything.ts";
import { oneIn, pairwise } from "../check/pairwise.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { serverRequests } from "../check/server-requests.ts";
import { apacheServer } from "../hosts/apache.ts";
import { keepConnections } from "../hosts/configurations.ts";
import { missing, run, scriptOf } from "../hosts/publish.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();

const bases = ["/api/v1", "/api-v1", "/api.v1"] as const;
const [first] = bases;

/** What the server has outside of the bases. */
interface Arrangement {
  readonly title: string;
  /** The base of the API with the front page, whose file for all other paths is included. Absent: there is a site. */
  readonly front?: string;
}

const arrangements: readonly Arrangement[] = [
  { title: "without front pages, in a site with other files" },
  { title: "with the front page of one of them", front: first },
];

/** A part of a server's configuration: the file of an API in the folder to which it is published. */
type Part = (base: string, ending: string) => string;

interface ServerCase {
  readonly host: HostAdapter;
  /** The configuration of a server with all APIs, below a folder. */
  readonly configuration: (place: { readonly port: number; readonly folder: string }, of: Arrangement) => string;
  readonly file: string;
  readonly args: (folder: string) => readonly string[];
  /** The arguments with which the server checks its configuration, and its output if the configuration is valid. */
  readonly check: (folder: string) => readonly string[];
  readonly accepts: string;
}

const target = (host: HostAdapter, base: string, { front }: Arrangement): string =>
  path.join(folder, `${front === base ? "front" : "plain"}-${host.name}${base.replaceAll("/", "_")}`);

const site = path.join(folder, "site");

const partsOf =
  (host: HostAdapter, arrangement: Arrangement): Part =>
  (base, ending) =>
    path.join(target(host, base, arrangement), "current", `${apiName(base)}.${ending}`);

const forBases = (text: (base: string) => string): string => bases.map(text).join("\n");

const cases: readonly ServerCase[] = [
  {
    host: nginx,
    file: "nginx.conf",
    configuration({ port, folder }, arrangement) {
      const part = partsOf(nginx, arrangement);
      const { front } = arrangement;
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      return `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit; events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  variables_hash_bucket_size 128;
  ${forBases((base) => `include ${part(base, "root.conf")}; include ${part(base, "maps.conf")};`)}
  server {
    listen 127.0.0.1:${port};
    ${forBases((base) => `include ${part(base, "server.conf")};`)}
    ${front === undefined ? `root ${site}; location / {}` : `include ${part(front, "only.conf")};`}
  }
}
`;
    },
    args: (folder) => ["-p", folder, "-c", "nginx.conf"],
    check: (folder) => ["-t", "-p", folder, "-c", "nginx.conf"],
    accepts: "test is successful",
  },
  {
    host: caddy,
    file: "Caddyfile",
    configuration({ port }, arrangement) {
      const part = partsOf(caddy, arrangement);
      const { front } = arrangement;
      const others = bases.filter((base) => base !== front);
      return `{
	admin off
	auto_https off
	log {
		output stderr
		level ERROR
	}
}
${forBases((base) => `import ${part(base, "root.caddy")}\nimport ${part(base, "caddy")}`)}
http://:${port} {
	bind 127.0.0.1
	${front === undefined ? `root * ${site}\n\thandle {\n\t\tfile_server\n\t}` : `import ${apiName(front)}_only`}
	${others.map((base) => `import ${apiName(base)}`).join("\n\t")}
}
`;
    },
    args: (folder) => ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
    check: (folder) => ["validate", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
    accepts: "Valid configuration",
  },
  {
    host: apache,
    file: "httpd.conf",
    configuration({ port, folder }, arrangement) {
      const part = partsOf(apache, arrangement);
      const { front } = arrangement;
      const root = front === undefined ? site : `\${${apiName(front)}_root}`;
      const directory = (base: string) => `<Directory ${target(apache, base, arrangement)}>
  AllowOverride None
  Options FollowSymLinks
  Require all granted
  Include ${part(base, "conf")}
  ${base === front ? `Include ${part(base, "only.conf")}` : ""}
</Directory>`;
      return `${apacheServer({ port, folder })}StartServers 8
<VirtualHost *:${port}>
  TraceEnable off
  ${forBases((base) => `Include ${part(base, "root.conf")}`)}
  DocumentRoot "${root}"
  <Directory ${site}>
    AllowOverride None
    Require all granted
  </Directory>
  ${forBases(directory)}
</VirtualHost>
`;
    },
    args: (folder) => ["-f", `${folder}/httpd.conf`, "-DFOREGROUND"],
    check: (folder) => ["-t", "-f", `${folder}/httpd.conf`],
    accepts: "Syntax OK",
  },
];

const distOf = (base: string, hasFront: boolean): string =>
  path.join(folder, hasFront ? "front" : "plain", base.replaceAll("/", "_"), "dist");

interface Published {
  readonly built: Built;
  readonly requests: readonly ConformanceRequest[];
}

/** By the build's folder. */
const builds = new Map<string, Published>();

beforeAll(async () => {
  if (missing !== undefined) return;
  // A server that root has started serves as another user.
  chmodSync(folder, 0o755);
  const hosts = cases.map(({ host }) => host);
  for (const hasFront of [false, true]) {
    const content = path.join(folder, `content-${hasFront}`);
    writeEverything(content);
    appendFileSync(path.join(content, "api.yaml"), `front_page: ${hasFront}\n`);
    for (const base of hasFront ? [first] : bases) {
      const dist = distOf(base, hasFront);
      const built = await buildForTest(content, dist, hosts, everythingAt(base));
      const { dataset } = built;
      const requests = pairwise(dataset, [...conformanceRequests(dataset), ...serverRequests(dataset)]);
      builds.set(dist, { built, requests });
    }
  }
  // Files of the site, at paths that are almost paths of the APIs.
  for (const file of ["hello.txt", "api/v2/things.json", "api/v1.json", "apixv1/things.json", "api-v10/x.txt"]) {
    mkdirSync(path.dirname(path.join(site, file)), { recursive: true });
    writeFileSync(path.join(site, file), "Hello.\n");
  }
  // Apache's ETag of a file is weak until the file is a second old.
  await sleep(1_000);
});

/** Whether a path is one of the API with this base, and no server resolves it to a path of the site. */
const isOfApi = ({ plan }: Built, base: string, { path: asked }: ConformanceRequest): boolean =>
  (asked === base || asked.startsWith(`${base}/`) || isListed(plan.table, asked)) && !/\/(?:\.|%2e){2}/i.test(asked);

/** In a site with other files, paths with invalid encoding are the site's. */
const isEncoded = ({ path: asked }: ConformanceRequest): boolean => !/%(?:00|(?![0-9a-f]{2}))/i.test(asked);

/** Servers refuse some requests before they look at the rules of any API. */
const isRefusedEarly = (request: ConformanceRequest): boolean => request.method === "TRACE" || !isEncoded(request);

/** The arrangements share the APIs without a front page, which are published once. */
async function publish(host: HostAdapter, base: string, arrangement: Arrangement): Promise<void> {
  const to = target(host, base, arrangement);
  if (existsSync(to)) return;
  const { code, stderr } = await run(scriptOf(distOf(base, base === arrangement.front), host), [to]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

describe.each(cases)("$host.name", ({ host, configuration, file, args, check, accepts }) => {
  const { program } = host;
  if (program === undefined) throw new Error(`${host.name} has no program.`);
  const command = findProgram(program);
  if (command === undefined) {
    return it.skip(`is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
  }
  if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);

  describe.each(arrangements)("$title", (arrangement) => {
    const { front } = arrangement;
    let server: RunningProgram;
    const { send, close } = keepConnections(() => server.origin);
    let checked = "";

    beforeAll(async () => {
      await Promise.all(bases.map((base) => publish(host, base, arrangement)));
      server = await startProgram(
        {
          ...program,
          run({ port, folder: programFolder }) {
            const text = configuration({ port, folder: programFolder }, arrangement);
            writeFileSync(path.join(programFolder, file), text);
            const env = { XDG_CONFIG_HOME: programFolder, XDG_DATA_HOME: programFolder };
            const { stdout, stderr } = spawnSync(command, check(programFolder), {
              encoding: "utf8",
              env: { ...process.env, ...env },
            });
            checked = stdout + stderr;
            return { files: [textFile(file, text)], args: args(programFolder), env };
          },
        },
        { base: first, publishRoot: folder, beside: folder, port: 0 },
      );
    });

    afterAll(async () => {
      close();
      await server?.stop();
    });

    it("has nothing to warn of in its configuration", () => {
      expect(checked).toContain(accepts);
      expect(checked).not.toMatch(/warn|error|emerg/i);
    });

    it.each(bases)("answers for %s as it does alone", async (base) => {
      const dist = distOf(base, base === front);
      const { built, requests: all } = builds.get(dist) ?? expect.fail();
      const ofApi = base === front ? all : all.filter((request) => isOfApi(built, base, request));
      const asked = front === undefined ? ofApi.filter(isEncoded) : ofApi;
      const requests = [...oneIn(16, asked), ...asked.filter(isRefusedEarly)];
      const { failures } = await conform({ dataset: built.dataset, dist, gaps: host.gaps, send }, requests);
      expect(failures).toEqual([]);
    });

    if (front !== undefined) return;
    it("leaves all other paths to the site, its root too", async () => {
      for (const asked of ["/hello.txt", "/api/v2/things.json", "/apixv1/things.json", "/api-v10/x.txt"]) {
        const answer = await send({ method: "GET", path: asked, query: "" });
        expect({ asked, ...answer }).toMatchObject({ asked, status: 200, body: "Hello.\n" });
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      }
      const root = await send({ method: "GET", path: "/", query: "" });
      expect(root.headers).not.toHaveProperty("access-control-allow-origin");
    });
  });
});
