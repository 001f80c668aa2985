// What Vercel's routes cannot do, in the order in which Vercel comes to it: a query is first read, then the routes are
// tried, then files are looked for.
import type { Request } from "../../routing/resolve.ts";
import type { Param } from "../../routing/table.ts";
import type { Gap } from "../host.ts";
import { decodeUnreserved, isOf, isWellFormed, ownParams, valuesOf, withPairs } from "../own-params.ts";

export const gaps: readonly Gap[] = [
  {
    requests: "a parameter with encoded letters or digits in its name or value",
    happens: "answered as the one it stands for",
    reason: "queries are decoded before routes are tried",
    covers: (request) => ownParams(request).length > 0 && decodeUnreserved(request.query) !== request.query,
    takenFor: (request) => ({ ...request, query: decodeUnreserved(request.query) }),
  },
  {
    requests: "a repeated parameter",
    happens: "the last one counts",
    reason: "a condition on the query looks at one value of each name",
    covers: (request) => ownParams(request).some((param) => valuesOf(request, param).length > 1),
    takenFor: (request) =>
      withPairs(
        request,
        (pair, later) =>
          !ownParams(request).some(({ name }) => isOf(pair, name) && later.some((other) => isOf(other, name))),
      ),
  },
  {
    requests: "an unknown filter value beside a cursor",
    happens: "the 400 names the cursor",
    reason: "values are known by whether their file exists, and a route can look for one file only",
    covers: (request, { file }) => {
      const filter = paramOf(request, "filter");
      const cursor = paramOf(request, "cursor");
      if (filter === undefined || cursor === undefined || file !== filter.error.file) return false;
      return isWellFormed(request, filter) && valuesOf(request, cursor).length > 0;
    },
    // Any cursor that is wrong in itself is answered with the same error.
    takenFor: (request) => ({ ...request, query: `${paramOf(request, "cursor")?.name}=` }),
  },
];

const paramOf = (request: Request, kind: Param["kind"]): Param | undefined =>
  ownParams(request).find((param) => param.kind === kind);
