// Netlify: `_redirects` maps path and query to files, `_headers` sets the headers.
//
// Relied on: the first matching rule wins, top to bottom; a rule matches if the request has all of its query
// parameters, in any order and with any others; a placeholder takes any value and inserts it into the target
// percent-encoded, including slashes; a rewrite to a missing file ends in 404.html and reaches no later rule.
// https://docs.netlify.com/routing/redirects/ https://docs.netlify.com/routing/redirects/redirect-options/
// https://docs.netlify.com/routing/headers/
import { asset } from "../../files/asset.ts";
import { textFile } from "../../files/file.ts";
import type { Param } from "../../routing/params.ts";
import { fileOfOutput, missingAt, outputAt, type Request } from "../../routing/resolve.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { decodeUnreserved, lastPairs, paramValues, wrongParam } from "../gaps.ts";
import { type Gap, type HostAdapter, type HostProgram, limitOf, type ProgramSite, type Publishing } from "../host.ts";
import { literal, text } from "../syntax.ts";
import { headingOf, otherNames } from "../view.ts";
import { headers, rules, unplaced } from "./print.ts";

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

// In the order in which Netlify works: it parses the path and the query, tries the rules, and looks for the file.
const gaps: readonly Gap[] = [
  {
    requests: "methods other than GET and HEAD",
    happens: "answered as GET; operations and documents always have the headers of a preflight",
    reason: "rules cannot test the method",
    covers: ({ request: { method } }) => method !== "GET" && method !== "HEAD",
    takenFor: ({ request }) => ({ ...request, method: "GET" }),
  },
  {
    requests:
      "a path with a trailing slash, dot segments or encoded characters, or a double slash in the path of an item or of an output below it",
    happens: "answered as the normalised path",
    reason: "Netlify normalises paths before it tries rules",
    covers: ({ request: { path }, answer, table }) => answer.status === 404 && normalPath(path, table) !== path,
    takenFor: ({ request, table }) => ({ ...request, path: normalPath(request.path, table) }),
  },
  {
    requests: "the path of an output without the .html or index.html at its end",
    happens: "answered as with it",
    reason: "Netlify finds the file before it tries rules",
    covers: ({ request: { path }, answer, table }) => answer.status === 404 && htmlPath(path, table) !== undefined,
    takenFor: ({ request, table }) => ({ ...request, path: htmlPath(request.path, table) ?? request.path }),
  },
  {
    requests: "the path of a document without its trailing slash",
    happens: "answered as with the slash, not redirected",
    reason: "to Netlify's rules both are the same path, so a redirect would lead to itself",
    covers: ({ answer }) => answer.status === 308,
    takenFor: ({ request }) => ({ ...request, path: `${request.path}/` }),
  },
  {
    requests: "a query with & at its end, a parameter without =, a repeated one, or one with encoded letters or digits",
    happens:
      "answered without the parameter before the &, without the one that has no =, with the last value, or with the decoded value",
    reason: "Netlify reads the query this way before it tries rules",
    covers: ({ request: { query }, params }) => params.length > 0 && normalQuery(query) !== query,
    takenFor: ({ request }) => ({ ...request, query: normalQuery(request.query) }),
  },
  {
    requests: "a filter or cursor that is empty, . or .., beside another wrong parameter",
    happens: "the 400 names that filter or cursor",
    reason: "its rule has to precede those with limits, or the value would change the folder in their paths",
    covers: ({ request, answer, params }) => {
      const [first] = unplacedIn(request, params);
      const wrong = wrongParam(answer.file, params);
      return first !== undefined && wrong !== undefined && first !== wrong;
    },
    takenFor: ({ request, params }) => ({ ...request, query: `${unplacedIn(request, params)[0]?.name}=` }),
  },
  {
    requests: "an unknown filter value or cursor",
    happens: "404 not_found instead of 400",
    reason: "rules do not know the values, and a rule that leads to no file ends in 404.html",
    covers: ({ request, answer, params }) => {
      const wrong = wrongParam(answer.file, params);
      return wrong !== undefined && wrong.kind !== "limit" && unplacedIn(request, params).length === 0;
    },
    gives: () => ({ status: 404, file: "404.html" }),
  },
  {
    requests: "an unknown key of another API than the first of a build, and a path with a wrong percent sign",
    happens: "404 with the body and the links of the first API, which names all of them",
    reason: "a rule that leads to no file ends in the only error page",
    isOfSeveral: true,
    covers: ({ request: { path }, answer, table, first }) =>
      answer.status === 404 && table !== first && (isPlaced(path, table) || decodedPath(path) === undefined),
    gives: ({ first }) => first.notFound,
  },
  {
    requests: "a path that does not exist outside the base of another API than the first of a build",
    happens: "404 as the first API answers it, with the links of either",
    reason: "rules cannot match the forms of these paths, so the rule for the rest of the site answers them",
    isOfSeveral: true,
    covers: ({ request: { path }, answer, table, first }) =>
      answer.status === 404 && table !== first && !path.startsWith(`${table.base}/`),
    gives: ({ request: { path }, first }) => missingAt(first, path),
  },
  {
    requests: "an output below the items of a deprecated list",
    happens: "answered with the headers Deprecation, Sunset and Link of the list",
    reason: "a block of headers is for all paths below the list, and no block removes a header",
    covers: ({ request: { path }, answer: { status }, table }) =>
      status === 200 &&
      outputAt(table, path) !== undefined &&
      table.operations.some((list) => list.headers !== undefined && path.startsWith(`${list.path}/`)),
  },
  {
    requests: "a path below the reference or outside of the API that is none, such as one with a wrong percent sign",
    happens: "404 with the JSON body of not_found, not with the page for people",
    reason: "a path that no rule can have ends in 404.html",
    covers: ({ request: { path }, answer, table }) =>
      answer.status === 404 && answer.file === table.lost?.file && decodedPath(path) === undefined,
    gives: () => ({ status: 404, file: "404.html" }),
  },
];

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
    "Of two blocks of _headers that set the same header the later one counts; only what is deprecated, outputs whose paths have one form, and those below items have two.",
    "An asterisk within a part of a path in _headers stands for the rest of that part.",
    "A file has the headers of its path, however a request spells it: an SVG beside the data never lacks its Content-Security-Policy.",
    "OPTIONS is answered as GET, with a status that browsers accept for a preflight (200 to 299) and the headers set here.",
    "The path of a file that ends in .html is answered with the file, and not redirected to a path without it.",
    "The path of a folder, with or without a trailing slash, is answered with the folder's index.html.",
  ],
};

