// A server in front of the preview that makes a deliberate mistake, and its verification.
import { Agent, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Request } from "../../build/hosts/host.ts";
import { splitTarget } from "../../build/routing/resolve.ts";
import { ask, type TextAnswer } from "../ask.ts";
import { type Listening, listen } from "../serve.ts";

/** Changes an answer or returns it unchanged. A buffer is sent as the whole answer; null closes the connection. */
export type Mistake = (request: Request, answer: TextAnswer) => Sent | Buffer | null;

export interface Sent extends Omit<TextAnswer, "body"> {
  readonly body: string | Buffer;
}

export interface Running extends Listening {
  /** The received requests. */
  readonly asked: readonly IncomingMessage[];
  /** The largest number of concurrent requests. */
  readonly most: () => number;
}

type Send = (request: Request) => Promise<TextAnswer>;

const sendTo = (origin: string): Send => {
  const agent = new Agent({ keepAlive: true });
  return (request) => ask(origin, request, {}, { agent });
};

/** Remembers the answer to each request. The build at the origin must not change. */
export function remembering(origin: string): Send {
  const send = sendTo(origin);
  const answers = new Map<string, TextAnswer>();
  return async (request) => {
    const key = JSON.stringify(request);
    const answer = answers.get(key) ?? (await send(request));
    answers.set(key, answer);
    return answer;
  };
}

/** Serves the answers of an origin, or of a function, with a mistake, below a path. */
export async function serveWith(
  source: string | Send,
  mistake: Mistake = (_, answer) => answer,
  below = "",
): Promise<Running> {
  const asked: IncomingMessage[] = [];
  const send = typeof source === "string" ? sendTo(source) : source;
  let underWay = 0;
  let max = 0;
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(incoming);
    max = Math.max(max, ++underWay);
    const { path, query } = splitTarget((incoming.url ?? "").slice(below.length));
    const request = { method: incoming.method ?? "GET", path, query, headers: headersOf(incoming) };
    const sent = mistake(request, await send(request));
    underWay--;
    if (sent === null) {
      response.socket?.destroy();
    } else if (Buffer.isBuffer(sent)) {
      response.socket?.end(sent);
    } else {
      response.writeHead(sent.status, sent.headers).end(sent.body);
    }
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error) => response.destroy(error));
  });
  const { origin, stop } = await listen(server);
  return { origin: origin + below, stop, asked, most: () => max };
}

const passedOn = ["accept-encoding", "if-none-match", "authorization"];

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
