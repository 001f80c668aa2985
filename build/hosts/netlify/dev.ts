// `netlify dev`, Netlify's imitation of its servers, restricted to this machine: without edge functions, which would
// download Deno, and listening on 127.0.0.1, for which it has no option.
// https://docs.netlify.com/cli/get-started/#run-a-local-development-environment
import { textFile } from "../../file.ts";
import type { HostProgram, Site } from "../host.ts";

const loopback = `
const { Server } = require("node:net");
const listen = Server.prototype.listen;
Server.prototype.listen = function (first, ...rest) {
  if (Object(first).port !== undefined) return listen.call(this, { host: "127.0.0.1", ...first }, ...rest);
  if (typeof first === "number" && typeof rest[0] !== "string") return listen.call(this, first, "127.0.0.1", ...rest);
  return listen.call(this, first, ...rest);
};
`;

/** `folders` returns the options that name the folders to serve. A second server takes port 3999 if it is free. */
export const netlifyDev = (folders: (site: Site) => readonly string[]): HostProgram => ({
  command: "netlify",
  install: "npm install --save-dev netlify-cli@26.2.0",
  differs: "netlify dev answers a 400 with a page that redirects to the error, and sends another Cache-Control",
  run: (site) => ({
    files: [textFile("loopback.cjs", loopback)],
    args: [
      ...["dev", ...folders(site), "--port", String(site.port), "--offline", "--no-open"],
      ...["--skip-gitignore", "--internal-disable-edge-functions"],
    ],
    env: {
      NODE_OPTIONS: `--require ${JSON.stringify(`${site.folder}/loopback.cjs`)}`,
      HOME: site.folder,
      TMPDIR: site.folder,
      NETLIFY_TELEMETRY_DISABLED: "1",
      NO_UPDATE_NOTIFIER: "1",
      BROWSER: "none",
      CI: "1",
    },
  }),
});
