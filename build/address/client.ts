// Requests a published API, for `verify`, `--previous` and `--against`. Whatever the server sends, the client stays within
// its limits of time and size, and returns an answer or a reason in words, or throws Unreachable.
import { kMaxLength } from "node:buffer";
import http, { type Agent, type IncomingMessage } from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import manifest from "../../package.json" with { type: "json" };
import { hasCode, MachineError } from "../machine-error.ts";
import type { Request } from "../routing/resolve.ts";
import { shown } from "../text/quote.ts";

export const isAddress = (from: string): boolean => /^https?:\/\//i.test(from);

/** A folder unchanged, an address without its password. */
export function publicName(from: string): string {
  if (!isAddress(from)) return from;
  const { origin, pathname } = new URL(from);
  return origin + pathname.replace(/\/$/, "");
}

/** The number of concurrent requests. */
export const atOnce = 8;

/** The number of consecutive timeouts after which the server counts as down. */
const mostUnanswered = 8;

/** The longest pause that a server may ask for, in seconds. */
const longestPause = 30;

/** The pause before another attempt, in milliseconds: `wait`, or what the server asks for in seconds. */
export function pauseOf(retryAfter: string | undefined, wait: number): number {
  const seconds = Number(retryAfter || wait / 1_000);
  return 1_000 * (seconds >= 0 && seconds <= longestPause ? seconds : longestPause);
}

