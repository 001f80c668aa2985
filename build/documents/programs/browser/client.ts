// The client that an API brings, as a module without imports: it knows the address of its API, and how to ask it.
import type { ApiTypes } from "../../../../src/answers/answers.ts";
import type { Overview } from "../../../../src/answers/client/addresses.ts";
import { clientOf } from "../../../../src/answers/client/create.ts";
import type { ClientOf, ClientOptions } from "../../../../src/answers/client/types.ts";

export type {
  Change,
  CollectionChanges,
  DeclaredChanges,
  DeclaredNotice,
  FieldChanges,
  List,
  Page,
  Pagination,
} from "../../../../src/answers/answers.ts";
export { ApiError, type ClientErrorCode } from "../../../../src/answers/client/send.ts";
export type { CallOptions, ListMethods } from "../../../../src/answers/client/types.ts";
export type { ApiTypes, ClientOf, ClientOptions };

/** The build writes how its hosts are asked in place of this name. */
declare const RULES: Overview;

/**
 * Creates a client of the API that has this module or, with an address, of another one. Without the type of a declaration,
 * the client has every operation, and its answers are unknown values. Every call rejects with `ApiError`, or with the
 * reason of the signal that aborted it.
 *
 *     const client = createClient();
 *     for await (const item of client.nodes.items({ region: "lhr1" })) console.log(item.id);
 */
export const createClient = <Api extends ApiTypes>(url?: string | URL, options: ClientOptions = {}): ClientOf<Api> =>
  url === undefined ? clientOf(new URL(".", import.meta.url), options, undefined, RULES) : clientOf(url, options);
