// The gaps of Vercel's routes, in the order in which Vercel works: it parses the query, tries the routes, and looks for
// files.
import type { Gap } from "../host.ts";
import { decodeUnreserved, isMalformed, isOf, isWellFormed, paramValues, withPairs } from "../own-params.ts";

export const gaps: readonly Gap[] = [
  {
    requests: "a parameter with encoded letters or digits in its name or value",
    happens: "answered as if it was not encoded",
    reason: "Vercel decodes queries before it tries routes",
    covers: ({ query }, _, params) => params.length > 0 && decodeUnreserved(query) !== query,
    takenFor: (request) => ({ ...request, query: decodeUnreserved(request.query) }),
  },
  {
    requests: "a repeated parameter",
    happens: "the last one counts",
    reason: "a condition on the query looks at one value of each name",
    covers: (request, _, params) => params.some((param) => paramValues(request, param).length > 1),
    takenFor: (request, params) =>
      withPairs(
        request,
        (pair, later) => !params.some(({ name }) => isOf(pair, name) && later.some((other) => isOf(other, name))),
      ),
  },
  {
    requests: "an unknown filter value beside a filter or cursor after it",
    happens: "the 400 names the later parameter",
    reason: "a value is known by whether its file exists, and a route can look for one file only",
    covers: (request, { file }, params) => {
      const wrong = params.findIndex(({ error }) => error.file === file);
      const param = params[wrong];
      if (param?.kind !== "filter" || !isWellFormed(request, param)) return false;
      return params.slice(wrong + 1).some((later) => paramValues(request, later).length > 0);
    },
    // An empty value gets the same error.
    takenFor: (request, params) => {
      const malformed = params.find((param) => isMalformed(request, param));
      const named = malformed ?? params.findLast((param) => paramValues(request, param).length > 0);
      return { ...request, query: `${named?.name}=` };
    },
  },
];
