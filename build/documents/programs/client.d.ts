// The types of the client beside this file. `npm run generate` of stillapi writes them from its sources.
/** The prefix of every path of an API that declares no other. */
declare const defaultBase = "/api/v1";
/** The part of a declaration's type from which clients take their types. The result of `defineApi` has it. */
interface ApiTypes {
    readonly collections: Readonly<Record<string, CollectionTypes>>;
    readonly documents: Readonly<Record<string, DocumentTypes>>;
}
interface CollectionTypes {
    readonly types?: {
        readonly item: unknown;
        /** The items in lists, if they lack fields. */
        readonly listed?: unknown;
        readonly params: unknown;
        readonly paged: boolean;
        /** The names of the orders that a request may ask for. */
        readonly sort?: string;
        /** The values that identify a single item, if there are single items. */
        readonly key?: readonly unknown[];
    };
}
interface DocumentTypes {
    readonly types?: {
        readonly body: unknown;
    };
}
type TypesOf<Each extends CollectionTypes | DocumentTypes> = NonNullable<Each["types"]>;
type ItemOf<Each extends CollectionTypes> = TypesOf<Each>["item"];
type ListedOf<Each extends CollectionTypes> = "listed" extends keyof TypesOf<Each> ? TypesOf<Each>["listed"] : ItemOf<Each>;
type KeyOf<Each extends CollectionTypes> = "key" extends keyof TypesOf<Each> ? NonNullable<TypesOf<Each>["key"]> : undefined;
type BodyOf<Each extends DocumentTypes> = TypesOf<Each>["body"];
type Only<Params, Sent extends keyof Params> = {
    readonly [Name in Sent]?: Params[Name] | undefined;
} & {
    readonly [Name in Exclude<keyof Params, Sent>]?: undefined;
};
/** The parameters of filters: one of them, or those of a set that may be sent together. */
type Combined<Params, Sets> = {
    readonly [Name in keyof Params]: Only<Params, Name>;
}[keyof Params] | (Sets extends readonly (infer Set)[] ? Set extends readonly (infer Name)[] ? Only<Params, Name & keyof Params> : never : never);
/** Any filters, if the types of an API are unknown. */
type AnyFilters = {
    readonly [Param in string]?: string | number | boolean | undefined;
};
type FiltersOf<Types extends {
    readonly params: unknown;
}> = unknown extends Types["params"] ? AnyFilters : "together" extends keyof Types ? [keyof Types["params"]] extends [never] ? unknown : Combined<Types["params"], Types["together"]> : Only<Types["params"], keyof Types["params"]>;
interface WholeList {
    readonly limit?: undefined;
    readonly cursor?: undefined;
}
/** An order that the list has; any, if the types of an API are unknown. */
type SortOf<Types extends {
    readonly params: unknown;
}> = unknown extends Types["params"] ? unknown : {
    readonly sort?: (Types extends {
        readonly sort: infer Name;
    } ? Name : never) | undefined;
};
/** The parameters of filters, without those of orders and pages. */
type FilterParamsOf<Each extends CollectionTypes> = FiltersOf<TypesOf<Each>> & WholeList & {
    readonly sort?: undefined;
};
type ParamsOf<Each extends CollectionTypes> = FiltersOf<TypesOf<Each>> & SortOf<TypesOf<Each>> & (TypesOf<Each>["paged"] extends false ? WholeList : {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
});
type AnswerOf<Each extends CollectionTypes> = {
    readonly true: Page<ListedOf<Each>>;
    readonly false: List<ListedOf<Each>>;
}[`${TypesOf<Each>["paged"]}`];
interface List<Item> {
    readonly object: "list";
    readonly data: readonly Item[];
}
interface Page<Item> extends List<Item> {
    readonly pagination: Pagination;
}
interface Pagination {
    readonly limit: number;
    readonly count: number;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
}
/** The values of the filters of a list with their numbers of items, at `BASE/filters/NAME.json`. */
interface Filters {
    readonly object: "filters";
    /** The number of items of the list. */
    readonly total: number;
    /** In the order in which requests are checked. */
    readonly filters: readonly FilterValues[];
    /** The parameters that may be sent together, and any of each set. */
    readonly together: readonly (readonly string[])[];
    /** Each combination of two or three parameters that may be sent together. */
    readonly combinations: readonly CombinationCounts[];
    /** If the list is paged. */
    readonly page_sizes?: readonly number[] | undefined;
}
interface FilterValues {
    readonly param: string;
    /** All values that are accepted. */
    readonly values: readonly FilterValue[];
}
interface FilterValue {
    readonly value: string;
    readonly count: number;
    /** The `name` of the item whose key the value is. */
    readonly name?: string | undefined;
    /** The text that stands for the value: the one whose slug it is, or the one that the API declares. */
    readonly label?: string | undefined;
}
interface CombinationCounts {
    readonly params: readonly string[];
    /** Sets of accepted values that are not listed have no items. */
    readonly counts: readonly {
        readonly values: readonly string[];
        readonly count: number;
    }[];
}
/** The list of changes, at `BASE/changes.json`. */
interface Changes<Api extends ApiTypes = ApiTypes> {
    readonly object: "changes";
    /** The list is complete since the build of this time, such as 2026-10-21T06:28:00Z. */
    readonly since: string;
    /** Names the content of that build. */
    readonly build: string;
    /** The newest first. A copy of the state `since` and `build`, or `at` and `build` of a change, is continued by those after. */
    readonly data: readonly Change<Api>[];
}
interface Change<Api extends ApiTypes = ApiTypes> {
    /** The time of the build, such as 2026-10-21T06:28:00Z; no earlier than the time of the build before. */
    readonly at: string;
    /** Names the content of the build. */
    readonly build: string;
    readonly collections: {
        readonly [Name in keyof Api["collections"]]?: CollectionChanges;
    };
    readonly documents: readonly (keyof Api["documents"])[];
    /** If the declaration of the API changed. */
    readonly declared?: DeclaredChanges;
}
/**
 * Names of what consumers can request and read: a collection or document such as `nodes`, `nodes.fields.place.city`,
 * `nodes.filters.region`, `nodes.orders.newest`, or the path of an output. What is within another one is not named.
 */
