// Requests a published API over HTTP. Whatever the server sends, the client stays within its limits of time and size
// and returns an answer or a reason in words, or throws Unreachable. Few requests are in flight at once, over
// persistent connections.
import http from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import type { Request } from "../routing/resolve.ts";
import { ask, type HttpAnswer, type Room } from "./ask.ts";
import { failureOf, Unreachable } from "./failures.ts";

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
export function openClient(url: URL, base: string, options: Options): Client {
  const { purpose, inAll, time, patience, waits } = options;
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const keeping = { keepAlive: true, maxSockets: atOnce };
  const agent = url.protocol === "https:" ? new https.Agent(keeping) : new http.Agent(keeping);
  const server = `the server at ${url.host}`;
  const own = {
    "user-agent": `stillapi/${manifest.version} (${purpose})`,
    "accept-encoding": "gzip, br",
    ...authorization(url),
  };
  const received: Room = { left: inAll };
  const deadline = AbortSignal.timeout(time);
  let [isAnswered, unanswered] = [false, 0];

  /** `mayPass`: whether another attempt may have another answer with this status. */
  async function insist(
    request: Request,
    most: number,
    mayPass: (status: number) => boolean,
  ): Promise<HttpAnswer | string> {
    // Reusing the connection after HEAD would take a forbidden body for the next answer.
    const kept = request.method === "HEAD" ? {} : { agent };
    for (let attempt = 0; ; attempt++) {
      const wait = waits[attempt];
      try {
        const signal = AbortSignal.any([deadline, AbortSignal.timeout(mostTimePerAnswer)]);
        const connection = { ...kept, signal, patience, most, received };
        const answer = await ask(url.origin, request, { ...own, ...request.headers }, connection);
        [isAnswered, unanswered] = [true, 0];
        const pause = wait && pauseAfter(answer, mayPass, wait);
        if (pause === undefined) return answer;
        await sleep(pause);
      } catch (error) {
        const failure = failureOf(error, url);
        if (received.left < 0) throw new Unreachable(`${server} sent more than ${inAll / 1e6} MB`);
        if (deadline.aborted) throw new Unreachable(`${server} took more than ${time / 1_000} seconds`);
        if (failure.isLate && (!isAnswered || ++unanswered === mostUnanswered)) {
          throw new Unreachable(`${server} does not answer`);
        }
        if (wait === undefined || !failure.mayPass) {
          if (failure.isFinal) throw new Unreachable(failure.reason, failure.hint);
          return failure.reason;
        }
        await sleep(wait);
      }
    }
  }

  return {
    root: url.origin + prefix,
    send: (request, most) => insist({ ...request, path: prefix + request.path }, most, () => false),
    async fetchFile(file) {
      let at = new URL(`${url.origin}${prefix}/${file}`);
      const headers = { "cache-control": "no-cache" };
      for (let redirects = 0; redirects <= mostRedirects; redirects++) {
        const request = { method: "GET", path: at.pathname, query: at.search.slice(1), headers };
        const answer = await insist(request, inAll, (status) => status >= 400 && status !== 404 && status !== 410);
        const to = typeof answer !== "string" && isRedirect(answer.status) ? answer.headers["location"] : undefined;
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

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

/** The wait before the next attempt, in milliseconds; undefined if a retry is pointless. */
function pauseAfter(
  { status, headers }: HttpAnswer,
  mayPass: (status: number) => boolean,
  wait: number,
): number | undefined {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const isAsked = (status === 429 || status === 503) && seconds >= 0 && seconds <= 30;
  return isAsked ? seconds * 1_000 : mayPass(status) ? wait : undefined;
}
