// Vercel: a list of routes, in vercel.json for `vercel deploy dist`, and in config.json beside the publish root for sites
// that Vercel builds (Build Output API).
//
// Relied on: routes after `handle: filesystem` are tried in order if no file has the request's path; `has` and
// `missing` are conditions on the decoded query, and the named groups of a value can be used in `dest`; after a route
// with `check` whose `dest` is no file come the routes after the handle, with `dest` as the path; a route with `status`
// answers with the file of its `dest`, and without a `dest` with no body; vercel.json is not published.
// https://vercel.com/docs/build-output-api/configuration https://vercel.com/docs/project-configuration/vercel-json
import { textFile } from "../../files/file.ts";
import { isItemPath, outputAt } from "../../routing/resolve.ts";
import { decodeUnreserved, isMalformed, isWellFormed, lastPairs, paramValues } from "../gaps.ts";
import { type HostAdapter, limitOf, type Publishing } from "../host.ts";
import { jsonText } from "../syntax.ts";
import { routes } from "./print.ts";

/** A fixed version, because the program gets the secrets. */
const vercelCli = "npx --yes --ignore-scripts vercel@64.0.2";

const project = { $schema: "https://openapi.vercel.sh/vercel.json", framework: null };

/** In a repository that is connected to Vercel, which then builds each push. */
const building = {
  ...project,
  buildCommand:
    "npm run build -- --out .vercel/output/static && cp .vercel/output/static.hosts/vercel/config.json .vercel/output/",
};

/** In the publish root, which is deployed as it is. */
const deploying = { ...project, buildCommand: null, outputDirectory: "." };

const publishing: Publishing = {
  title: "Vercel",
  files: { "vercel.json": jsonText(building) },
  secrets: {
    VERCEL_TOKEN: "an access token",
    VERCEL_ORG_ID: "the team's id",
    VERCEL_PROJECT_ID: "the project's id, both as in `.vercel/project.json` after `npx vercel link`",
  },
  run: () => [`${vercelCli} deploy dist --prod --yes --token "$VERCEL_TOKEN"`],
  setUp: () =>
    "Create a project on Vercel. Or connect the repository there and delete the job `publish` of the workflow: Vercel then " +
    "builds each push as `vercel.json` says.",
};

const limitsPage = "https://vercel.com/docs/limits";

export const vercel: HostAdapter = {
  name: "vercel",
  publishing,
  reads: ["vercel.json", "now.json", ".vercelignore", "package.json"],
  generates: ["vercel.json"],
  files: (tables) => [textFile("vercel.json", jsonText({ ...deploying, routes: routes(tables) }))],
  configuration: (tables) => [textFile("config.json", jsonText({ version: 3, routes: routes(tables) }))],
  limits: [
    limitOf("bytes in all", { max: 100_000_000, plan: "Hobby", source: limitsPage }),
    limitOf("bytes in all", { max: 1_000_000_000, plan: "Pro", source: limitsPage }),
    { what: "routes", max: 2048, source: limitsPage, used: ({ tables }) => ({ amount: routes(tables).length }) },
  ],
  // In the order in which Vercel works: it parses the query, tries the routes, and looks for files.
  gaps: [
    {
      requests: "a repeated parameter, or encoded letters or digits in a parameter's name or value",
      happens: "answered with the last value, and as if it were not encoded",
      reason: "Vercel decodes queries before it tries routes, whose conditions test one value of each name",
      covers: ({ request: { query }, params }) => params.length > 0 && normalQuery(query) !== query,
      takenFor: ({ request }) => ({ ...request, query: normalQuery(request.query) }),
    },
    {
      requests: "an unknown filter value, cursor or item of a deprecated list",
      happens: "the error has the headers Deprecation and Sunset, as the page would have",
      reason: "a route cannot remove a header that the route of the page has set",
      covers: ({ request, answer: { file }, params, table: { operations, notFound } }) => {
        const sent = params.filter((param) => paramValues(request, param).length > 0);
        const isUnknown =
          sent.some(({ error }) => error.file === file) && sent.every((param) => isWellFormed(request, param));
        const operation = operations.find((candidate) =>
          isUnknown ? candidate.path === request.path : file === notFound.file && isItemPath(candidate, request.path),
        );
        return operation?.headers !== undefined;
      },
    },
    {
      requests: "an SVG beside the data that does not exist",
      happens: "the error has the header Content-Security-Policy, as the file would have",
      reason: "a route cannot remove a header that the route of the file has set",
      covers: ({ request: { path, method }, answer: { status }, table }) =>
        status === 404 && method !== "OPTIONS" && outputAt(table, path)?.headers !== undefined,
    },
    {
      requests: "an unknown filter value beside a filter or cursor after it",
      happens: "the 400 names the later parameter",
      reason: "a value is known if its file exists, and a route can only look for one file",
      covers: ({ request, answer: { file }, params }) => {
        const wrong = params.findIndex(({ error }) => error.file === file);
        const param = params[wrong];
        if (param?.kind !== "filter" || !isWellFormed(request, param)) return false;
        return params.slice(wrong + 1).some((later) => paramValues(request, later).length > 0);
      },
      // An empty value gets the same error.
      takenFor: ({ request, params }) => {
        const malformed = params.find((param) => isMalformed(request, param));
        const wrong = malformed ?? params.findLast((param) => paramValues(request, param).length > 0);
        return { ...request, query: `${wrong?.name}=` };
      },
    },
  ],
  unproven: [
    "A path is matched as sent: not decoded, and with its dot segments and double slashes.",
    "A condition without a value holds also for a parameter that is empty or has no =.",
    "Of a repeated parameter the last one counts, as in Next.js.",
    "Of two routes that set the same header the later one counts.",
    "Content-Type is set by the route and not by the file's name.",
    "A route with the status 204 or 308 and without a `dest` is answered with its headers and no page of Vercel's.",
    "A route before the filesystem whose `dest` is a file is answered with that file, whatever the file's extension.",
  ],
};

const normalQuery = (query: string): string => lastPairs(decodeUnreserved(query).split("&")).join("&");
