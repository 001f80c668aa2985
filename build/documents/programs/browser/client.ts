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

/** The build writes how its hosts are asked in place of this name: by queries or, with these rules, by the paths of files. */
declare const RULES: "queries" | Overview;

/**
 * Creates a client of the API that has this module or, with an address, of another one. Without the type of a declaration,
 * the client has every operation, and its answers are unknown values. Every call rejects with `ApiError`, or with the
 * reason of the signal that aborted it.
 *
 *     const client = createClient();
 *     for await (const item of client.nodes.items({ region: "lhr1" })) console.log(item.id);
 */
export const createClient = <Api extends ApiTypes>(url?: string | URL, options: ClientOptions = {}): ClientOf<Api> =>
  url === undefined ? clientOfThisApi(options) : clientOf(url, options);

function clientOfThisApi<Api extends ApiTypes>(options: ClientOptions): ClientOf<Api> {
  const root = new URL(".", import.meta.url);
  const rules = RULES;
  return rules === "queries"
    ? clientOf(root, { addresses: rules, ...options })
    : clientOf(root, options, undefined, rules);
}
