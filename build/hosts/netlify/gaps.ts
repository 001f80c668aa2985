// The gaps of Netlify's rules, in the order in which Netlify works: it parses the path and the query, tries the rules,
// and looks for the file.
import type { Param } from "../../routing/params.ts";
import { missingAt, outputAt, type Request } from "../../routing/resolve.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { decodeUnreserved, lastPairs, paramValues, wrongParam } from "../gaps.ts";
import type { Gap } from "../host.ts";
import { literal } from "../syntax.ts";
import { otherNames } from "../view.ts";

/**
 * Values that lead out of their folder in a path: with `..` as `:region` the target would be the page of all regions.
 * Separate rules refuse them.
 */
export const unplaced: readonly string[] = ["", ".", ".."];

export const gaps: readonly Gap[] = [
  {
    requests: "methods other than GET and HEAD",
    happens: "answered as GET; operations and documents always have the headers that let a preflight pass",
    reason: "rules cannot test the method",
    covers: ({ request: { method } }) => method !== "GET" && method !== "HEAD",
    takenFor: ({ request }) => ({ ...request, method: "GET" }),
  },
  {
    requests:
      "a path with a trailing slash, dot segments or encoded characters, or a double slash in the path of an item",
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
    requests: "a path below the reference or outside of the API that is none, such as one with a wrong percent sign",
    happens: "404 with the JSON body of not_found, not with the page for people",
    reason: "a path that no rule can have ends in 404.html",
    covers: ({ request: { path }, answer, table }) =>
      answer.status === 404 && answer.file === table.lost?.file && decodedPath(path) === undefined,
    gives: () => ({ status: 404, file: "404.html" }),
  },
];

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
  [`${path}.html`, `${path}/index.html`].find(
    (candidate) =>
      table.documents.some((document) => document.path === candidate) || outputAt(table, candidate) !== undefined,
  );

function normalPath(path: string, table: RoutingTable): string {
  const decoded = decodedPath(path) ?? path;
  // A rule with a placeholder in its path takes two slashes for one, but not at the start.
  const merged = decoded.replace(/(?<=[^/])\/\/(?=[^/])/g, "/");
  const withItems = table.operations.filter(({ itemKeyParts }) => itemKeyParts !== undefined);
  return withItems.some((operation) => merged.startsWith(`${operation.path}/`)) ? merged : decoded;
}

/** Undefined for a path that is no address or that has a wrong percent sign. */
function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(new URL(path, "http://localhost").pathname).replace(/(?<=[^/]|^\/)\/$/, "");
  } catch {
    return undefined;
  }
}
