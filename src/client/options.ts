import type { EntryOf, Operation } from "../operation.ts";
import type { Validator } from "../schemas.ts";

/** Of list operations the validator of an item, of others the validator of the document. */
export type Validators<Table extends readonly Operation[]> = {
  readonly [Each in Table[number] as Each["name"]]?: Validator<EntryOf<Each>> | undefined;
};

export interface ClientOptions<Table extends readonly Operation[]> {
  /** Used in place of the global fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds that one try may take, its body included. Default 10,000. */
  readonly timeout?: number | undefined;
  /**
   * How often a request is sent again, default 5: on network faults, timeouts, 408, 425, 429 and 5xx only. Before the
   * n-th time the client waits for a random part of half a second times 2^(n-1), at most of 8 seconds, and before
   * that for as long as `Retry-After` says. A walk starts again as often without finding anything new.
   */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` in milliseconds that is waited for; a longer one is an error at once. Default 60,000. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The characters of bodies to keep for conditional requests, default 4,194,304; 0 keeps none. Browsers use their own
   * cache instead, which revalidates without a preflight.
   */
  readonly memory?: number | undefined;
  /** Answers are validated by these. What they return is what the client returns. */
  readonly schemas?: Validators<Table> | undefined;
}

export interface CallOptions {
  /** Aborts the call, waits between tries included. It rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
