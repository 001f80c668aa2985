import type { Gap, Request } from "../../build/hosts/host.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import type { RoutingTable } from "../../build/routing/table.ts";
import { passage } from "../../build/verify/expected.ts";

/** The gaps that change the answer to a request, in the order in which the host meets them. */
export function changingGaps(
  gaps: readonly Gap[],
  table: RoutingTable,
  exists: (file: string) => boolean,
  request: Request,
  first = table,
): readonly Gap[] {
  const fileOf = (request: Request) => settle(resolve(table, request), exists).file;
  const changing: Gap[] = [];
  let understood = request;
  for (const gap of gaps) {
    const next = passage([gap], table, exists, understood, first);
    if (next.last !== undefined) return [...changing, gap];
    if (next.understood !== understood && fileOf(next.understood) !== fileOf(understood)) changing.push(gap);
    understood = next.understood;
  }
  return changing;
}
