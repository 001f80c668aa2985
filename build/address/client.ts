// Requests a published API over HTTP. Whatever the server sends, the client stays within its limits of time and size
// and returns an answer or a reason in words, or throws Unreachable. Few requests are in flight at once, over
// persistent connections.
import http from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import type { Request } from "../routing/resolve.ts";
import { askForBytes, type HttpAnswer, type Room, type TextAnswer, withText } from "./ask.ts";
import { type AddressFailure, failureOf, Unreachable } from "./failures.ts";

/** The number of concurrent requests. */
const atOnce = 8;

/** The time limit of a whole answer, in milliseconds. */
const mostTimePerAnswer = 180_000;

/** The number of consecutive timeouts after which the server counts as down. */
const mostUnanswered = 8;

const mostRedirects = 5;

export interface Options {
  /** Follows the program's name in the User-Agent header. */
  readonly purpose: string;
  /** The size limit of one body, in bytes. */
  readonly perBody: number;
  /** The size limit of all bodies together, in bytes. */
  readonly inAll: number;
  /** The time limit of all requests together, in milliseconds. */
  readonly time: number;
  /** The time limit without data, in milliseconds. */
  readonly patience: number;
  /** The waits before each retry after a temporary fault, in milliseconds. */
  readonly waits: readonly number[];
}

const usual: Options = {
  purpose: "verify",
  perBody: 128e6,
  inAll: 512e6,
  time: 1_800_000,
  patience: 15_000,
  waits: [500],
};

export interface Client {
  /**
   * The address without a password, such as `https://api.example.com`, followed by the path at which the API starts, if
   * any.
   */
  readonly root: string;
  /**
   * Returns the answer, or a clause that says why there is none. Throws Unreachable if further requests are pointless.
   */
  readonly send: (request: Request) => Promise<TextAnswer | string>;
  /** Like `send`, for several requests; the answers are in the order of the requests. */
  readonly sendAll: (requests: readonly Request[]) => Promise<readonly (TextAnswer | string)[]>;
  /** Like `send`, for a file: follows redirects within the origin, and retries after any error except 404 and 410. */
  readonly fetchFile: (file: string) => Promise<HttpAnswer<Buffer> | string>;
  /** The number of requests so far. */
  readonly count: () => number;
  readonly close: () => void;
}

/** `base` is the prefix of the API's paths, which the address may include. */
export function openClient(url: URL, base: string, options: Partial<Options> = {}): Client {
  const { purpose, perBody, inAll, time, patience, waits } = { ...usual, ...options };
  const prefix = url.pathname.replace(new RegExp(`${base}/?$`), "").replace(/\/$/, "");
  const keeping = { keepAlive: true, maxSockets: atOnce };
  const agent = url.protocol === "https:" ? new https.Agent(keeping) : new http.Agent(keeping);
  const server = `the server at ${url.host}`;
  const own = {
    "user-agent": `stillapi/${manifest.version} (${purpose})`,
    "accept-encoding": "gzip, br",
    ...authorization(url),
  };
  const room: Room = { perBody, left: inAll };
  const deadline = AbortSignal.timeout(time);
  let count = 0;
  let [isAnswered, unanswered] = [false, 0];

  const attempt = async (request: Request): Promise<HttpAnswer<Buffer> | AddressFailure> => {
    // Reusing the connection after HEAD would take a forbidden body for the next answer.
    const kept = request.method === "HEAD" ? {} : { agent };
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(mostTimePerAnswer)]);
    try {
      count++;
      const connection = { ...kept, signal, patience, room };
      const answer = await askForBytes(url.origin, request, { ...own, ...request.headers }, connection);
      [isAnswered, unanswered] = [true, 0];
      return answer;
    } catch (error) {
      const failure = failureOf(error, url, perBody);
      if (room.left < 0) throw new Unreachable(`${server} sent more than ${inAll / 1e6} MB`);
      if (deadline.aborted) throw new Unreachable(`${server} took more than ${time / 1_000} seconds`);
      if (failure.isLate && (!isAnswered || ++unanswered === mostUnanswered)) {
        throw new Unreachable(`${server} does not answer`);
      }
      return failure;
    }
  };

  const insist = async (
    request: Request,
    isPassing: (status: number) => boolean,
  ): Promise<HttpAnswer<Buffer> | string> => {
    for (const wait of waits) {
      const answer = await attempt(request);
      const pause = pauseAfter(answer, isPassing, wait);
      if (pause === undefined) return settled(answer);
      await sleep(pause);
    }
    return settled(await attempt(request));
  };

  const send: Client["send"] = async (request) => {
    const answer = await insist({ ...request, path: prefix + request.path }, () => false);
    return typeof answer === "string" ? answer : withText(answer);
  };

  return {
    root: url.origin + prefix,
    send,
    async sendAll(requests) {
      const answers: (TextAnswer | string)[] = [];
      const left = requests.entries();
      const work = async () => {
        for (const [index, request] of left) answers[index] = await send(request);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return answers;
    },
    async fetchFile(file) {
      let at = new URL(`${url.origin}${prefix}/${file}`);
      const headers = { "cache-control": "no-cache" };
      for (let redirects = 0; redirects <= mostRedirects; redirects++) {
        const request = { method: "GET", path: at.pathname, query: at.search.slice(1), headers };
        const answer = await insist(request, (status) => status >= 400 && status !== 404 && status !== 410);
        const to = typeof answer !== "string" && isRedirect(answer.status) ? answer.headers["location"] : undefined;
        if (to === undefined) return answer;
        if (!URL.canParse(to, at.href)) return "the answer redirects to an invalid address";
        at = new URL(to, at);
        // Another origin is not trusted to answer for this one.
        if (at.origin !== url.origin) return `the answer redirects to another origin, ${at.origin}`;
      }
      return `the answer redirects more than ${mostRedirects} times`;
    },
    count: () => count,
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
  answer: HttpAnswer<Buffer> | AddressFailure,
  isPassing: (status: number) => boolean,
  wait: number,
): number | undefined {
  if (!("status" in answer)) return answer.mayPass ? wait : undefined;
  const seconds = Number(answer.headers["retry-after"] ?? Number.NaN);
  const isAsked = (answer.status === 429 || answer.status === 503) && seconds >= 0 && seconds <= 30;
  return isAsked ? seconds * 1_000 : isPassing(answer.status) ? wait : undefined;
}

function settled(answer: HttpAnswer<Buffer> | AddressFailure): HttpAnswer<Buffer> | string {
  if ("status" in answer) return answer;
  if (answer.isFinal) throw new Unreachable(answer.reason, answer.hint);
  return answer.reason;
}