interface DeclaredChanges {
    readonly added: readonly string[];
    /** Notices that are new or changed. */
    readonly deprecated: readonly DeclaredNotice[];
    readonly removed: readonly string[];
}
interface DeclaredNotice {
    /** One of these names, or the base of the API. */
    readonly name: string;
    /** The day, in UTC, from which it is deprecated, such as 2026-12-01. */
    readonly since: string;
    /** The day, in UTC, from which it may be gone. */
    readonly sunset?: string;
    /** What to use in its place, by its name beside it: another collection, filter or field, or the base of another API. */
    readonly use?: string;
    /** One sentence. */
    readonly why?: string;
}
/** The keys of items, in the order of the list. The parts of a composite key are joined by slashes. */
interface CollectionChanges {
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
    /** The number of keys that are left out. Copies have to be made anew. */
    readonly more?: number;
    /** The items have another key than before. Copies have to be made anew. */
    readonly reset?: true;
    /** What changed in items, by key: of at most 100 of them, if it is known. Older changes lose it first. */
    readonly fields?: Readonly<Record<string, FieldChanges>>;
}
/**
 * By the path of a field, such as `status`, `place.city` or `parts[axle].size`, its values before and after: null if the item
 * lacks it. The pair is empty if one of them is longer than 200 characters of JSON.
 */
