// A client of any API that this program builds, for browsers and Node, without dependencies. Its types are those of the
// API's declaration.
import type { ApiTypes } from "./answers.ts";
import { clientOf } from "./client/create.ts";
import type { ClientOf, ClientOptions } from "./client/types.ts";

export type {
  ApiTypes,
  Change,
  CollectionChanges,
  DeclaredChanges,
  DeclaredNotice,
  FieldChanges,
  List,
  Page,
  Pagination,
} from "./answers.ts";
export { ApiError, type ClientErrorCode } from "./client/send.ts";
export type { CallOptions, ChangesOptions, ClientOf, ClientOptions, ListMethods } from "./client/types.ts";

/**
 * Creates a client of the API at `url`. If `url` has no path, the API is at `/api/v1` of that host; otherwise the path is
 * the API's `base`, with whatever is before it. In browsers `url` may be relative. Throws TypeError if it is not a valid
 * address.
 *
 *     import type api from "../api.config.ts";
 *     const client = createClient<typeof api>("https://example.com");
 *     for await (const item of client.nodes.items({ region: "lhr1" })) console.log(item.id);
 *
 * Without a type, the client has every operation, and its answers are unknown values. Every call rejects with
 * `ApiError`, or with the reason of the signal that aborted it.
 */
export const createClient = <Api extends ApiTypes>(url: string | URL, options: ClientOptions = {}): ClientOf<Api> =>
  clientOf(url, options);
