// What Netlify's rules cannot do, in the order in which Netlify comes to it: a path and a query are first read, then
// the rules are tried, then the file is looked for.
import type { Answer, Request } from "../../routing/resolve.ts";
import type { Gap } from "../host.ts";
import { decodeUnreserved, ownParams } from "../own-params.ts";

/**
 * Values that lead out of their place in a path, be they a folder's name: `:region` as `..` would give the pages of all
 * regions. They have rules of their own.
 */
export const unplaced: readonly string[] = ["", ".", ".."];

export const gaps: readonly Gap[] = [
  {
    requests: "methods other than GET and HEAD",
    happens: "answered as GET",
    reason: "no rule can look at the method",
    covers: (_, { status }) => status === 405,
    takenFor: (request) => ({ ...request, method: "GET" }),
  },
  {
    requests: "a path with a slash at its end, dot segments or encoded characters",
    happens: "answered as the path it stands for",
    reason: "paths are normalised before rules are tried",
    covers: ({ path }) => normalPath(path) !== path,
    takenFor: (request) => ({ ...request, path: normalPath(request.path) }),
  },
  {
    requests: "a query with & at its end",
    happens: "answered as if the parameter before it was not there",
    reason: "the query is read so before rules are tried",
    covers: ({ query }) => query.endsWith("&"),
    takenFor: (request) => withPairs(request, (pairs) => pairs.slice(0, -2)),
  },
  {
    requests: "a parameter without =",
    happens: "answered as if it was not there",
    reason: "the query is read before rules are tried, and names without a value are left out",
    covers: (request) => pairsOf(request).some((pair) => ownNames(request).includes(pair)),
    takenFor: (request) => withPairs(request, (pairs) => pairs.filter((pair) => pair.includes("="))),
  },
  {
    requests: "a repeated parameter",
    happens: "the last one counts",
    reason: "the query is read before rules are tried, and each name holds one value",
    covers: (request) => ownPairs(request).some((pair, index, own) => isRepeated(pair, own.slice(index + 1))),
    takenFor: (request) =>
      withPairs(request, (pairs) => pairs.filter((pair, at) => !isRepeated(pair, pairs.slice(at + 1)))),
  },
  {
    requests: "a value with encoded letters or digits",
    happens: "answered as the value it stands for",
    reason: "values are decoded before rules are tried",
    covers: (request) => ownPairs(request).some((pair) => decodeUnreserved(valueIn(pair)) !== valueIn(pair)),
    takenFor: (request) => withPairs(request, (pairs) => pairs.map((pair) => pair.replace(/=.*/, decodeUnreserved))),
  },
  {
    requests: "an empty filter or cursor, or one of . and .., beside another wrong parameter",
    happens: "the 400 names the former",
    reason: "its rule has to come before those with limits, lest it takes the place of a folder in a path",
    covers: (request, answer) => {
      const [first] = unplacedPairs(request);
      return first !== undefined && nameOf(first) !== paramOf(answer);
    },
    takenFor: (request) => withPairs(request, () => unplacedPairs(request).slice(0, 1)),
  },
  {
    requests: "an unknown filter value or cursor",
    happens: "404 not_found instead of 400",
    reason: "rules are made before the values are known, and a rule that leads to no file ends in 404.html",
    covers: (request, answer) =>
      answer.status === 400 && paramOf(answer) !== "limit" && unplacedPairs(request).length === 0,
    gives: { status: 404, file: "404.html" },
  },
];

/** The names of the operation's own parameters, in the order in which they are checked. */
const ownNames = (request: Request): readonly string[] => ownParams(request).map(({ name }) => name);

const pairsOf = ({ query }: Request): readonly string[] => query.split("&");

const nameOf = (pair: string): string => pair.replace(/=.*/, "");

const valueIn = (pair: string): string => pair.slice(pair.indexOf("=") + 1);

const ownPairs = (request: Request): readonly string[] =>
  pairsOf(request).filter((pair) => pair.includes("=") && ownNames(request).includes(nameOf(pair)));

const isRepeated = (pair: string, later: readonly string[]): boolean =>
  later.some((other) => nameOf(other) === nameOf(pair));

/** In the order of the parameters. A limit is a literal in every path, so it is none of them. */
const unplacedPairs = (request: Request): readonly string[] =>
  ownNames(request).flatMap((param) =>
    ownPairs(request).filter((pair) => param !== "limit" && nameOf(pair) === param && unplaced.includes(valueIn(pair))),
  );

const withPairs = (request: Request, change: (pairs: readonly string[]) => readonly string[]): Request => ({
  ...request,
  query: change(pairsOf(request)).join("&"),
});

/** The parameter that an error is about. */
const paramOf = ({ file }: Answer): string | undefined => /invalid_([^/]+)\.json$/.exec(file)?.[1];

function normalPath(path: string): string {
  try {
    return decodeURIComponent(new URL(path, "http://localhost").pathname).replace(/(?<=[^/])\/$/, "");
  } catch {
    // It cannot be read, so it stands for no other.
    return path;
  }
}
