// What the function cannot do, for it sees no files: an unknown filter value is found out by the bucket only.
import type { ApiError } from "../../../src/errors.ts";
import { errorFile } from "../../routing/paths.ts";
import type { Request } from "../../routing/resolve.ts";
import type { Param, RoutingTable } from "../../routing/table.ts";
import type { Gap } from "../host.ts";
import { isOf, isWellFormed, ownParams, valuesOf, withPairs } from "../own-params.ts";

/** The answer where the bucket has no such file: one for all operations, for an error response knows no paths. */
export const noSuchPage = {
  status: 400,
  file: errorFile("invalid_parameter"),
  body: ({ operations }: RoutingTable): ApiError => {
    const params = operations.flatMap((operation) => operation.params.filter(({ kind }) => kind !== "limit"));
    const accepted = new Set(params.map(({ error }) => error.body.message));
    return {
      object: "error",
      status: 400,
      code: "invalid_parameter",
      message: ["There is no such page.", ...accepted].join(" "),
    };
  },
} as const;

export const gaps: readonly Gap[] = [
  {
    requests: "an unknown filter value beside a cursor that is no cursor by its form",
    happens: "the 400 names the cursor",
    reason: "the function sees no files, so it finds the second fault only",
    covers: (request, { file }) => isMissing(request, file, "filter") && !isRightOrAbsent(request, "cursor"),
    takenFor: (request) => withPairs(request, (pair) => !isOf(pair, paramOf(request, "filter")?.name ?? "")),
  },
  {
    requests: "an unknown filter value or cursor",
    happens: "400 invalid_parameter, with a message that names all filters and cursors",
    reason: "for each status of the bucket's there is one error response, whatever was asked",
    covers: (request, { file }) => isMissing(request, file, "filter") || isMissing(request, file, "cursor"),
    gives: noSuchPage,
  },
];

const paramOf = (request: Request, kind: Param["kind"]): Param | undefined =>
  ownParams(request).find((param) => param.kind === kind);

/** Whether the right answer is that a value is wrong which is right by its form. */
function isMissing(request: Request, answer: string, kind: Param["kind"]): boolean {
  const param = paramOf(request, kind);
  return param !== undefined && param.error.file === answer && isWellFormed(request, param);
}

function isRightOrAbsent(request: Request, kind: Param["kind"]): boolean {
  const param = paramOf(request, kind);
  return param === undefined || valuesOf(request, param).length === 0 || isWellFormed(request, param);
}
