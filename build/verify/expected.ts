// The answer to expect of a host: the one that the build's table and files mean, or the one that the declared gaps of the
// host state.
import type { Gap, Request } from "../hosts/host.ts";
import type { BuildFolder } from "../published/build.ts";
import { paramsOf } from "../routing/params.ts";
import { resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";

export interface Expected {
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: any body. */
  readonly body: Buffer | undefined;
}

/** Undefined if the host answers in a way of its own, which no gap states. */
export async function expectedAnswer(
  table: RoutingTable,
  { has, read }: Pick<BuildFolder, "has" | "read">,
  gaps: readonly Gap[],
  request: Request,
): Promise<Expected | undefined> {
  const { taken, last } = passage(gaps, table, has, request);
  if (last !== undefined && last.gives === undefined) return undefined;
  const { status, file, headers } = last?.gives
    ? { ...last.gives(table), headers: { ...table.headers, "Cache-Control": table.errorCacheControl } }
    : settle(resolve(table, taken), has);
  const isBodiless = status === 204 || request.method === "HEAD";
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: isBodiless ? Buffer.of() : file === undefined ? undefined : await read(file),
  };
}

/** The way of a request through the gaps of a host. */
export interface Passage {
  /** The request as the host understands it. */
  readonly taken: Request;
  /** The gap that determines the answer. Undefined if the host only treats the request like another request. */
  readonly last: Gap | undefined;
}

export function passage(
  gaps: readonly Gap[],
  table: RoutingTable,
  exists: (file: string) => boolean,
  request: Request,
): Passage {
  let taken = request;
  let answer = settle(resolve(table, taken), exists);
  for (const gap of gaps) {
    const operation = table.operations.find(({ path }) => path === taken.path);
    const params = operation === undefined ? [] : paramsOf(operation);
    const answered = { request: taken, answer, params, table };
    if (!gap.covers(answered)) continue;
    if (gap.takenFor === undefined) return { taken, last: gap };
    taken = gap.takenFor(answered);
    answer = settle(resolve(table, taken), exists);
  }
  return { taken, last: undefined };
}
