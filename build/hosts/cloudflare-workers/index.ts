// Cloudflare Workers with static assets: `wrangler.jsonc` and the worker's script, which answers every path, are beside
// the publish root. Only the folder api/ is uploaded, because Cloudflare would obey another host's `_redirects`. The
// command line gives its place.
//
// Relied on: with run_worker_first the worker answers every request; --assets completes the assets of the configuration.
// https://developers.cloudflare.com/workers/static-assets/binding/
// https://developers.cloudflare.com/workers/static-assets/routing/worker-script/
// https://developers.cloudflare.com/workers/wrangler/commands/

import { type OutputFile, textFile } from "../../file.ts";
import { apiFolder } from "../../routing/paths.ts";
import { compatibilityDate, gaps, limits, unproven, uses, workerScript, wrangler } from "../cloudflare/cloudflare.ts";
import type { HostAdapter } from "../host.ts";

const main = "worker.js";

/** Of the publish root. */
const uploaded = apiFolder.replace(/\/.*/, "");

export const cloudflareWorkers: HostAdapter = {
  name: "cloudflare-workers",
  owns: [],
  reads: ["_redirects", "_headers", ".assetsignore"].map((name) => `${uploaded}/${name}`),
  files: () => [],
  beside: (table) => [configuration(main), textFile(main, workerScript(table, `${uploaded}/`))],
  program: wrangler(({ publishRoot, beside }) => ({
    files: [configuration(`${beside}/${main}`)],
    args: ["dev", "--config", "wrangler.jsonc", "--assets", `${publishRoot}/${uploaded}`],
  })),
  limits: limits("https://developers.cloudflare.com/workers/platform/limits/"),
  uses,
  gaps,
  unproven,
};

function configuration(script: string): OutputFile {
  const settings = {
    name: "edge-api",
    main: script,
    no_bundle: true,
    compatibility_date: compatibilityDate,
    assets: { binding: "ASSETS", run_worker_first: true, html_handling: "none", not_found_handling: "none" },
  };
  const use = `// wrangler deploy --config wrangler.jsonc --assets <publish root>/${uploaded}`;
  return textFile("wrangler.jsonc", `${use}\n${JSON.stringify(settings, null, 2)}\n`);
}