/** Whether the path is one of a rule with placeholders. */
const isPlaced = (path: string, table: RoutingTable): boolean =>
  otherNames(table).some(([rule]) =>
    new RegExp(
      `^${rule
        .split(/:key_[a-z]/)
        .map(literal)
        .join("[^/]+")}$`,
    ).test(path),
  );

function normalQuery(query: string): string {
  const pairs = query.split("&");
  const read = (query.endsWith("&") ? pairs.slice(0, -2) : pairs).filter((pair) => pair.includes("="));
  return lastPairs(read.map((pair) => pair.replace(/=.*/, decodeUnreserved))).join("&");
}

/** In the order of the parameters. Limits are excluded: they are literals in every path. */
const unplacedIn = (request: Request, params: readonly Param[]): readonly Param[] =>
  params.filter(
    (param) => param.kind !== "limit" && paramValues(request, param).some((value) => unplaced.includes(value)),
  );

/** The path of an output to which Netlify adds the ending. */
const htmlPath = (path: string, table: RoutingTable): string | undefined =>
  [`${path}.html`, `${path}/index.html`].find((candidate) => {
    const output = outputAt(table, candidate);
    const isOutput = output !== undefined && `/${fileOfOutput(output, candidate)}` === candidate;
    return isOutput || table.documents.some((document) => document.path === candidate);
  });

function normalPath(path: string, table: RoutingTable): string {
  const decoded = decodedPath(path) ?? path;
  // A rule with a placeholder in its path takes two slashes for one, but not at the start.
  const merged = decoded.replace(/(?<=[^/])\/\/(?=[^/])/g, "/");
  const starts = otherNames(table).flatMap(([rule]) => (rule.includes(":") ? rule.replace(/:.*/, "") : []));
  return starts.some((start) => merged.startsWith(start)) ? merged : decoded;
}

/** Undefined for a path that is no address or that has a wrong percent sign. */
function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(new URL(path, "http://localhost").pathname).replace(/(?<=[^/]|^\/)\/$/, "");
  } catch {
    return undefined;
  }
}
