// Cloudflare Workers with static assets: `wrangler.jsonc` and the worker's script, which answers every path, are beside
// the publish root, and the command line names the publish root. `.assetsignore` excludes files that are no answers
// from the upload.
//
// Relied on: with run_worker_first the worker answers every request; --assets completes the assets of the
// configuration; .assetsignore has the syntax of .gitignore; _redirects and _headers take effect even if .assetsignore
// lists them.
// https://developers.cloudflare.com/workers/static-assets/binding/
// https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
// https://developers.cloudflare.com/workers/wrangler/commands/

import { type OutputFile, textFile } from "../../file.ts";
import { apiFolder } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";
import {
  compatibilityDate,
  gaps,
  limits,
  publishing,
  signature,
  unproven,
  uses,
  workerScript,
  wrangler,
} from "../cloudflare/cloudflare.ts";
import type { HostAdapter } from "../host.ts";

const main = "worker.js";

const ignored = ".assetsignore";

export const cloudflareWorkers: HostAdapter = {
  name: "cloudflare-workers",
  signature,
  publishing: publishing(
    "Cloudflare Workers",
    (name) => `deploy --config dist.hosts/cloudflare-workers/wrangler.jsonc --assets dist --name ${name}`,
    (name) => `There is nothing to prepare: the first publication creates a worker with the name \`${name}\`.`,
  ),
  owns: () => [ignored],
  reads: () => ["_redirects", "_headers", ignored],
  files: (table) => [textFile(ignored, ignoreList(table))],
  beside: (table) => [configuration(main), textFile(main, workerScript(table))],
  program: wrangler(({ publishRoot, beside }) => ({
    files: [configuration(`${beside}/${main}`)],
    args: ["dev", "--config", "wrangler.jsonc", "--assets", publishRoot],
  })),
  limits: limits("https://developers.cloudflare.com/workers/platform/limits/"),
  uses,
  gaps,
  unproven,
};

/** Ignores everything except the folder of the API and the documents outside it. */
function ignoreList({ base, documents }: RoutingTable): string {
  const api = `${apiFolder(base).replace(/\/.*/, "")}/`;
  const others = documents.map(({ file }) => file).filter((file) => !file.startsWith(api));
  const folders = new Set(others.flatMap(foldersOf));
  const lines = ["/*", `!/${api}`, ...[...folders].flatMap((folder) => [`!/${folder}`, `/${folder}*`])];
  return `${[...lines, ...others.map((file) => `!/${file}`)].join("\n")}\n`;
}

/** `a/` and `a/b/` of `a/b/c`. */
const foldersOf = (file: string): readonly string[] => {
  const steps = file.split("/").slice(0, -1);
  return steps.map((_, index) => `${steps.slice(0, index + 1).join("/")}/`);
};

function configuration(script: string): OutputFile {
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
  return textFile("wrangler.jsonc", `${use}\n${JSON.stringify(settings, null, 2)}\n`);
}