/** Thrown if further requests to the server are pointless. `reason` is the message as a clause. */
export class Unreachable extends MachineError {
  readonly reason: string;
  constructor(reason: string) {
    super(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
    this.reason = reason;
  }
}

export interface RequestOptions {
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

export type Client = ReturnType<typeof openClient>;

/** `base` is the prefix of the API's paths, which the address may include. */
export function openClient(url: URL, base: string, { purpose, most, time, patience, waits }: RequestOptions) {
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const agent = new (url.protocol === "https:" ? https : http).Agent({ keepAlive: true, maxSockets: atOnce });
  const auth = [url.username, url.password].map((part) => querystring.unescape(part)).join(":");
  const usual = { "user-agent": `stillapi/${manifest.version} (${purpose})`, "accept-encoding": "gzip, br" };
  const deadline = AbortSignal.timeout(time);
  // A server that does not answer the first request is down.
  let unanswered = mostUnanswered - 1;

  async function attempt(request: Request, most: number): Promise<HttpAnswer | Failure> {
    // Each request has a signal of its own, because Node warns of many listeners. Reusing the connection after HEAD would
    // take a forbidden body for the next answer.
    const limits = { signal: AbortSignal.any([deadline]), patience, most, ...(auth === ":" ? {} : { auth }) };
    const connection = request.method === "HEAD" ? limits : { ...limits, agent };
    try {
      const answer = await ask(url.origin, request, { ...usual, ...request.headers }, connection);
      unanswered = 0;
      return answer;
    } catch (error) {
      const failure = failureOf(error, url);
      if (deadline.aborted) throw new Unreachable(`the server at ${url.host} took more than ${time / 1_000} seconds`);
      if (hasCode(error, "ETIMEDOUT") && ++unanswered >= mostUnanswered)
        throw new Unreachable(`the server at ${url.host} does not answer`);
      return failure;
    }
  }

  /** `mayPass`: whether another attempt may have another answer with this status. */
  async function insist({ path, ...request }: Request, most: number, mayPass: (status: number) => boolean) {
    for (let retry = 0; ; retry++) {
      const result = await attempt({ ...request, path: prefix + path }, most);
      const isAnswer = "status" in result;
      const wait = waits[retry];
      if (wait !== undefined && (isAnswer ? mayPass(result.status) : result.kind !== "lasting")) {
        await sleep(pauseOf(isAnswer ? result.headers["retry-after"] : undefined, wait));
      } else if (isAnswer) return result;
      else if (result.kind === "unreachable") throw new Unreachable(result.reason);
      else return result.reason;
    }
  }

  /** Nobody who is not let in gets another answer. */
  function refuse(answer: HttpAnswer | string): void {
    if (typeof answer === "string" || answer.status !== 401) return;
    throw new Unreachable(
      auth === ":"
        ? `the server at ${url.host} asks for a name and a password (401): write them before the host, as in ${url.protocol}//NAME:PASSWORD@${url.host}`
        : `the server at ${url.host} does not accept the name and the password of the address (401)`,
    );
  }

  return {
    /** The address without a password, such as `https://api.example.com`, and the path before the API's own, if any. */
    root: url.origin + prefix,
    /**
     * Returns the answer, or a clause that says why there is none, such as a body of more than `most` bytes. Throws
     * Unreachable if further requests are pointless.
     */
    send: (request: Request, most: number) => insist(request, most, (status) => status === 429 || status === 503),
    /** Like `send`, for a file: retries after any error except 401, 404 and 410. Throws Unreachable after 401. */
    async fetchFile(file: string) {
      const request = { method: "GET", path: `/${file}`, query: "", headers: { "cache-control": "no-cache" } };
      const answer = await insist(request, most, (status) => status >= 400 && ![401, 404, 410].includes(status));
      refuse(answer);
      return answer;
    },
    /** Throws Unreachable if the server asks for a password. */
    refuse,
    close: () => agent.destroy(),
  };
}

/** Why a request has no answer, in a clause. Another attempt may succeed, unless the reason is lasting. */
interface Failure {
  readonly reason: string;
  readonly kind: "passing" | "unreachable" | "lasting";
}

/** By the code of the error: from the system, Node's HTTP parser, its decompressors, TLS, or `ask`. */
const failures: readonly (readonly [code: RegExp, kind: Failure["kind"], reason: string])[] = [
  [/^(?:ETIMEDOUT|ABORT_ERR)$/, "passing", "no data arrived in time"],
  [/^(?:ECONNRESET|EPIPE)$/, "passing", "the connection was closed"],
  [/^E(?:NOTFOUND|AI_AGAIN)$/, "unreachable", "there is no host NAME"],
  [/^ECONNREFUSED$/, "unreachable", "the server at HOST refuses connections"],
  [/^E(?:HOST|NET)UNREACH$/, "unreachable", "there is no route to HOST"],
  [/^ERR_BUFFER_TOO_LARGE$/, "lasting", "the body is too long"],
  [/^(?:Z_|ERR_.*(?:ERROR_FORMAT|BROTLI))/, "lasting", "the body is not compressed as its Content-Encoding says"],
  [/^HPE_/, "lasting", "the answer is not valid HTTP"],
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [/^EPROTO|^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|HOSTNAME_/, "unreachable", "no secure connection to HOST is possible"],
];

/** Rethrows errors that are not faults of the network or the server. */
function failureOf(error: unknown, { host, hostname }: URL): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [, kind, reason] = failures.find(([pattern]) => pattern.test(code)) ?? [];
  if (kind === undefined || reason === undefined) throw error;
  const why = /secure/.test(reason) && error instanceof Error ? `: ${shown(error.message.trim(), 200)}` : "";
  return { kind, reason: reason.replace("HOST", host).replace("NAME", hostname) + why };
}

export interface HttpAnswer {
  readonly status: number;
  /** Names are in lowercase; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, if it is compressed with gzip or Brotli. */
  readonly body: Buffer;
}

export interface Connection {
  /** Keeps connections open for further requests. */
  readonly agent?: Agent;
  /** The name and the password of HTTP's Basic scheme (RFC 7617), with a colon between them. */
  readonly auth?: string;
  /** Aborts the request, which then rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds without data after which the request rejects with ETIMEDOUT. */
  readonly patience?: number;
  /** The size limit of the body, as received and decompressed. A longer one rejects with ERR_BUFFER_TOO_LARGE. */
  readonly most?: number;
}

/** Sends one request. Does not normalise the path and does not follow redirects. */
export function ask(
  origin: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
  { agent, patience = 0, most = kMaxLength, ...options }: Connection,
): Promise<HttpAnswer> {
  const { method, path, query } = request;
  const target = query === "" ? path : `${path}?${query}`;
  return new Promise((answered, failed) => {
    const sent = (origin.startsWith("https:") ? https : http).request(origin, {
      method,
      path: target,
      headers,
      agent: agent ?? false,
      ...options,
    });
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const own = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
      bodyOf(response, most).then((body) => answered({ status, headers: own, body }), failed);
    });
    sent.on("upgrade", (_, socket) => failed(socket.destroy() && failure("ECONNRESET")));
    sent.on("error", (error) => {
      // The server closed a kept connection just when the request was sent (RFC 9112, section 9.3.1).
      const isLost = sent.reusedSocket && hasCode(error, "ECONNRESET", "EPIPE");
      if (isLost) answered(ask(origin, request, headers, { patience, most, ...options }));
      else failed(error);
    });
    sent.setTimeout(patience, () => sent.destroy(failure("ETIMEDOUT")));
    sent.end();
  });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

async function bodyOf(response: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > most) throw failure("ERR_BUFFER_TOO_LARGE");
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  // An answer to HEAD has an encoding and no body.
  const encoding = length === 0 ? undefined : response.headers["content-encoding"];
  if (encoding === "gzip") return gunzipSync(body, { maxOutputLength: most });
  return encoding === "br" ? brotliDecompressSync(body, { maxOutputLength: most }) : body;
}
