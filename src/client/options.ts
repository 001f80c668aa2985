import type { AnswerSchemas, ApiTypes } from "../answers.ts";

export interface ClientOptions<Api extends ApiTypes = ApiTypes> {
  /** Replaces the global fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The most milliseconds that one attempt may take, including its body. Default 10,000. */
  readonly timeout?: number | undefined;
  /**
   * How often a request is repeated, default 5: only after network faults, timeouts, 408, 425, 429 and 5xx. Before the
   * n-th retry the client waits for `Retry-After` and then for a random part of 2^(n-1) half seconds, at most of 8
   * seconds. A walk restarts at most as often without finding a new item.
   */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` to wait for, in milliseconds; a longer one is an error at once. Default 60,000. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The number of characters of bodies kept for conditional requests, default 4,194,304; 0 keeps none. Browsers use
   * their HTTP cache instead, which revalidates without a preflight.
   */
  readonly memory?: number | undefined;
  /**
   * For each collection the validator of an item, for each document its validator. The client returns their results. If
   * lists are in brief, the validator is of their items, and its `item` of single items.
   */
  readonly schemas?: Partial<AnswerSchemas<Api>> | undefined;
}

export interface CallOptions {
  /** Aborts the call, even between two attempts. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
