// The one kind of error that the client throws of its own. An abort rejects with the reason of the caller's signal.
import type { ErrorCode } from "../errors.ts";

/**
 * The API's own codes, and four for answers that are not the API's: `network_error`, no answer or a torn one;
 * `timeout`, none in time; `http_error`, a status without the API's error body, such as a proxy's 502;
 * `unexpected_answer`, a body that is not what the operation gives.
 */
export type ClientErrorCode = ErrorCode | "network_error" | "timeout" | "http_error" | "unexpected_answer";

export interface Failure {
  readonly url: string;
  readonly code: ClientErrorCode;
  /** Of an answer that is not a success. */
  readonly status?: number;
  /** The query parameter at fault, if any. */
  readonly param?: string | undefined;
  /** How long the server asks to wait, in milliseconds. Missing where it says nothing, or the browser hides it. */
  readonly retryAfter?: number | undefined;
}

export interface ApiError extends Failure {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface
export class ApiError extends Error {
  constructor(message: string, failure: Failure, cause?: unknown) {
    super(message, { cause });
    this.name = "ApiError";
    Object.assign(this, failure);
  }
}
