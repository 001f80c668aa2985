// Requests a published API. Whatever the server sends, the client stays within its limits of time and size, and returns
// an answer or a reason in words, or throws Unreachable. Connections are kept open for further requests.
import http from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { MachineError } from "../machine-error.ts";
import type { Request } from "../routing/resolve.ts";
import { shown } from "../text/quote.ts";
import { ask, type HttpAnswer } from "./ask.ts";

/** The number of concurrent requests. */
export const atOnce = 8;

/** The number of consecutive timeouts after which the server counts as down. */
const mostUnanswered = 8;

/** The longest pause that a server may ask for, in seconds. */
const longestPause = 30;

/** Thrown if further requests to the server are pointless. `reason` is the message as a clause. */
export class Unreachable extends MachineError {
  readonly reason: string;
  constructor(reason: string) {
    super(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
    this.reason = reason;
  }
}

export interface Options {
  /** Follows the program's name in the User-Agent header. */
  readonly purpose: string;
  /** The size limit of a file, in bytes. */
  readonly most: number;
  /** The time limit of all requests together, in milliseconds. */
  readonly time: number;
  /** The time limit without data, in milliseconds. */
  readonly patience: number;
  /** The waits before each retry after a temporary fault, in milliseconds. */
  readonly waits: readonly number[];
}

export interface Client {
  /** The address without a password, such as `https://api.example.com`, and the path before the API's own, if any. */
  readonly root: string;
  /**
   * Returns the answer, or a clause that says why there is none, such as a body of more than `most` bytes. Throws
   * Unreachable if further requests are pointless.
   */
  readonly send: (request: Request, most: number) => Promise<HttpAnswer | string>;
  /** Like `send`, for a file: retries after any error except 404 and 410. */
  readonly fetchFile: (file: string) => Promise<HttpAnswer | string>;
  readonly close: () => void;
}

/** `base` is the prefix of the API's paths, which the address may include. */
export function openClient(url: URL, base: string, { purpose, most, time, patience, waits }: Options): Client {
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const server = `the server at ${url.host}`;
  const agent = new (url.protocol === "https:" ? https : http).Agent({ keepAlive: true, maxSockets: atOnce });
  const usual = {
    "user-agent": `stillapi/${manifest.version} (${purpose})`,
    "accept-encoding": "gzip, br",
    ...authorization(url),
  };
  const deadline = AbortSignal.timeout(time);
  // A server that does not answer the first request is down.
  let unanswered = mostUnanswered - 1;

  async function attempt(request: Request, most: number): Promise<HttpAnswer | Failure> {
    // Each request has a signal of its own, because Node warns of many listeners. Reusing the connection after HEAD would
    // take a forbidden body for the next answer.
    const limits = { signal: AbortSignal.any([deadline]), patience, most };
    const connection = request.method === "HEAD" ? limits : { ...limits, agent };
    try {
      const answer = await ask(url.origin, request, { ...usual, ...request.headers }, connection);
      unanswered = 0;
      return answer;
    } catch (error) {
      const failure = failureOf(error, url);
      if (deadline.aborted) throw new Unreachable(`${server} took more than ${time / 1_000} seconds`);
      if (failure.kind === "late" && ++unanswered >= mostUnanswered) throw new Unreachable(`${server} does not answer`);
      return failure;
    }
  }

  /** `mayPass`: whether another attempt may have another answer with this status. */
  async function insist({ path, ...request }: Request, most: number, mayPass: (status: number) => boolean) {
    for (let retry = 0; ; retry++) {
      const result = await attempt({ ...request, path: prefix + path }, most);
      const isAnswer = "status" in result;
      const wait = waits[retry];
      if (wait !== undefined && (isAnswer ? mayPass(result.status) : /late|temporary|unreachable/.test(result.kind))) {
        const seconds = Number((isAnswer && result.headers["retry-after"]) || wait / 1_000);
        await sleep(1_000 * (seconds >= 0 && seconds <= longestPause ? seconds : longestPause));
      } else if (isAnswer) return result;
      else if (/unreachable|final/.test(result.kind)) throw new Unreachable(result.reason);
      else return result.reason;
    }
  }

  return {
    root: url.origin + prefix,
    send: (request, most) => insist(request, most, (status) => status === 429 || status === 503),
    fetchFile(file) {
      const request = { method: "GET", path: `/${file}`, query: "", headers: { "cache-control": "no-cache" } };
      return insist(request, most, (status) => status >= 400 && status !== 404 && status !== 410);
    },
    close: () => agent.destroy(),
  };
}

/** HTTP's Basic scheme (RFC 7617). */
function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const credentials = Buffer.from(`${querystring.unescape(username)}:${querystring.unescape(password)}`);
  return { authorization: `Basic ${credentials.toString("base64")}` };
}

/** Why a request has no answer, in a clause. Other requests to a server that is `unreachable` or `final` fail, too. */
interface Failure {
  readonly reason: string;
  readonly kind: "late" | "temporary" | "unreachable" | "final" | "lasting";
}

/** By the code of the error: from the system, Node's HTTP parser, its decompressors, TLS, or `ask`. */
const failures: readonly (readonly [code: RegExp, kind: Failure["kind"], reason: string])[] = [
  [/^(?:ETIMEDOUT|ABORT_ERR)$/, "late", "no data arrived in time"],
  [/^(?:ECONNRESET|EPIPE)$/, "temporary", "the connection was closed"],
  [/^E(?:NOTFOUND|AI_AGAIN)$/, "unreachable", "there is no host NAME"],
  [/^ECONNREFUSED$/, "unreachable", "the server at HOST refuses connections"],
  [/^E(?:HOST|NET)UNREACH$/, "unreachable", "there is no route to HOST"],
  [/^ERR_BUFFER_TOO_LARGE$/, "lasting", "the body is too long"],
  [/^(?:Z_|ERR_.*(?:ERROR_FORMAT|BROTLI))/, "lasting", "the body is not compressed as its Content-Encoding says"],
  [/^HPE_/, "lasting", "the answer is not valid HTTP"],
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [/^EPROTO|^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|HOSTNAME_MISMATCH/, "final", "no secure connection to HOST is possible"],
];

/** Rethrows errors that are not faults of the network or the server. */
function failureOf(error: unknown, { host, hostname }: URL): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [, kind, reason] = failures.find(([pattern]) => pattern.test(code)) ?? [];
  if (kind === undefined || reason === undefined) throw error;
  const why = kind === "final" && error instanceof Error ? `: ${shown(error.message.trim(), 200)}` : "";
  return { kind, reason: reason.replace("HOST", host).replace("NAME", hostname) + why };
}
