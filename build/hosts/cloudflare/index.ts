// Cloudflare's two products for files behind a worker. The worker answers every path, because unknown paths are answered
// with JSON too, so every request counts towards the plan's limit.
//
// Relied on, by Pages: only _worker.js answers the paths of _routes.json, and it is not published as a file; a file that
// ASSETS lacks is a 404 because 404.html exists, and would be index.html without it. By Workers: with run_worker_first
// the worker answers every request; --assets completes the assets of the configuration; .assetsignore has the syntax of
// .gitignore; _redirects and _headers take effect even if .assetsignore lists them.
// https://developers.cloudflare.com/pages/functions/advanced-mode/ https://developers.cloudflare.com/pages/functions/routing/
// https://developers.cloudflare.com/pages/configuration/serving-pages/
// https://developers.cloudflare.com/workers/static-assets/binding/
// https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
// https://developers.cloudflare.com/workers/wrangler/commands/
import { bundled } from "../../files/asset.ts";
import { encode, type OutputFile, textFile } from "../../files/file.ts";
import { apiFolder } from "../../routing/paths.ts";
import { outputsOf } from "../../routing/resolve.ts";
import { type Gap, type HostAdapter, limitOf, type ProgramSite, type Publishing, type Tables } from "../host.ts";
import { jsonText, text } from "../syntax.ts";
import { headingOf, withPlaceholders } from "../view.ts";

export const gaps: readonly Gap[] = [
  {
    requests: "a path with dot segments, encoded or not, or with backslashes",
    happens: "answered as the path it leads to",
    reason: "Cloudflare resolves it before the worker sees the URL",
    covers: ({ request: { path } }) => resolved(path) !== path,
    takenFor: ({ request }) => ({ ...request, path: resolved(request.path) }),
  },
];

/** By the URL Standard: https://url.spec.whatwg.org/#path-state */
const resolved = (path: string): string => new URL(`http://localhost${path}`).pathname;

/** The version that the tests run. A workflow runs no other, because wrangler gets its secrets. */
const wranglerVersion = "4.86.0";

const wrangler = `npx --yes --ignore-scripts wrangler@${wranglerVersion}`;

/**
 * The version of the runtime with which the worker was tested.
 * https://developers.cloudflare.com/workers/configuration/compatibility-dates/
 */
const compatibilityDate = "2026-04-01";

/** The worker as a module. The bundle is the same for every table. */
function workerScript(tables: Tables): string {
  const heading = `// ${headingOf(tables)}\n`;
  return tables.length === 1
    ? `${heading}const routingTable = ${JSON.stringify(tables[0])};\n${bundled("hosts/cloudflare/script.ts")}`
    : `${heading}const routingTables = ${JSON.stringify(tables)};\n${bundled("hosts/cloudflare/script-of-several.ts")}`;
}

/** An adapter for one of the two products. */
interface Product extends Pick<HostAdapter, "name" | "reads" | "generates" | "files" | "configuration"> {
  readonly product: "pages" | "workers";
  readonly title: string;
  /** The arguments of wrangler that deploy the folder dist to a project. */
  readonly deploy: (name: string) => string;
  readonly setUp: Publishing["setUp"];
  /** The arguments of wrangler that serve a site on this machine, and the files that it reads. */
  readonly serve: (site: ProgramSite) => readonly string[];
  readonly serves?: (site: ProgramSite) => readonly OutputFile[];
  readonly unproven?: readonly string[];
}

function adapter({ product, title, deploy, setUp, serve, serves, unproven = [], ...members }: Product): HostAdapter {
  const source = `https://developers.cloudflare.com/${product}/platform/limits/`;
  return {
    ...members,
    publishing: {
      title,
      setUp,
      secrets: { CLOUDFLARE_API_TOKEN: "a token that may edit it", CLOUDFLARE_ACCOUNT_ID: "the account's id" },
      run: (name) => [`${wrangler} ${deploy(name)}`],
    },
    limits: [
      limitOf("files", { max: 20_000, plan: "Workers Free", source }),
      limitOf("files", { max: 100_000, source }),
      limitOf("bytes in one file", { max: 25 * 1024 ** 2, source }),
      {
        what: "bytes in the worker's script",
        // The smallest limit that the documentation has stated. The largest is 64 MiB.
        max: 3_000_000,
        source: "https://developers.cloudflare.com/workers/platform/limits/#worker-size",
        used: ({ tables }) => ({ amount: encode(workerScript(tables)).length }),
      },
    ],
    gaps,
    unproven: [
      "A URL reaches the worker as sent, except for dot segments. A zone that normalises URLs, which is the default, also resolves encoded letters, backslashes and double slashes.",
      "Paths below /cdn-cgi/ are Cloudflare's own.",
      ...unproven,
    ],
    // Restricted to this machine: it makes no requests, and writes only into the site's folder.
    program: {
      command: "wrangler",
      install: `npm install --save-dev --save-exact wrangler@${wranglerVersion}`,
      run: (site) => ({
        files: serves?.(site) ?? [],
        args: [
          ...serve(site),
          "--ip",
          "127.0.0.1",
          "--port",
          String(site.port),
          "--inspector-port",
          "0",
          "--persist-to",
          "state",
        ],
        env: {
          CI: "1",
          CLOUDFLARE_CF_FETCH_ENABLED: "false",
          WRANGLER_HIDE_BANNER: "true",
          WRANGLER_LOG: "warn",
          WRANGLER_SEND_METRICS: "false",
          XDG_CONFIG_HOME: site.folder,
        },
      }),
    },
  };
}

