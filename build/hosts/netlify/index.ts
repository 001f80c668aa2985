// Netlify: `_redirects` maps path and query to files, `_headers` sets the headers.
//
// Relied on: the first matching rule wins, top to bottom; a rule matches if the request has all of its query
// parameters, in any order and with any others; a placeholder takes any value and inserts it into the target
// percent-encoded, including slashes; a rewrite to a missing file ends in 404.html and reaches no later rule.
// https://docs.netlify.com/routing/redirects/ https://docs.netlify.com/routing/redirects/redirect-options/
// https://docs.netlify.com/routing/headers/
import { asset } from "../../files/asset.ts";
import { textFile } from "../../files/file.ts";
import { type HostAdapter, type HostProgram, limitOf, type ProgramSite, type Publishing } from "../host.ts";
import { text } from "../syntax.ts";
import { headingOf } from "../view.ts";
import { gaps } from "./gaps.ts";
import { headers, rules } from "./print.ts";

/** A fixed version, because the program gets the secrets. */
const netlifyCli = "netlify-cli@26.2.0";

const publishing: Publishing = {
  title: "Netlify",
  get files() {
    return { "netlify.toml": asset("hosts/netlify/netlify.toml") };
  },
  secrets: { NETLIFY_AUTH_TOKEN: "a personal access token", NETLIFY_SITE_ID: "the site's id" },
  run: () => [`npx --yes --ignore-scripts ${netlifyCli} deploy --prod --no-build --dir dist --message "$GITHUB_SHA"`],
  setUp: () =>
    "Create a site on Netlify. Or connect the repository there and delete the job `publish` of the workflow: Netlify then " +
    "builds each push as `netlify.toml` says.",
};

/**
 * `netlify dev`, Netlify's imitation of its servers, without edge functions, which would download Deno. It has no option
 * to listen on 127.0.0.1 alone. `folders` returns the options that name the folders to serve. A second server takes port
 * 3999 if it is free.
 * https://docs.netlify.com/cli/get-started/#run-a-local-development-environment
 */
export const netlifyDev = (folders: (site: ProgramSite) => readonly string[]): HostProgram => ({
  command: "netlify",
  install: `npm install --save-dev ${netlifyCli}`,
  differs:
    "netlify dev listens on all addresses of this machine, answers a 400 with a page that redirects to the error, and sends another Cache-Control",
  run: (site) => ({
    files: [],
    args: [
      "dev",
      ...folders(site),
      "--port",
      String(site.port),
      "--offline",
      "--no-open",
      "--skip-gitignore",
      "--internal-disable-edge-functions",
    ],
    env: {
      HOME: site.folder,
      TMPDIR: site.folder,
      NETLIFY_TELEMETRY_DISABLED: "1",
      NO_UPDATE_NOTIFIER: "1",
      BROWSER: "none",
      CI: "1",
    },
  }),
});

export const netlify: HostAdapter = {
  name: "netlify",
  publishing,
  reads: ["_redirects", "_headers", "netlify.toml", "404.html"],
  generates: ["_redirects", "_headers"],
  files(tables) {
    const heading = `# ${headingOf(tables)}`;
    return [
      textFile("_redirects", text(heading, ...rules(tables))),
      textFile("_headers", text(heading, ...headers(tables))),
    ];
  },
  limits: [
    limitOf("files in one folder", { max: 54_000, source: "https://docs.netlify.com/site-deploys/overview/" }),
    {
      what: "rules",
      // Beyond this number, Netlify recommends other means, and a deployment may fail.
      max: 10_000,
      source: "https://docs.netlify.com/manage/routing/redirects/overview/",
      used: ({ tables }) => ({ amount: rules(tables).length }),
    },
  ],
  program: netlifyDev(({ publishRoot, folder }) => ["--cwd", folder, "--dir", publishRoot, "--framework", "#static"]),
  gaps,
  unproven: [
    "A rule matches although the request has parameters that the rule does not name.",
    "A rule with the status 400 is answered with its target and this status, like a rule with 404.",
    "A rewrite to a file that does not exist is answered with 404.html.",
    "A placeholder in the path of a rule matches one part of a path, also if the rule has query parameters.",
    "The gaps are those of Netlify's tools; its servers may treat unusual paths, queries and methods differently.",
    "Headers are set by the path of the file or by the path of the request; if by the request's, an error at an operation's path has the Cache-Control of the operation.",
    "Of two blocks of _headers that set the same header the later one counts; only what is deprecated, and outputs whose paths have one form, have two.",
    "An asterisk within a part of a path in _headers stands for the rest of that part.",
    "A file has the headers of its path, however a request spells it: an SVG beside the data never lacks its Content-Security-Policy.",
    "OPTIONS is answered as GET, with a status that browsers accept for a preflight (200 to 299) and the headers set here.",
    "The path of a file that ends in .html is answered with the file, and not redirected to a path without it.",
    "The path of a folder, with or without a trailing slash, is answered with the folder's index.html.",
  ],
};
