// Maps the value of a parameter to a part of a page's path. This is the only place that decides it: resolve calls it
// for each request, and the hosts' configurations are generated from its answers.
import { maxLimit, sizeFor } from "../../src/paging.ts";
import { limitPart, pathPart } from "./paths.ts";
import type { Param, TableOperation } from "./table.ts";

/** The part of the path for a value; undefined if the value is not accepted. */
export function partOf(param: Param, value: string): string | undefined {
  if (param.kind !== "limit") return new RegExp(param.form).test(value) ? pathPart(param.name, value) : undefined;
  const limit = /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit ? Number(value) : 0;
  const size = sizeFor(limit, param.sizes);
  return size === undefined ? undefined : limitPart(size);
}

/** The file of a page, from the parts of its path by slot. */
export const fileOfParts = ({ path, pathOrder }: TableOperation, parts: ReadonlyMap<string, string>): string =>
  `${path.slice(1)}${pathOrder.map((slot) => parts.get(slot) ?? "").join("")}.json`;

/** The parameters of an operation in the order of their parts in a path. */
export const inPathOrder = ({ params, pathOrder }: TableOperation): readonly Param[] =>
  pathOrder.flatMap((slot) => params.filter((param) => param.slot === slot));
