// Asks a published API, politely: a few requests at once, over connections that are kept, with a name to complain to.
// This is the one part of the verification that touches the network.
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { base } from "../../src/base.ts";
import { ask, type Response } from "../conformance/ask.ts";
import type { Request } from "../hosts/host.ts";
import { hasCode, MachineError } from "../machine-error.ts";

/** How many requests are under way at the same time. */
const atOnce = 8;

/** While nothing comes, in milliseconds. */
const usualPatience = 15_000;

/** For a whole answer, in milliseconds. */
const mostTime = 180_000;

/** After so many answers that did not come in time, one after the other, there will be none. */
const mostUnanswered = 8;

/** Before the second try after a fault of the network, in milliseconds. */
const pause = 500;

export interface Client {
  /** `https://api.example.com`, with the path under which the API's own paths start, if any. */
  readonly root: string;
  /** The answer, or in half a sentence why there is none. Throws MachineError where the server cannot be reached. */
  readonly send: (request: Request) => Promise<Response | string>;
  /** Like `send`, for several requests; the answers come in their order. */
  readonly sendAll: (requests: readonly Request[]) => Promise<readonly (Response | string)[]>;
  /** How many requests were sent so far. */
  readonly count: () => number;
  readonly close: () => void;
}

const own = {
  "user-agent": `edge-api/${manifest.version} (verify)`,
  "accept-encoding": "gzip, br",
};

/** `patience` is how long to wait while nothing comes, in milliseconds. */
export function openClient(url: URL, patience = usualPatience): Client {
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const options = { keepAlive: true, maxSockets: atOnce };
  const agent = url.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  let count = 0;
  let [isAnswered, unanswered] = [false, 0];

  const once = ({ method, path, query, headers }: Request): Promise<Response> => {
    count++;
    const target = { method, path: prefix + path, query };
    // A body that must not be there would be taken for the next answer of the connection.
    const connection = { ...(method === "HEAD" ? {} : { agent }), signal: AbortSignal.timeout(mostTime), patience };
    return ask(url.origin, target, { ...own, ...headers }, connection);
  };

  const answered = async (request: Request): Promise<Response | string> => {
    try {
      const response = await once(request);
      [isAnswered, unanswered] = [true, 0];
      return response;
    } catch (error) {
      if (!isLate(error)) return reasonOf(error, url);
      if (!isAnswered || ++unanswered === mostUnanswered) throw new MachineError(`${url.host} does not answer.`);
      return "nothing came in time";
    }
  };

  const send: Client["send"] = async (request) => {
    const first = await answered(request);
    const wait = typeof first === "string" ? pause : waitOf(first);
    if (wait === undefined) return first;
    await sleep(wait);
    return answered(request);
  };

  return {
    root: url.origin + prefix,
    send,
    async sendAll(requests) {
      const answers: (Response | string)[] = [];
      const left = requests.entries();
      const work = async () => {
        for (const [index, request] of left) answers[index] = await send(request);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return answers;
    },
    count: () => count,
    close: () => agent.destroy(),
  };
}

const isLate = (error: unknown): boolean =>
  hasCode(error, "ETIMEDOUT", "ABORT_ERR") || (error instanceof Error && error.name === "TimeoutError");

/** How long the server asks to wait, in milliseconds; undefined where it does not, or for longer than anyone waits. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return (status === 429 || status === 503) && seconds >= 0 && seconds <= 30 ? seconds * 1_000 : undefined;
}

/** Why there is no answer, in half a sentence. Throws where no other request would get one either. */
function reasonOf(error: unknown, { protocol, host, hostname }: URL): string {
  if (!(error instanceof Error)) throw error;
  if (hasCode(error, "ENOTFOUND", "EAI_AGAIN"))
    throw new MachineError(`There is no host ${hostname}.`, "Check the URL.");
  if (hasCode(error, "ECONNREFUSED")) throw new MachineError(`${host} refuses connections.`, "Is the server running?");
  if (hasCode(error, "EHOSTUNREACH", "ENETUNREACH")) throw new MachineError(`There is no way to ${host} from here.`);
  if (protocol === "https:" && isOfTls(error)) {
    throw new MachineError(`There is no secure connection to ${host}: ${error.message.trim()}.`);
  }
  if (hasCode(error, "ECONNRESET", "EPIPE")) return "the connection was closed";
  if ("code" in error && typeof error.code === "string") return unreadable(error, error.code);
  throw error;
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const isOfTls = (error: Error): boolean =>
  "code" in error &&
  typeof error.code === "string" &&
  /^(?:EPROTO|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/.test(error.code);

/** What Node's parser of HTTP and its decompressors complain about. */
function unreadable(error: Error, code: string): string {
  if (code.startsWith("HPE_")) return "the answer is not valid HTTP";
  if (code === "ERR_ENCODING") return "the body has a Content-Encoding that was not asked for";
  if (/^(?:Z_|ERR_.*(?:ERROR_FORMAT|BROTLI))/.test(code))
    return "the body is not compressed as its Content-Encoding says";
  throw error;
}
