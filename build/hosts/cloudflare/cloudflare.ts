// Shared by Cloudflare's two products for files behind a worker: the script, limits, gaps, publishing and local
// program.
import { encode } from "../../file.ts";
import type { RoutingTable } from "../../routing/table.ts";
import type { Gap, HostProgram, Limit, Publishing, Signature, Site, Use } from "../host.ts";
import { script } from "./script.ts";

/** The worker as a module that needs no bundling. */
export const workerScript = (table: RoutingTable): string =>
  `const routingTable = ${JSON.stringify(table)};\n\n${script}`;

/** Both products have the same limits; `source` is the documentation of one product. */
export const limits = (source: string): readonly Limit[] => [
  { what: "files", most: 20_000, plan: "Workers Free", source },
  { what: "files", most: 100_000, source },
  { what: "bytes in one file", most: 25 * 1024 ** 2, source },
];

/** The smallest limit for scripts that the documentation has stated; it ranges from 3 MB compressed to 64 MiB. */
export const uses = (table: RoutingTable): readonly Use[] => [
  {
    what: "bytes in the worker's script",
    used: encode(workerScript(table)).length,
    most: 3_000_000,
    source: "https://developers.cloudflare.com/workers/platform/limits/#worker-size",
  },
];

export const gaps: readonly Gap[] = [
  {
    requests: "a path with dot segments, encoded or not, or with backslashes",
    happens: "answered as the path it leads to",
    reason: "Cloudflare resolves it before the worker sees the URL",
    covers: ({ path }) => resolved(path) !== path,
    takenFor: (request) => ({ ...request, path: resolved(request.path) }),
  },
];

/** By the URL Standard: https://url.spec.whatwg.org/#path-state */
const resolved = (path: string): string => new URL(`http://localhost${path}`).pathname;

export const unproven: readonly string[] = [
  "A URL reaches the worker as sent, except for dot segments. A zone that normalises URLs, which is the default, also resolves encoded letters, backslashes and double slashes.",
  "Paths below /cdn-cgi/ are Cloudflare's own.",
];

export const signature: Signature = ["server", /^cloudflare/i];

/** The version that the tests run. A workflow runs no other, because wrangler gets its secrets. */
export const wranglerVersion = "4.86.0";

/** `command` deploys the folder dist with the arguments of wrangler for a project's name. */
export const publishing = (
  title: string,
  command: (name: string) => string,
  setUp: Publishing["setUp"],
): Publishing => ({
  title,
  secrets: {
    CLOUDFLARE_API_TOKEN: "a token that may edit it",
    CLOUDFLARE_ACCOUNT_ID: "the account's id",
  },
  run: (name) => [`npx --yes --ignore-scripts wrangler@${wranglerVersion} ${command(name)}`],
  setUp,
});

/**
 * The version of the runtime with which the worker was tested.
 * https://developers.cloudflare.com/workers/configuration/compatibility-dates/
 */
export const compatibilityDate = "2026-04-01";

/** Cloudflare's program, restricted to this machine: it makes no requests, and writes only into the site's folder. */
export const wrangler = (command: (site: Site) => ReturnType<HostProgram["run"]>): HostProgram => ({
  command: "wrangler",
  install: `npm install --save-dev --save-exact wrangler@${wranglerVersion}`,
  run: (site) => {
    const { files, args } = command(site);
    const own = ["--ip", "127.0.0.1", "--port", String(site.port), "--inspector-port", "0", "--persist-to", "state"];
    const env = {
      CI: "1",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_LOG: "warn",
      WRANGLER_SEND_METRICS: "false",
      XDG_CONFIG_HOME: site.folder,
    };
    return { files, args: [...args, ...own], env };
  },
});
