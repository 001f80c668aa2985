// The answer to expect of a host: the one that the build's table and files mean, or the one that the declared gaps of the
// host state.
import type { AnsweredRequest, Gap, Request } from "../hosts/host.ts";
import type { BuildFolder } from "../published/build.ts";
import { paramsOf } from "../routing/params.ts";
import { failure, resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";

export interface Expected {
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: any body. */
  readonly body: Buffer | undefined;
}

/** `first` is the table of the first API of the build. Undefined if the host's answer is covered by a gap that does not state it. */
export async function expectedAnswer(
  table: RoutingTable,
  { has, read }: Pick<BuildFolder, "has" | "read">,
  gaps: readonly Gap[],
  request: Request,
  first = table,
): Promise<Expected | undefined> {
  const { understood, last, given } = passage(gaps, table, has, request, first);
  if (last !== undefined && given === undefined) return undefined;
  const { status, file, headers } = given ?? settle(resolve(table, understood), has);
  const isBodiless = status === 204 || request.method === "HEAD";
  const bodyOfFile = async () => (file === undefined ? undefined : read(file));
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: isBodiless ? Buffer.of() : await bodyOfFile(),
  };
}

/** The answer that a gap states. The links may be those of either API. */
function answerOfGap({ gives }: Gap, answered: AnsweredRequest): Passage["given"] {
  if (gives === undefined) return undefined;
  const { table, first } = answered;
  const answer = failure(table, gives(answered));
  if (table === first) return answer;
  const { Link: _, ...headers } = answer.headers;
  return { ...answer, headers };
}

/** The way of a request through the gaps of a host. */
export interface Passage {
  /** The request as the host understands it. */
  readonly understood: Request;
  /** The gap that determines the answer. Undefined if the host only treats the request like another request. */
  readonly last: Gap | undefined;
  /** The answer that this gap states. */
  readonly given?: ReturnType<typeof failure> | undefined;
}

export function passage(
  gaps: readonly Gap[],
  table: RoutingTable,
  exists: (file: string) => boolean,
  request: Request,
  first = table,
): Passage {
  let understood = request;
  let answer = settle(resolve(table, understood), exists);
  for (const gap of gaps) {
    const operation = table.operations.find(({ path }) => path === understood.path);
    const params = operation === undefined ? [] : paramsOf(operation);
    const answered = { request: understood, answer, params, table, first };
    if (!gap.covers(answered)) continue;
    if (gap.takenFor === undefined) return { understood, last: gap, given: answerOfGap(gap, answered) };
    understood = gap.takenFor(answered);
    answer = settle(resolve(table, understood), exists);
  }
  return { understood, last: undefined };
}
