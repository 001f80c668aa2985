// A client of the API for browsers and Node, without dependencies. Its methods derive from the table of operations.
import { clientOf } from "./client/create.ts";
import { here } from "./client/environment.ts";
import type { ClientOf } from "./client/methods.ts";
import type { ClientOptions as OptionsOf, Validators } from "./client/options.ts";
import { orders } from "./client/orders.ts";
import type { OperationTable } from "./edge-network/index.ts";

export { ApiError, type ClientErrorCode } from "./client/error.ts";
export type { CallOptions } from "./client/options.ts";
export type { Validator } from "./schemas.ts";

export type Client = ClientOf<OperationTable>;
export type ClientOptions = OptionsOf<OperationTable>;
export type ClientSchemas = Validators<OperationTable>;

/**
 * Creates a client of the API published at `url`, which may end in `/api/v1` and in browsers may be relative. Throws
 * TypeError if `url` is not a valid address.
 *
 *     const client = createClient("https://example.com");
 *     for await (const item of client.nodes.items({ region: "lhr1" })) console.log(item.id);
 *
 * Every call rejects with `ApiError`, or with the reason of the signal that aborted it.
 */
export const createClient = (url: string | URL, options: ClientOptions = {}): Client =>
  clientOf<OperationTable>(orders, url, options, here);
