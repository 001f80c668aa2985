// The gaps of the function, which sees no files: only the bucket can tell that a filter value is unknown.
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { type Param, paramsOf } from "../../routing/params.ts";
import { errorFile } from "../../routing/paths.ts";
import { outputAt, type Request } from "../../routing/resolve.ts";
import type { RoutingTable, TableError } from "../../routing/table.ts";
import { isMalformed, isOf, isWellFormed, noLostPage, withPairs, wrongParam } from "../gaps.ts";
import type { Gap } from "../host.ts";

/** The file of the answer if the bucket has no file, unless it is the 404. */
const errorOfPages = (base: string): string => errorFile(base, "invalid_parameter");

/**
 * The answer if the bucket has no file for a page or for a single item. All operations share it, because an error
 * response does not depend on the path. If there are single items, it is their 404, which readers are more likely to get.
 */
export function noSuchFile(table: RoutingTable): TableError {
  const { base, operations, notFound } = table;
  if (operations.some(({ itemKeyParts }) => itemKeyParts !== undefined)) return notFound;
  const params = operations.flatMap(paramsOf).filter(({ kind }) => kind !== "limit");
  const accepted = new Set(params.map(({ error }) => error.body.message));
  const body: ErrorBody = {
    object: "error",
    status: 400,
    code: "invalid_parameter",
    message: ["There is no such page.", ...accepted].join(" "),
  };
  return { status: body.status, file: errorOfPages(base), body };
}

export const gaps: readonly Gap[] = [
  {
    requests: "an unknown filter value beside a malformed filter or cursor after it",
    happens: "the 400 names the malformed parameter",
    reason: "the function sees no files, so it only finds the second fault",
    covers: ({ request, answer, params }) => {
      const wrong = missingParam(request, answer.file, params);
      if (wrong === undefined) return false;
      return params.slice(params.indexOf(wrong) + 1).some((param) => isMalformed(request, param));
    },
    takenFor: ({ request, params }) => {
      const malformed = params.find((param) => isMalformed(request, param));
      const others = params.filter((param) => param !== malformed);
      return withPairs(request, (pairs) => pairs.filter((pair) => !others.some(({ name }) => isOf(pair, name))));
    },
  },
  {
    requests: "an unknown filter value or cursor",
    happens:
      "400 invalid_parameter, with a message that names all filters and cursors; 404 not_found if the API has single items",
    reason: "there is one error response for each status of the bucket's, whatever the request",
    covers: ({ request, answer, params }) => missingParam(request, answer.file, params) !== undefined,
    gives: ({ first }) => noSuchFile(first),
  },
  {
    requests: "a file of an output for each item that does not exist",
    happens: "the same answer as for an unknown filter value",
    reason: "there is one error response for each status of the bucket's, whatever the request",
    covers: ({ request: { method, path }, answer, table }) =>
      answer.status === 404 && method !== "OPTIONS" && outputAt(table, path) !== undefined,
    gives: ({ first }) => noSuchFile(first),
  },
  noLostPage(
    "the function has no room for the page, and to change the status of a file, it would have to run for each answer too",
  ),
];

/** The parameter with a well-formed but unknown value, if the right answer reports one. */
function missingParam(request: Request, answer: string | undefined, params: readonly Param[]): Param | undefined {
  const wrong = wrongParam(answer, params);
  return wrong !== undefined && wrong.kind !== "limit" && isWellFormed(request, wrong) ? wrong : undefined;
}
