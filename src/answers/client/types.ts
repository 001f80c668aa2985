// The types of a client: its options, and its methods, derived from the type of a declaration.
import type {
  AnswerOf,
  ApiTypes,
  BodyOf,
  Change,
  CollectionTypes,
  FilterParamsOf,
  ItemOf,
  KeyOf,
  ListedOf,
  ParamsOf,
} from "../answers.ts";

export interface ClientOptions {
  /** Replaces the global fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The most milliseconds that one attempt may take, including its body. Default 10,000. */
  readonly timeout?: number | undefined;
  /**
   * How often a request is repeated, default 5. It is repeated only after network faults, timeouts, 408, 425, 429 and 5xx.
   * Before the n-th retry the client waits for `Retry-After` and then for a random part of 2^(n-1) half seconds, but of
   * no more than 8 seconds; a `Retry-After` of more than a minute is an error at once. It is also the most restarts of a
   * walk that find no new item.
   */
  readonly retries?: number | undefined;
  /**
   * How the host is asked: by paths with queries, or by the paths of files, because it only serves files. Default: the client
   * asks for the document at the address of the API before its first call, which says it, and which parameters there are.
   */
  readonly addresses?: "queries" | "files" | undefined;
}

export interface CallOptions {
  /** Aborts the call, even between two attempts. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChangesOptions extends CallOptions {
  /** The changes after this time, such as 2026-10-21T06:28:00Z, or after the state that `sync` returned. Default: all. */
  readonly since?: string | undefined;
}

export interface ListMethods<Params, Answer, Item> {
  readonly get: (params?: Params, options?: CallOptions) => Promise<Answer>;
  /**
   * Walks the pages from the first, or from `cursor`, to the last, and returns each item once, even if the API is
   * published again meanwhile. If a cursor has expired, the walk continues without `limit`, in pages of up to 100
   * items, or starts again and omits the items up to the last one returned. Pages may then be shorter. To start again
   * it requests the order of the items from the address of the API, once in a walk; without an answer to that request
   * it rejects with `invalid_cursor`.
   */
  readonly pages: (params?: Params, options?: CallOptions) => AsyncGenerator<Answer, void, undefined>;
  /** Walks the items of `pages`. */
  readonly items: (params?: Params, options?: CallOptions) => AsyncGenerator<Item, void, undefined>;
}

/** The method of a collection with single items. */
interface ItemMethod<Key extends readonly unknown[], Item> {
  /**
   * Requests the item with a key: `item("nodejs")`, or `item("nodejs", "20")` if the key has two fields. If no item has
   * the key, it rejects with `not_found`; if a part of the key is undefined, with TypeError.
   */
  readonly item: (...key: readonly [...Key] | readonly [...Key, options: CallOptions]) => Promise<Item>;
}

interface CountMethod<Params> {
  /**
   * The number of items, of all or of those with the values of filters. Sends one request, for the document
   * `BASE/filters/NAME.json`. If a value is not accepted, or filters cannot be combined, it rejects as `get` does.
   */
  readonly count: (params?: Params, options?: CallOptions) => Promise<number>;
}

interface SyncMethod<Item> {
  /**
   * Brings a copy of the collection up to date: the items by key, whose parts are joined by slashes. `since` is what the
   * last call returned; without it, or if the list of changes does not name its state, all items are requested. Returns
   * what the next call needs: the state of the copy, AT/BUILD, and what is not yet confirmed. If it rejects, the copy
   * stays as it is.
   */
  readonly sync: (copy: Map<string, Item>, since?: string, options?: CallOptions) => Promise<string>;
}

type CollectionMethods<Each extends CollectionTypes> = ListMethods<ParamsOf<Each>, AnswerOf<Each>, ListedOf<Each>> &
  CountMethod<FilterParamsOf<Each>> &
  SyncMethod<ItemOf<Each>> &
  (KeyOf<Each> extends infer Key extends readonly unknown[] ? ItemMethod<Key, ItemOf<Each>> : unknown);

interface ChangesMethod<Api extends ApiTypes> {
  /**
   * The changes of each build, the oldest first. If they are not known since the time or state asked for, it rejects
   * with `changes_expired`.
   */
  readonly changes: (options?: ChangesOptions) => AsyncGenerator<Change<Api>, void, undefined>;
}

export interface AddressMethod {
  /** The whole address of a file beside the data, such as a photo, from its value in an answer. */
  readonly address: (file: { readonly url: string }) => string;
}

/** By name, the methods of each collection and the method of each document. */
export type ClientOf<Api extends ApiTypes> = ChangesMethod<Api> &
  AddressMethod & {
    readonly [Name in keyof Api["collections"]]: CollectionMethods<Api["collections"][Name]>;
  } & {
    readonly [Name in keyof Api["documents"]]: (options?: CallOptions) => Promise<BodyOf<Api["documents"][Name]>>;
  };
