// Sends one request, in as many attempts as it needs.
import type { ErrorBody, ErrorCode } from "../answers.ts";
import type { CallOptions, ClientOptions } from "./types.ts";

/**
 * The API's error codes and six more:
 * - `network_error`: no answer, or an incomplete one
 * - `timeout`: no answer in time
 * - `http_error`: a status without the API's error body, such as a proxy's 502
 * - `unexpected_answer`: a body that does not have the form of the operation's answer
 * - `changes_expired`: the list of changes does not name the state, or starts later than the time, since which changes are
 *   asked for
 * - `unknown_parameter`: the list does not have the parameter, which the API would ignore
 */
export type ClientErrorCode =
  | ErrorCode
  | "network_error"
  | "timeout"
  | "http_error"
  | "unexpected_answer"
  | "changes_expired"
  | "unknown_parameter";

interface Failure {
  readonly url: string;
  readonly code: ClientErrorCode;
  /** The HTTP status of an answer that is not a success. */
  readonly status?: number;
  /** The query parameter at fault, if any. */
  readonly param?: string | undefined;
  /** The server's Retry-After, in milliseconds. Missing if the server sends none or the browser hides it. */
  readonly retryAfter?: number | undefined;
}

export interface ApiError extends Failure {}

/** The only error that the client throws. An aborted call rejects with the reason of the caller's signal. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface
export class ApiError extends Error {
  constructor(message: string, failure: Failure, cause?: unknown) {
    super(`${message} (${failure.url})`, { cause });
    this.name = "ApiError";
    Object.assign(this, failure);
  }
}

/** Calls back after so many milliseconds. Returns a function that cancels the call. */
export type Timer = (ring: () => void, milliseconds: number) => () => void;

const clock: Timer = (ring, milliseconds) => {
  const timeout = setTimeout(ring, milliseconds);
  return () => clearTimeout(timeout);
};

/** The longest `Retry-After` to wait for, in milliseconds. */
const longestWait = 60_000;

interface Answer {
  readonly text: string;
  readonly headers: Headers;
}

export class Sender {
  readonly retries: number;
  readonly #options: ClientOptions;
  readonly #timer: Timer;
  readonly #state: string | undefined;
  readonly #deprecated: Set<string>;

  /** `state` is added to every query: caches distinguish requests by it, and the API ignores it. */
  constructor(options: ClientOptions, timer: Timer = clock, state?: string, deprecated = new Set<string>()) {
    this.retries = options.retries ?? 5;
    this.#options = options;
    this.#timer = timer;
    this.#state = state;
    this.#deprecated = deprecated;
  }

  /** The same for requests about a state of the API. */
  inState(state: string): Sender {
    return new Sender(this.#options, this.#timer, state, this.#deprecated);
  }

  /**
   * Returns the result of `read` for the JSON of a successful answer. Rejects with ApiError, also if the answer is not JSON or
   * `read` throws; or with the reason of an aborted signal. `jsonOf` makes JSON of an answer of another type.
   */
  async ask<Value>(
    address: string,
    { signal }: CallOptions = {},
    // biome-ignore lint/suspicious/noExplicitAny: the unchecked result of JSON.parse
    read: (body: any, headers: Headers) => Value,
    jsonOf = (text: string) => text,
  ): Promise<Value> {
    const url = this.#state === undefined ? address : `${address}${address.includes("?") ? "&" : "?"}${this.#state}`;
    for (let n = 0; ; n++) {
      signal?.throwIfAborted();
      const outcome = await this.#attempt(url, signal);
      if (!(outcome instanceof ApiError)) {
        try {
          return read(JSON.parse(jsonOf(outcome.text)), outcome.headers);
        } catch (cause) {
          throw new ApiError("Unexpected answer.", { url, code: "unexpected_answer" }, cause);
        }
      }
      signal?.throwIfAborted();
      const { status = 500, retryAfter = 0 } = outcome;
      if (!/408|425|429|5../.test(`${status}`) || n >= this.retries || retryAfter > longestWait) throw outcome;
      await this.backOff(n, signal, retryAfter);
    }
  }

  /**
   * Waits before the n-th retry, counted from 0, or until the signal is aborted: a random part of a time that doubles
   * ("full jitter"), so that clients do not all retry at once.
   */
  backOff(n: number, signal?: AbortSignal, atLeast = 0): Promise<void> {
    return new Promise((wake) => {
      this.#alarm(wake, atLeast + Math.random() * Math.min(8_000, 500 * 2 ** n), signal);
    });
  }

  /** Rings after the time, or as soon as the signal is aborted. Returns a function that makes it ring at once. */
  #alarm(ring: () => void, milliseconds: number, signal?: AbortSignal): () => void {
    const end = () => {
      cancel();
      signal?.removeEventListener("abort", end);
      ring();
    };
    const cancel = this.#timer(end, Math.min(milliseconds, 2 ** 31 - 1));
    signal?.addEventListener("abort", end);
    return end;
  }

  async #attempt(url: string, signal?: AbortSignal): Promise<Answer | ApiError> {
    const controller = new AbortController();
    const { fetch: customFetch, timeout = 10_000 } = this.#options;
    const end = this.#alarm(() => controller.abort(), timeout, signal);
    try {
      const response = await (customFetch ?? fetch)(url, {
        signal: controller.signal,
        // The HTTP cache of browsers' windows and workers, which have a location, revalidates without a preflight.
        ...(Reflect.get(globalThis, "location") && { cache: "no-cache" as const }),
      });
      const text = await response.text();
      const { headers } = response;
      this.#warn(url, headers);
      return response.ok ? { text, headers } : failureOf(url, response, text);
    } catch (cause) {
      const code = controller.signal.aborted ? "timeout" : "network_error";
      return new ApiError(`No answer: ${code}.`, { url, code }, cause);
    } finally {
      end();
    }
  }

  /**
   * Warns once of each address that is deprecated (RFC 9745), with the day from which it may be gone (RFC 8594) and the
   * links to the notice and to the successor.
   */
  #warn(url: string, headers: Headers): void {
    const address = url.replace(/\?.*/, "");
    if (!headers.has("deprecation") || this.#deprecated.has(address)) return;
    this.#deprecated.add(address);
    const sunset = headers.get("sunset");
    const notice = headers.get("link")?.match(/<[^>]*>; rel="(?:deprecation|successor-version)"/g) ?? [];
    console.warn(`${address} is deprecated${sunset ? `, and may be gone from ${sunset}` : ""}.`, ...notice);
  }
}

function failureOf(url: string, { status, headers }: Response, text: string): ApiError {
  const { code = "http_error", message = `Answered with ${status}.`, param } = errorOf(text) ?? {};
  // Seconds or a date (RFC 9110, section 10.2.3).
  const wait = headers.get("retry-after") ?? "";
  // biome-ignore lint/style/noRestrictedGlobals: only a clock turns a date into a wait
  const retryAfter = Math.max(0, Number(wait) * 1_000 || Date.parse(wait) - Date.now() || 0);
  return new ApiError(message, { url, status, code, param, retryAfter });
}

/** The API's error body; undefined if the text is not one, but for example a proxy's page. */
function errorOf(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return body.object === "error" ? body : undefined;
  } catch {
    return undefined;
  }
}