type FieldChanges = Readonly<Record<string, readonly [before: unknown, after: unknown] | readonly []>>;
type ErrorCode = "not_found" | "method_not_allowed" | `invalid_${string}`;
interface ErrorBody {
    readonly object: "error";
    readonly status: number;
    readonly code: ErrorCode;
    readonly message: string;
    readonly param?: string;
}
interface ClientOptions {
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
interface CallOptions {
    /** Aborts the call, even between two attempts. The call rejects with the signal's reason. */
    readonly signal?: AbortSignal | undefined;
}
interface ChangesOptions extends CallOptions {
    /** The changes after this time, such as 2026-10-21T06:28:00Z, or after the state that `sync` returned. Default: all. */
    readonly since?: string | undefined;
}
interface ListMethods<Params, Answer, Item> {
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
type CollectionMethods<Each extends CollectionTypes> = ListMethods<ParamsOf<Each>, AnswerOf<Each>, ListedOf<Each>> & CountMethod<FilterParamsOf<Each>> & SyncMethod<ItemOf<Each>> & (KeyOf<Each> extends infer Key extends readonly unknown[] ? ItemMethod<Key, ItemOf<Each>> : unknown);
interface ChangesMethod<Api extends ApiTypes> {
    /**
     * The changes of each build, the oldest first. If they are not known since the time or state asked for, it rejects
     * with `changes_expired`.
     */
    readonly changes: (options?: ChangesOptions) => AsyncGenerator<Change<Api>, void, undefined>;
}
interface AddressMethod {
    /** The whole address of a file beside the data, such as a photo, from its value in an answer. */
    readonly address: (file: {
        readonly url: string;
    }) => string;
}
/** By name, the methods of each collection and the method of each document. */
type ClientOf<Api extends ApiTypes> = ChangesMethod<Api> & AddressMethod & {
    readonly [Name in keyof Api["collections"]]: CollectionMethods<Api["collections"][Name]>;
} & {
    readonly [Name in keyof Api["documents"]]: (options?: CallOptions) => Promise<BodyOf<Api["documents"][Name]>>;
};
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
type ClientErrorCode = ErrorCode | "network_error" | "timeout" | "http_error" | "unexpected_answer" | "changes_expired" | "unknown_parameter";
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
interface ApiError extends Failure {
}
/** The only error that the client throws. An aborted call rejects with the reason of the caller's signal. */
declare class ApiError extends Error {
    constructor(message: string, failure: Failure, cause?: unknown);
}
/** Calls back after so many milliseconds. Returns a function that cancels the call. */
type Timer = (ring: () => void, milliseconds: number) => () => void;
declare class Sender {
    #private;
    readonly retries: number;
    /** `state` is added to every query: caches distinguish requests by it, and the API ignores it. */
    constructor(options: ClientOptions, timer?: Timer, state?: string, deprecated?: Set<string>);
    /** The same for requests about a state of the API. */
    inState(state: string): Sender;
    /**
     * Returns the result of `read` for the JSON of a successful answer. Rejects with ApiError, also if the answer is not JSON or
     * `read` throws; or with the reason of an aborted signal. `jsonOf` makes JSON of an answer of another type.
     */
    ask<Value>(address: string, { signal }: CallOptions | undefined, read: (body: any, headers: Headers) => Value, jsonOf?: (text: string) => string): Promise<Value>;
    /**
     * Waits before the n-th retry, counted from 0, or until the signal is aborted: a random part of a time that doubles
     * ("full jitter"), so that clients do not all retry at once.
     */
    backOff(n: number, signal?: AbortSignal, atLeast?: number): Promise<void>;
}
/**
 * Creates a client of the API that has this module or, with an address, of another one. Without the type of a declaration,
 * the client has every operation, and its answers are unknown values. Every call rejects with `ApiError`, or with the
 * reason of the signal that aborted it.
 *
 *     const client = createClient();
 *     for await (const item of client.nodes.items({ region: "lhr1" })) console.log(item.id);
 */
declare const createClient: <Api extends ApiTypes>(url?: string | URL, options?: ClientOptions) => ClientOf<Api>;
export { createClient, Change, CollectionChanges, DeclaredChanges, DeclaredNotice, FieldChanges, List, Page, Pagination, ApiError, ClientErrorCode, CallOptions, ListMethods, ApiTypes, ClientOf, ClientOptions };
