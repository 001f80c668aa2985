// Requests a published API. Whatever the server sends, the client stays within its limits of time and size, and returns an
// answer or a reason in words, or throws Unreadable if further requests are pointless.
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { hasCode } from "../files/machine-error.ts";
import type { Request } from "../routing/resolve.ts";
import { shown } from "../text/quote.ts";
import { atOnce } from "./at-once.ts";
import { type CredentialSource, credentialsFor, headersVariable } from "./credentials.ts";
import { isHere, publishRoot } from "./place.ts";
import { ask, type HttpAnswer } from "./request.ts";
import { Unreadable } from "./unreadable.ts";

/** The number of consecutive timeouts after which the server counts as down. */
const maxUnanswered = 8;

/** The longest pause that a server may ask for, in seconds. */
const longestPause = 30;

/** The pause before another attempt, in milliseconds: `wait`, or what the server asks for in seconds. */
export function pauseOf(retryAfter: string | undefined, wait: number): number {
  const seconds = Number(retryAfter || wait / 1_000);
  return 1_000 * (seconds >= 0 && seconds <= longestPause ? seconds : longestPause);
}

export interface RequestLimits {
  /** Follows the program's name in the User-Agent header. */
  readonly purpose: string;
  /** The size limit of a file. */
  readonly maxBytes: number;
  /** The time limit of all requests together, in milliseconds. */
  readonly time: number;
  /** The time limit without data, in milliseconds. */
  readonly patience: number;
  /** The waits before each retry after a temporary fault, in milliseconds. */
  readonly waits: readonly number[];
}

/** The requests to one address. */
export class Client {
  /** The address without a password and the base, such as `https://api.example.com`. */
  readonly root: string;
  readonly #url: URL;
  readonly #limits: RequestLimits;
  readonly #prefix: string;
  readonly #agent: http.Agent;
  readonly #source: CredentialSource;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: Readonly<Record<string, string>>;
  readonly #deadline: AbortSignal;
  // A server that does not answer the first request is down.
  #unanswered = maxUnanswered - 1;

  /**
   * `base` is the prefix of the API's paths, which the address may include. Throws MachineError if the credentials are wrong,
   * or would be sent unencrypted.
   */
  constructor(url: URL, base: string, limits: RequestLimits) {
    this.root = publishRoot(url.origin + url.pathname, [base]);
    this.#url = url;
    this.#limits = limits;
    this.#prefix = this.root.slice(url.origin.length);
    const { Agent } = url.protocol === "https:" ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce });
    const { headers, source } = credentialsFor(url);
    this.#source = source;
    this.#credentials = headers;
    this.#headers = {
      "user-agent": `stillapi/${manifest.version} (${limits.purpose})`,
      "accept-encoding": "gzip, br",
    };
    this.#deadline = AbortSignal.timeout(limits.time);
  }

  /**
   * Returns the answer, or a clause that says why there is none, such as a body of more than `maxBytes`. Throws Unreadable
   * if further requests are pointless. `isOfReader`: whether the request has the credentials.
   */
  send(request: Request, maxBytes: number, isOfReader = true): Promise<HttpAnswer | string> {
    return this.#insist(request, maxBytes, (status) => status === 429 || status === 503, isOfReader);
  }

  /**
   * The body at a path. Undefined if the status is 404 or 410. Retries after any other error except 401. Throws Unreadable
   * if there is no body.
   */
  async read(path: string): Promise<Buffer | undefined> {
    const request = { method: "GET", path, query: "", headers: { "cache-control": "no-cache" } };
    const mayPass = (status: number) => status >= 400 && ![401, 404, 410].includes(status);
    const answer = await this.#insist(request, this.#limits.maxBytes, mayPass);
    this.refuse(answer);
    if (typeof answer === "string") throw new Unreadable(answer, this.root + path);
    const { status, headers, body } = answer;
    if (status === 200) return body;
    if (status === 404 || status === 410) return undefined;
    const { location } = headers;
    const to = location === undefined ? "" : `, to ${shown(location)}`;
    throw new Unreadable(`the status of the answer is ${status}${to}`, this.root + path);
  }

  /** Throws Unreadable if the status is 401: without what the server asks for, all further answers would be the same. */
  refuse(answer: HttpAnswer | string): void {
    if (typeof answer === "string" || answer.status !== 401) return;
    throw new Unreadable(refusalOf(this.#url, this.#source));
  }

  close(): void {
    this.#agent.destroy();
  }

  /** `mayPass` returns whether another attempt may succeed after an answer with this status. */
  async #insist(
    { path, ...request }: Request,
    maxBytes: number,
    mayPass: (status: number) => boolean,
    isOfReader = true,
  ) {
    for (let retry = 0; ; retry++) {
      const result = await this.#attempt({ ...request, path: this.#prefix + path }, maxBytes, isOfReader);
      const isAnswer = "status" in result;
      const wait = this.#limits.waits[retry];
      if (wait !== undefined && (isAnswer ? mayPass(result.status) : result.kind !== "lasting")) {
        await sleep(pauseOf(isAnswer ? result.headers["retry-after"] : undefined, wait));
      } else if (isAnswer) return result;
      else if (result.kind === "unreachable") throw new Unreadable(result.reason);
      else return result.reason;
    }
  }

  async #attempt(request: Request, maxBytes: number, isOfReader: boolean): Promise<HttpAnswer | Failure> {
    const { origin, host } = this.#url;
    const { patience, time } = this.#limits;
    // Each request has a separate signal, because Node warns of many listeners. The connection of HEAD is not reused, since
    // a forbidden body would be taken for the next answer.
    const options = { signal: AbortSignal.any([this.#deadline]), patience, maxBytes };
    const connection = request.method === "HEAD" ? options : { ...options, agent: this.#agent };
    try {
      const answer = await ask(
        origin,
        request,
        { ...this.#headers, ...(isOfReader && this.#credentials), ...request.headers },
        connection,
      );
      this.#unanswered = 0;
      return answer;
    } catch (error) {
      const failure = failureOf(error, this.#url);
      if (this.#deadline.aborted) throw new Unreadable(`the server at ${host} took more than ${time / 1_000} seconds`);
      if (hasCode(error, "ETIMEDOUT") && ++this.#unanswered >= maxUnanswered)
        throw new Unreadable(`the server at ${host} does not answer`);
      return failure;
    }
  }
}

/** A clause about an answer with the status 401. */
function refusalOf(url: URL, source: CredentialSource): string {
  const server = `the server at ${url.host}`;
  switch (source) {
    case "address":
      return `${server} does not accept the name and the password of the address (401)`;
    case "variable":
      return `${server} does not accept the headers of ${headersVariable} (401)`;
    case undefined: {
      const example = `${isHere(url) ? url.protocol : "https:"}//NAME:PASSWORD@${url.host}`;
      return `${server} asks who reads (401): write a name and a password before the host, as in ${example}, or another header in ${headersVariable}`;
    }
  }
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
