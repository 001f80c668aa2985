// The gaps of Netlify's rules, in the order in which Netlify works: it parses the path and the query, tries the rules,
// and looks for the file.
import { isFilter } from "../../routing/combinations.ts";
import type { Answer, Request } from "../../routing/resolve.ts";
import type { Param, RoutingTable } from "../../routing/table.ts";
import { decodeUnreserved, pairsOf, withPairs } from "../gaps.ts";
import type { Gap } from "../host.ts";

/**
 * Values that lead out of their folder in a path: with `..` as `:region` the target would be the page of all regions.
 * Separate rules refuse them.
 */
export const unplaced: readonly string[] = ["", ".", ".."];

export const gaps: readonly Gap[] = [
  {
    requests: "methods other than GET, HEAD and OPTIONS",
    happens: "answered as GET",
    reason: "no rule can look at the method",
    covers: (_, { status }) => status === 405,
    takenFor: (request) => ({ ...request, method: "GET" }),
  },
  {
    requests: "OPTIONS",
    happens: "answered as GET; operations and documents always have the headers that let a preflight pass",
    reason: "no rule can look at the method",
    covers: ({ method }) => method === "OPTIONS",
    takenFor: (request) => ({ ...request, method: "GET" }),
  },
  {
    requests:
      "a path with a slash at its end, dot segments or encoded characters, or two slashes for one in the path of an item or of a table's page",
    happens: "answered as the normalised path",
    reason: "Netlify normalises paths before it tries rules",
    covers: ({ path }, { status }, _, table) => status === 404 && normalPath(path, table) !== path,
    takenFor: (request, _, table) => ({ ...request, path: normalPath(request.path, table) }),
  },
  {
    requests: "the path of a document without the slash at its end",
    happens: "answered as with the slash, not redirected",
    reason: "to Netlify's rules both are the same path, so a redirect would lead to itself",
    covers: (_, { status }) => status === 308,
    takenFor: (request) => ({ ...request, path: `${request.path}/` }),
  },
  {
    requests: "a query with & at its end",
    happens: "answered as if the parameter before it was not there",
    reason: "Netlify reads the query this way before it tries rules",
    covers: ({ query }) => query.endsWith("&"),
    takenFor: (request) => withPairs(request, (pairs) => pairs.slice(0, -2)),
  },
  {
    requests: "a parameter without =",
    happens: "answered as if it was not there",
    reason: "Netlify reads the query before it tries rules, and leaves out names without a value",
    covers: (request, _, params) => pairsOf(request).some((pair) => namesOf(params).includes(pair)),
    takenFor: (request) => withPairs(request, (pairs) => pairs.filter((pair) => pair.includes("="))),
  },
  {
    requests: "a repeated parameter",
    happens: "the last one counts",
    reason: "Netlify reads the query before it tries rules, and keeps one value for each name",
    covers: (request, _, params) =>
      ownPairs(request, params).some((pair, index, own) => isRepeated(pair, own.slice(index + 1))),
    takenFor: (request) =>
      withPairs(request, (pairs) => pairs.filter((pair, at) => !isRepeated(pair, pairs.slice(at + 1)))),
  },
  {
    requests: "a value with encoded letters or digits",
    happens: "answered as if it was not encoded",
    reason: "Netlify decodes values before it tries rules",
    covers: (request, _, params) =>
      ownPairs(request, params).some((pair) => decodeUnreserved(valueIn(pair)) !== valueIn(pair)),
    takenFor: (request) => withPairs(request, (pairs) => pairs.map((pair) => pair.replace(/=.*/, decodeUnreserved))),
  },
  {
    requests: "a filter or cursor that is empty, . or .., beside another wrong parameter",
    happens: "the 400 names that filter or cursor",
    reason: "its rule has to precede those with limits, or the value would change the folder in their paths",
    covers: (request, answer, params) => {
      const [first] = unplacedPairs(request, params);
      return first !== undefined && nameOf(first) !== wrongParam(answer, params)?.name && !isClash(answer, params);
    },
    takenFor: (request, params) => withPairs(request, () => unplacedPairs(request, params).slice(0, 1)),
  },
  {
    requests: "an unknown filter value or cursor",
    happens: "404 not_found instead of 400",
    reason: "rules do not know the values, and a rule that leads to no file ends in 404.html",
    covers: (request, answer, params) => {
      const wrong = wrongParam(answer, params);
      return wrong !== undefined && wrong.kind !== "limit" && unplacedPairs(request, params).length === 0;
    },
    gives: () => ({ status: 404, file: "404.html" }),
  },
];

const namesOf = (params: readonly Param[]): readonly string[] => params.map(({ name }) => name);

const nameOf = (pair: string): string => pair.replace(/=.*/, "");

const valueIn = (pair: string): string => pair.slice(pair.indexOf("=") + 1);

const ownPairs = (request: Request, params: readonly Param[]): readonly string[] =>
  pairsOf(request).filter((pair) => pair.includes("=") && namesOf(params).includes(nameOf(pair)));

const isRepeated = (pair: string, later: readonly string[]): boolean =>
  later.some((other) => nameOf(other) === nameOf(pair));

/** In the order of the parameters. Limits are excluded: they are literals in every path. */
const unplacedPairs = (request: Request, params: readonly Param[]): readonly string[] =>
  params
    .filter(({ kind }) => kind !== "limit")
    .flatMap((param) => ownPairs(request, [param]).filter((pair) => unplaced.includes(valueIn(pair))));

/** The parameter that the error reports. */
const wrongParam = ({ file }: Answer, params: readonly Param[]): Param | undefined =>
  params.find(({ error }) => error.file === file);

/** Whether the error reports filters that do not go together. */
const isClash = ({ file }: Answer, params: readonly Param[]): boolean =>
  params.some((param) => isFilter(param) && param.clash?.file === file);

function normalPath(path: string, table: RoutingTable): string {
  const decoded = decodedPath(path);
  // A rule with a placeholder in its path takes two slashes for one, but not at the start.
  const merged = decoded.replace(/(?<=[^/])\/\/(?=[^/])/g, "/");
  const holder = table.operations.find((each) => each.item !== undefined && merged.startsWith(`${each.path}/`));
  const isBelow = table.folders.some((each) => merged.startsWith(`${each.path}/`));
  return holder === undefined && !isBelow ? decoded : merged;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(new URL(path, "http://localhost").pathname).replace(/(?<=[^/]|^\/)\/$/, "");
  } catch {
    // An undecodable path stays as it is.
    return path;
  }
}
