// Requests a published API. Whatever the server sends, the client stays within its limits of time and size, and returns
// an answer or a reason in words, or throws Unreachable. Connections are kept open for further requests.
import http from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { hasCode } from "../machine-error.ts";
import type { Request } from "../routing/resolve.ts";
import { ask, type HttpAnswer } from "./ask.ts";
import { type Failure, failureOf, isLate, Unreachable } from "./failures.ts";

/** The number of concurrent requests. */
export const atOnce = 8;

/** The time limit of a whole answer, in milliseconds. */
const mostTimePerAnswer = 180_000;

/** The number of consecutive timeouts after which the server counts as down. */
const mostUnanswered = 8;

const mostRedirects = 5;

export interface Options {
  /** Follows the program's name in the User-Agent header. */
  readonly purpose: string;
  /** The size limit of all bodies together, in bytes. */
  readonly inAll: number;
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
  /** Like `send`, for a file: follows redirects within the origin, and retries after any error except 404 and 410. */
  readonly fetchFile: (file: string) => Promise<HttpAnswer | string>;
  readonly close: () => void;
}

/** `base` is the prefix of the API's paths, which the address may include. */
export function openClient(url: URL, base: string, { purpose, inAll, time, patience, waits }: Options): Client {
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const server = `the server at ${url.host}`;
  const agent = new (url.protocol === "https:" ? https : http).Agent({ keepAlive: true, maxSockets: atOnce });
  const headers = {
    "user-agent": `stillapi/${manifest.version} (${purpose})`,
    "accept-encoding": "gzip, br",
    ...authorization(url),
  };
  const deadline = AbortSignal.timeout(time);
  let left = inAll;
  // A server that does not answer the first request is down.
  let unanswered = mostUnanswered - 1;

  async function attempt(request: Request, wanted: number): Promise<HttpAnswer | Failure> {
    const most = Math.min(wanted, left);
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(mostTimePerAnswer)]);
    // Reusing the connection after HEAD would take a forbidden body for the next answer.
    const connection = { ...(request.method !== "HEAD" && { agent }), signal, patience, most };
    try {
      const answer = await ask(url.origin, request, { ...headers, ...request.headers }, connection);
      left -= answer.body.length;
      unanswered = 0;
      return answer;
    } catch (error) {
      const failure = failureOf(error, url);
      if (most === left && hasCode(error, "ERR_TOO_LONG")) {
        throw new Unreachable(`${server} sent more than ${inAll / 1e6} MB`);
      }
      if (deadline.aborted) throw new Unreachable(`${server} took more than ${time / 1_000} seconds`);
      if (isLate(error) && ++unanswered >= mostUnanswered) throw new Unreachable(`${server} does not answer`);
      return failure;
    }
  }

  /** `mayPass`: whether another attempt may have another answer with this status. */
  async function insist(request: Request, most: number, mayPass: (status: number) => boolean) {
    for (let retry = 0; ; retry++) {
      const result = await attempt(request, most);
      const wait = waits[retry];
      const pause = wait && pauseAfter(result, mayPass, wait);
      if (pause !== undefined) await sleep(pause);
      else if ("status" in result) return result;
      else if (result.isFinal) throw new Unreachable(result.reason, result.hint);
      else return result.reason;
    }
  }

  return {
    root: url.origin + prefix,
    send: (request, most) => insist({ ...request, path: prefix + request.path }, most, () => false),
    async fetchFile(file) {
      const fresh = { "cache-control": "no-cache" };
      let at = new URL(`${url.origin}${prefix}/${file}`);
      for (let redirects = 0; redirects <= mostRedirects; redirects++) {
        const request = { method: "GET", path: at.pathname, query: at.search.slice(1), headers: fresh };
        const answer = await insist(request, inAll, (status) => status >= 400 && status !== 404 && status !== 410);
        if (typeof answer === "string" || answer.status < 300 || answer.status > 399) return answer;
        const to = answer.headers["location"];
        if (to === undefined) return answer;
        if (!URL.canParse(to, at.href)) return "the answer redirects to an invalid address";
        at = new URL(to, at);
        // Another origin is not trusted to answer for this one.
        if (at.origin !== url.origin) return `the answer redirects to another origin, ${at.origin}`;
      }
      return `the answer redirects more than ${mostRedirects} times`;
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

/** The wait before the next attempt, in milliseconds; undefined if a retry is pointless. */
function pauseAfter(
  result: HttpAnswer | Failure,
  mayPass: (status: number) => boolean,
  wait: number,
): number | undefined {
  if ("reason" in result) return result.mayPass ? wait : undefined;
  const { status, headers } = result;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const isAsked = (status === 429 || status === 503) && seconds >= 0 && seconds <= 30;
  return isAsked ? seconds * 1_000 : mayPass(status) ? wait : undefined;
}