/** Cloudflare Pages in its advanced mode: `_worker.js` answers the paths that `_routes.json` lists. */
export const cloudflarePages = adapter({
  name: "cloudflare-pages",
  product: "pages",
  title: "Cloudflare Pages",
  deploy: (name) => `pages deploy dist --project-name ${name} --branch main`,
  setUp: (name) =>
    `Create the project: \`npx wrangler@${wranglerVersion} pages project create ${name} --production-branch main\`.`,
  reads: ["_worker.js", "_routes.json", "_redirects", "_headers", "404.html"],
  generates: ["_worker.js", "_routes.json"],
  files: (tables) => [
    textFile("_worker.js", workerScript(tables)),
    textFile("_routes.json", `${JSON.stringify({ version: 1, include: ["/*"], exclude: [] })}\n`),
  ],
  serve: ({ publishRoot }) => ["pages", "dev", publishRoot, "--compatibility-date", compatibilityDate],
  unproven: [
    "A project whose plan has no requests left answers nothing. In the mode that Cloudflare calls fail open, Pages serves the files without the worker, and without the headers of the API.",
    "A file that only the previous deployment had is missing. Pages may serve it for up to a week, and with it a page whose cursor or filter value is gone.",
  ],
});

/**
 * Cloudflare Workers with static assets: the configuration and the worker's script are beside the publish root, and the
 * command line names the publish root. `.assetsignore` excludes files that are no answers from the upload.
 */
export const cloudflareWorkers = adapter({
  name: "cloudflare-workers",
  product: "workers",
  title: "Cloudflare Workers",
  deploy: (name) => `deploy --config dist.hosts/cloudflare-workers/wrangler.jsonc --assets dist --name ${name}`,
  setUp: (name) => `There is nothing to prepare: the first publication creates a worker with the name \`${name}\`.`,
  reads: ["_redirects", "_headers", ".assetsignore"],
  generates: [".assetsignore"],
  files: (tables) => [textFile(".assetsignore", ignoreList(tables))],
  configuration: (tables) => [wranglerFile("worker.js"), textFile("worker.js", workerScript(tables))],
  serve: ({ publishRoot }) => ["dev", "--config", "wrangler.jsonc", "--assets", publishRoot],
  serves: ({ configuration }) => [wranglerFile(`${configuration}/worker.js`)],
});

/** Ignores everything except the folders of the APIs and the documents outside them. */
function ignoreList(tables: Tables): string {
  const apis = [...new Set(tables.map(({ base }) => `${apiFolder(base).replace(/\/.*/, "")}/`))];
  const files = tables.flatMap((table) => [
    ...table.documents.map(({ file }) => file),
    ...outputsOf(table).map((output) => withPlaceholders(output, "*").slice(1)),
  ]);
  const others = files.filter((file) => !apis.some((api) => file.startsWith(api)));
  // `a` and `a/b` of `a/b/c`.
  const folders = new Set(others.flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))));
  const lines = [
    "/*",
    ...apis.map((api) => `!/${api}`),
    ...[...folders].flatMap((folder) => [`!/${folder}/`, `/${folder}/*`]),
  ];
  return text(`# ${headingOf(tables)}`, ...lines, ...others.map((file) => `!/${file}`));
}

function wranglerFile(script: string): OutputFile {
  const settings = {
    main: script,
    no_bundle: true,
    compatibility_date: compatibilityDate,
    assets: {
      binding: "ASSETS",
      run_worker_first: true,
      html_handling: "auto-trailing-slash",
      not_found_handling: "none",
    },
  };
  // Without a name in this file, wrangler requires --name and never deploys to another repository's worker.
  const use = "// wrangler deploy --config wrangler.jsonc --assets <publish root> --name <worker>";
  return textFile("wrangler.jsonc", `${use}\n${jsonText(settings)}`);
}
