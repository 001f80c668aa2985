// Sends one request, in as many attempts as it needs.
import type { ErrorBody } from "../answers.ts";
import { ApiError } from "./error.ts";
import type { ClientOptions } from "./types.ts";

/** Time and chance. */
export interface Environment {
  /** Calls back after so many milliseconds, at most 2^31-1. Returns a function that cancels the call. */
  readonly timer: (ring: () => void, milliseconds: number) => () => void;
  /** A number from 0 to 1, excluding 1. */
  readonly random: () => number;
  /** The milliseconds from now until an HTTP date; NaN if the text is not a date. */
  readonly until: (date: string) => number;
}

/** The longest `Retry-After` to wait for, in milliseconds. */
const longestWait = 60_000;

export const here: Environment = {
  timer: (ring, milliseconds) => {
    const timeout = setTimeout(ring, milliseconds);
    return () => clearTimeout(timeout);
  },
  random: Math.random,
  // biome-ignore lint/style/noRestrictedGlobals: Retry-After may be a date, which only a clock turns into a wait
  until: (date) => Date.parse(date) - Date.now(),
};

export interface Sender {
  /** The body of a successful answer. Rejects with ApiError, or with the reason of an aborted signal. */
  readonly send: (url: string, signal?: AbortSignal) => Promise<string>;
  /** Waits before the n-th retry, counted from 0. Ends early if the signal is aborted; callers check the signal. */
  readonly backOff: (n: number, signal?: AbortSignal) => Promise<void>;
  readonly retries: number;
}

export function createSender(
  { fetch: own, timeout = 10_000, retries = 5 }: ClientOptions,
  { timer, random, until }: Environment,
): Sender {
  async function send(url: string, signal?: AbortSignal): Promise<string> {
    for (let n = 0; ; n++) {
      signal?.throwIfAborted();
      const outcome = await attempt(url, signal);
      if (typeof outcome === "string") return outcome;
      signal?.throwIfAborted();
      const { status = 500, retryAfter = 0 } = outcome;
      if (!/408|425|429|5../.test(`${status}`) || n >= retries || retryAfter > longestWait) throw outcome;
      await backOff(n, signal, retryAfter);
    }
  }

  /** "Full jitter": a random part of a time that doubles, so that clients do not all retry at once. */
  const backOff = (n: number, signal?: AbortSignal, atLeast = 0) =>
    new Promise<void>((wake) => {
      alarm(wake, atLeast + random() * Math.min(8_000, 500 * 2 ** n), signal);
    });

  /** Rings after the time, or as soon as the signal is aborted. Returns a function that makes it ring at once. */
  function alarm(ring: () => void, milliseconds: number, signal?: AbortSignal): () => void {
    const end = () => {
      cancel();
      signal?.removeEventListener("abort", end);
      ring();
    };
    const cancel = timer(end, Math.min(milliseconds, 2 ** 31 - 1));
    signal?.addEventListener("abort", end);
    return end;
  }

  async function attempt(url: string, signal?: AbortSignal): Promise<string | ApiError> {
    const controller = new AbortController();
    const end = alarm(() => controller.abort(), timeout, signal);
    let response: Response;
    let text: string;
    try {
      response = await (own ?? fetch)(url, {
        signal: controller.signal,
        // The HTTP cache of browsers' windows and workers, which have a location, revalidates without a preflight.
        ...(Reflect.get(globalThis, "location") && { cache: "no-cache" as const }),
      });
      text = await response.text();
    } catch (cause) {
      const code = controller.signal.aborted ? "timeout" : "network_error";
      return new ApiError(`No answer: ${code}.`, { url, code }, cause);
    } finally {
      end();
    }
    return response.ok ? text : failureOf(url, response, text);
  }

  function failureOf(url: string, { status, headers }: Response, text: string): ApiError {
    const { code = "http_error", message = `Answered with ${status}.`, param } = errorOf(text) ?? {};
    // Seconds or a date (RFC 9110, section 10.2.3).
    const wait = headers.get("retry-after") ?? "";
    const retryAfter = Math.max(0, Number(wait) * 1_000 || until(wait) || 0);
    return new ApiError(message, { url, status, code, param, retryAfter });
  }

  return { send, backOff, retries };
}

/** The API's error body; undefined if the text is not one. */
function errorOf(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return body.object === "error" ? body : undefined;
  } catch {
    // Not JSON, so the answer is not the API's, but for example a proxy's page.
    return undefined;
  }
}
