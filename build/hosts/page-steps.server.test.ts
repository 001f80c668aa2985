// Follows the steps of docs/hosts for servers that are configured by hand: the shell blocks publish, and the
// configuration blocks are the server's configuration. The test changes only addresses, and adds the settings that a
// server needs to run beside the machine's server.
import { chmodSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { keepConnections } from "../../test/ask.ts";
import { type Built, buildForTest } from "../../test/check/built.ts";
import { conform } from "../../test/check/conform.ts";
import type { ConformanceRequest } from "../../test/check/requests.ts";
import { writeSample } from "../../test/check/sample.ts";
import { serverRequests } from "../../test/check/server-requests.ts";
import { oneOfEachKind } from "../../test/conformance/subjects.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { missing, run } from "../../test/hosts/publish.ts";
import { apacheServer, lackOf, programOf } from "../../test/hosts/servers.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { type RunningProgram, startProgram } from "../cli/preview/program.ts";
import { textFile } from "../files/file.ts";
import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import type { Gap, HostAdapter } from "./host.ts";
import { nginx } from "./nginx/index.ts";

interface Case {
  readonly title: string;
  readonly host: HostAdapter;
  readonly gaps: readonly Gap[];
  /** The heading on the host's page above the steps and the configuration. */
  readonly section: string;
  /** The folder of the server's configuration. */
  readonly folder: string;
  /** The whole configuration, with the page's block. `server` replaces the machine's root folder. */
  readonly configuration: (block: string, server: string, port: number) => string;
  readonly args: (server: string) => readonly string[];
}

const cases: readonly Case[] = [
  {
    title: "nginx",
    host: nginx,
    gaps: nginx.gaps,
    section: "Set up",
    folder: "/etc/nginx",
    configuration: (block, server, port) =>
      `daemon off; master_process off; pid ${server}/nginx.pid; error_log stderr crit; events {}\n${block
        .replace("listen 80;", `listen 127.0.0.1:${port};`)
        .replace("http {", `http { access_log off; ${temporaryPaths(server)}`)}`,
    args: (server) => ["-p", `${server}/etc/nginx`, "-c", "site"],
  },
  {
    title: "Caddy",
    host: caddy,
    gaps: caddy.gaps,
    section: "Set up",
    folder: "/etc/caddy",
    configuration: (block, _, port) =>
      `{\nadmin off\nauto_https off\n}\n${block.replace("api.example.com {", `http://:${port} {\nbind 127.0.0.1`)}`,
    args: (server) => ["run", "--config", `${server}/etc/caddy/site`, "--adapter", "caddyfile"],
  },
  {
    title: "Apache with .htaccess",
    host: apache,
    gaps: apache.gaps,
    section: "With .htaccess",
    folder: "/etc/apache2",
    configuration: (block, server, port) =>
      `${debian(server, port)}<VirtualHost *:${port}>\nDocumentRoot ${server}/var/www/html\n</VirtualHost>\n${block}`,
    args: apacheArgs,
  },
  {
    title: "Apache with a virtual host",
    host: apache,
    gaps: apache.gaps,
    section: "With a virtual host",
    folder: "/etc/apache2",
    configuration: (block, server, port) => `${debian(server, port)}${block.replace("*:80", `*:${port}`)}`,
    args: apacheArgs,
  },
];

const shared = temporaryFolder();
/** A build for all of these servers, whose files do not conflict. Each publishes a copy. */
const wholeDist = path.join(shared, "dist");
let built: Built;
let requests: readonly ConformanceRequest[];

beforeAll(async () => {
  writeSample(path.join(shared, "content"), { count: 30, pageSizes: [5, 100] });
  const hosts = [nginx, caddy, apache];
  built = await buildForTest(path.join(shared, "content"), wholeDist, hosts);
  const { dataset, plan } = built;
  // The conformance list tests each rule of the configuration. This test checks that the server reads the configuration.
  requests = [...oneOfEachKind(wholeDist, plan.table), ...serverRequests(dataset)];
});

describe.each(cases)("$title, set up by the page's steps", ({ host, gaps, section, folder, configuration, args }) => {
  const program = programOf(host);
  const lack = lackOf(program) ?? missing;
  if (lack !== undefined) return it.skip(`is skipped, because ${lack}`);

  const root = temporaryFolder();
  const server = path.join(root, "server");
  const dist = path.join(root, "dist");
  let running: RunningProgram;
  const { send, close } = keepConnections(() => running.origin);

  beforeAll(async () => {
    // A server that root has started serves as another user.
    chmodSync(root, 0o755);
    for (const suffix of ["", ".hosts"]) cpSync(wholeDist + suffix, dist + suffix, { recursive: true });
    const [steps = "", site = ""] = stepsOf(host.name, section);
    mkdirSync(path.join(server, "var/www/html"), { recursive: true });
    await publish(steps, root, server);
    mkdirSync(path.join(server, folder), { recursive: true });
    const block = site.replaceAll(/ (?=\/(?:srv|var)\/)/g, ` ${server}`);
    running = await startProgram(
      {
        ...program,
        run: ({ port, folder: home }) => ({
          files: [textFile(path.relative(home, path.join(server, folder, "site")), configuration(block, server, port))],
          args: args(server),
          env: { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
        }),
      },
      { base: edgeNetwork.base, publishRoot: dist, configuration: dist, port: 0 },
    );
  });

  afterAll(async () => {
    close();
    await running?.stop();
  });

  it("answers requests of each kind as the contract or a declared gap says", async () => {
    const { dataset } = built;
    expect((await conform({ dataset, dist, gaps, send }, requests)).failures).toEqual([]);
  });
});

/** The block that publishes and the block with the configuration, of a section of a host's page. */
function stepsOf(host: string, section: string): readonly string[] {
  const page = readFileSync(`docs/hosts/${host}.md`, "utf8");
  const text = page.split(/^##+ /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const steps = blocks.find(
    ([, language, block = ""]) => language === "sh" && /^(?:npm run publish|rsync) /m.test(block),
  );
  const site = blocks.find(([, language]) => language !== "sh");
  return [steps?.[2] ?? "", site?.[2] ?? ""];
}

/** Runs the block that publishes, with the folders of the server below a temporary one. */
async function publish(block: string, root: string, server: string): Promise<void> {
  const lines = block.split("\n").filter((line) => /^(?:npm run publish|rsync) /.test(line));
  expect(lines.length).toBeGreaterThan(0);
  const here = lines.map((line) => line.replaceAll(/(?<= )(?:server:)?(?=\/(?:srv|var|etc)\/)/g, server));
  const script = here
    .join("\n")
    .replaceAll("npm run publish --", `'${process.execPath}' '${inject("program")}' publish`);
  const { code, stderr } = await run("sh", ["-euc", script], { cwd: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

const temporaryPaths = (server: string): string =>
  ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${server}/${name};`).join(" ");

/** The parts of Debian's configuration that could answer in place of the API, for example by listing folders. */
const debian = (server: string, port: number): string =>
  `${apacheServer({ port, folder: server, root: `${server}/etc/apache2`, modules })}<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<Directory ${server}/var/www>
  Options Indexes FollowSymLinks
  AllowOverride None
  Require all granted
</Directory>
AccessFileName .htaccess
<FilesMatch "^\\.ht">
  Require all denied
</FilesMatch>
DirectoryIndex index.html index.cgi index.pl index.php index.xhtml index.htm
IndexOptions FancyIndexing VersionSort HTMLTable NameWidth=* DescriptionWidth=* Charset=UTF-8
AddOutputFilterByType DEFLATE text/html text/plain text/xml
`;

const modules = [
  "mpm_prefork",
  "alias",
  "auth_basic",
  "authn_core",
  "authz_core",
  "authz_host",
  "autoindex",
  "deflate",
  "dir",
  "env",
  "filter",
  "headers",
  "mime",
  "negotiation",
  "rewrite",
  "setenvif",
  "status",
];

function apacheArgs(server: string): readonly string[] {
  return ["-f", `${server}/etc/apache2/site`, "-DFOREGROUND"];
}
