// Cloudflare Pages in its advanced mode: `_worker.js` answers the paths that `_routes.json` lists. It lists all paths,
// because unknown paths are answered with JSON too, so every request counts towards the plan's limit.
//
// Relied on: only _worker.js answers the paths of _routes.json, and it is not published as a file; a file that ASSETS
// lacks is a 404 because 404.html exists, and would be index.html without it.
// https://developers.cloudflare.com/pages/functions/advanced-mode/ https://developers.cloudflare.com/pages/functions/routing/
// https://developers.cloudflare.com/pages/configuration/serving-pages/
import { textFile } from "../../file.ts";
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
  wranglerVersion,
} from "../cloudflare/cloudflare.ts";
import type { HostAdapter } from "../host.ts";

export const cloudflarePages: HostAdapter = {
  name: "cloudflare-pages",
  signature,
  publishing: publishing(
    "Cloudflare Pages",
    (name) => `pages deploy dist --project-name ${name} --branch main`,
    (name) =>
      `Create the project: \`npx wrangler@${wranglerVersion} pages project create ${name} --production-branch main\`.`,
  ),
  owns: () => ["_worker.js", "_routes.json"],
  reads: () => ["_worker.js", "_routes.json", "_redirects", "_headers", "404.html"],
  files: (table) => [
    textFile("_worker.js", workerScript(table)),
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
    "A file that only the previous deployment had is missing. Pages may serve it for up to a week, and with it a page whose cursor or filter value is gone.",
  ],
};
