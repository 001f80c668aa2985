// Cloudflare Pages in its advanced mode: `_worker.js` answers, `_routes.json` says which paths. These are all of them,
// for what is not the API's is answered with JSON too; so every request counts towards the plan's.
//
// Relied on: _worker.js is the only thing that answers the paths of _routes.json, and is published as no file; a file
// that ASSETS lacks is a 404 because there is a 404.html, and would be index.html otherwise.
// https://developers.cloudflare.com/pages/functions/advanced-mode/ https://developers.cloudflare.com/pages/functions/routing/
// https://developers.cloudflare.com/pages/configuration/serving-pages/
import { textFile } from "../../file.ts";
import { compatibilityDate, gaps, limits, unproven, uses, workerScript, wrangler } from "../cloudflare/cloudflare.ts";
import type { HostAdapter } from "../host.ts";

export const cloudflarePages: HostAdapter = {
  name: "cloudflare-pages",
  owns: ["_worker.js", "_routes.json"],
  files: (table) => [
    textFile("_worker.js", workerScript(table, "")),
    textFile("_routes.json", `${JSON.stringify({ version: 1, include: ["/*"], exclude: [] })}\n`),
  ],
  program: wrangler(({ publishRoot }) => ({
    files: [],
    args: ["pages", "dev", publishRoot, "--compatibility-date", compatibilityDate],
  })),
  limits: limits("https://developers.cloudflare.com/pages/platform/limits/"),
  uses,
  gaps,
  unproven: [
    ...unproven,
    "A file of the deployment before is missing; Pages may go on answering with it for up to a week, and so with a page whose cursor or filter value is no more.",
  ],
};
