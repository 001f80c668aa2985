// The only error that the client throws. An aborted call rejects with the reason of the caller's signal.
import type { ErrorCode } from "../answers.ts";

/**
 * The API's error codes and five more:
 * - `network_error`: no answer, or an incomplete one
 * - `timeout`: no answer in time
 * - `http_error`: a status without the API's error body, such as a proxy's 502
 * - `unexpected_answer`: a body that does not have the form of the operation's answer
 * - `changes_expired`: the list of changes starts later than the time since which changes are asked for
 */
export type ClientErrorCode =
  | ErrorCode
  | "network_error"
  | "timeout"
  | "http_error"
  | "unexpected_answer"
  | "changes_expired";

export interface Failure {
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

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface
export class ApiError extends Error {
  constructor(message: string, failure: Failure, cause?: unknown) {
    super(message, { cause });
    this.name = "ApiError";
    Object.assign(this, failure);
  }
}
