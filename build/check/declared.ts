// The expected answer of a host: the answer of the contract, or the answer that the declared gaps of the host state.
import type { Gap, Request } from "../hosts/host.ts";
import { type Answer, resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { Contract, Expected } from "./expected.ts";

export interface Declarations {
  readonly contract: Contract;
  readonly table: RoutingTable;
  readonly gaps: readonly Gap[];
  /** Whether the publish root has a page. */
  readonly exists: (file: string) => boolean;
  /** The text of a file that a gap answers with. */
  readonly textOf: (file: string) => Expected["body"];
}

export interface Declared {
  readonly expected: Expected;
  /** The gaps that change the answer. */
  readonly through: readonly Gap[];
  /** Whether the last gap only states that the answer differs from the answer of the contract. */
  readonly loose: boolean;
}

export function declaredAnswer({ contract, table, gaps, exists, textOf }: Declarations, request: Request): Declared {
  const { taken, through, last } = passage(gaps, table, exists, request);
  if (last === undefined) return { expected: contract(taken), through, loose: false };
  if (last.gives === undefined) return { expected: contract(taken), through, loose: true };
  const { status, file } = last.gives(table);
  return { expected: given(table, status, textOf(file)), through, loose: false };
}

/** The answer that a gap states. It has the headers of an error. */
function given(table: RoutingTable, status: number, body: Expected["body"]): Expected {
  const headers = Object.entries({ ...table.headers, "Cache-Control": table.errorCacheControl });
  return { status, body, headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])) };
}

/** The way of a request through the gaps of a host. */
export interface Passage {
  /** The request as the host understands it. */
  readonly taken: Request;
  /** The gaps that change the answer, in the order in which the host meets them. */
  readonly through: readonly Gap[];
  /** The gap that determines the answer. Undefined if the host only treats the request like another request. */
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
    if (!gap.covers(taken, answer, params, table)) continue;
    if (gap.takenFor === undefined) return { taken, through: [...through, gap], last: gap };
    taken = gap.takenFor(taken, params, table);
    const next = answerTo(taken);
    if (next.file !== answer.file) through.push(gap);
    answer = next;
  }
  return { taken, through, last: undefined };
}
