import type { Gap } from "../hosts/host.ts";
import { type Answer, type Request, resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";

/** What a host's gaps make of a request. */
export interface Passage {
  /** The request as the host takes it. */
  readonly taken: Request;
  /** The gaps that make the answer another than the contract's, in the order in which the host comes to them. */
  readonly through: readonly Gap[];
  /** The last of them, where the host does not answer as it would to any request. */
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
    if (!gap.covers(taken, answer)) continue;
    if (gap.takenFor === undefined) return { taken, through: [...through, gap], last: gap };
    taken = gap.takenFor(taken);
    const next = answerTo(taken);
    if (next.file !== answer.file) through.push(gap);
    answer = next;
  }
  return { taken, through, last: undefined };
}
