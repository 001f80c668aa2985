import type { Gap, Request } from "../hosts/host.ts";
import { type Answer, resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";

/** A request's way through a host's gaps. */
export interface Passage {
  /** The request as the host understands it. */
  readonly taken: Request;
  /** The gaps that change the answer, in the order in which the host meets them. */
  readonly through: readonly Gap[];
  /** The last of them, where the host does not answer as it would another request. */
  readonly last: Gap | undefined;
}

export function passage(
  gaps: readonly Gap[],
  table: RoutingTable,
  exists: (file: string) => boolean,
  request: Request,
): Passage {
  const answerTo = (each: Request): Answer => settle(resolve(table, each), exists);
  const through: Gap[] = [];
  let taken = request;
  let answer = answerTo(taken);
  for (const gap of gaps) {
    const { path } = taken;
    const params = table.operations.find((operation) => operation.path === path)?.params ?? [];
    if (!gap.covers(taken, answer, params)) continue;
    if (gap.takenFor === undefined) return { taken, through: [...through, gap], last: gap };
    taken = gap.takenFor(taken, params);
    const next = answerTo(taken);
    if (next.file !== answer.file) through.push(gap);
    answer = next;
  }
  return { taken, through, last: undefined };
}
