// How an API is asked: with which parameters, and by paths with queries or, on a host that only serves files, by the paths of
// its files.
import { ownField } from "../../model/fields.ts";
import { countIn, invalid } from "./count.ts";
import { ApiError, type Sender } from "./send.ts";
import type { CallOptions, ClientOptions } from "./types.ts";
import type { Params } from "./walk.ts";

/** What the document at the address of an API says about the requests of a list. */
interface Rules {
  readonly name: string;
  readonly parameters?: readonly string[];
  /** By parameter, in the order of their parts in a path. */
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly orders?: Readonly<Record<string, unknown>>;
  /** If the list is paged. */
  readonly page_sizes?: "every" | readonly number[];
}

/** The document at the address of an API, as far as requests need it. */
export interface Overview {
  readonly addresses?: string;
  readonly operations: readonly Rules[];
}

/** What is known about the requests of an API. */
export interface ApiRules {
  /** Whether requests are paths of files, because the host only serves files. */
  readonly isFiles: boolean;
  /** Nothing but the name if the rules of the operation are unknown. */
  readonly of: (name: string) => Rules;
}

export type AskRules = (options?: CallOptions) => Promise<ApiRules>;

const rulesIn = (overview?: Overview): ApiRules => ({
  isFiles: overview?.addresses === "files",
  of: (name) => overview?.operations.find((operation) => operation.name === name) ?? { name },
});

/**
 * Asks at the address of the API once, and all calls share the answer. A host that only serves files has the document at
 * the path of its file. `root` is the address of the API. If the document is already known, nothing is asked.
 */
export function rulesAt(
  root: string,
  sender: Sender,
  addresses: ClientOptions["addresses"],
  known?: Overview,
): AskRules {
  let asking: Promise<ApiRules> | undefined;

  const overviewAt = (url: string): Promise<Overview | undefined> =>
    sender
      .ask(url, {}, (body): Overview => ({ ...body, operations: [...body.operations] }))
      .catch((error: ApiError) => {
        // Any answer but the document, such as the listing of a folder, unless the host wants to know who reads.
        if (error.code === "unexpected_answer" || /^4(?!01)/.test(`${error.status}`)) return undefined;
        throw error;
      });

  async function find(): Promise<ApiRules> {
    const atRoot = known ?? (addresses === "files" ? undefined : await overviewAt(root));
    return rulesIn(atRoot ?? (await overviewAt(`${root}.json`)));
  }

  return async ({ signal } = {}) => {
    if (addresses === "queries") return rulesIn(known && { ...known, addresses });
    signal?.throwIfAborted();
    asking ??= find().catch((error) => {
      asking = undefined;
      throw error;
    });
    // The request is of all calls, so that none of them can abort it.
    return signal ? untilAborted(asking, signal) : asking;
  };
}

/** The result of a promise, unless the signal is aborted before. */
const untilAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(signal.reason);
    signal.addEventListener("abort", fail);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", fail));
  });

/**
 * The file of a page, from the address of its list. A limit that no file can have is an ApiError.
 */
export function staticFile(url: string, rules: Rules, params: Params): string | ApiError {
  const { filters = {}, orders = {}, page_sizes: sizes } = rules;
  const part = (name: string, value: unknown = ownField(params, name)) =>
    value === undefined ? "" : `/${name}/${sent(value)}`;
  const sort = Object.keys(orders).length > 0 ? part("sort") : "";
  const chosen =
    sort +
    Object.keys(filters)
      .map((param) => part(param))
      .join("");
  if (sizes === undefined) return `${url}${chosen}.json`;
  const { limit = 100 } = params;
  const isLimit = /^[1-9]\d?$|^100$/.test(`${limit}`);
  const size = sizes === "every" ? Number(limit) : sizes.filter((one) => one <= Number(limit)).at(-1);
  if (!isLimit || size === undefined)
    return invalid(url, "limit", "must be an integer from the smallest page size to 100");
  return `${url}${chosen}${size === 100 ? "" : part("limit", size)}${part("cursor")}.json`;
}

/** Throws the error of a request for a file. Some hosts answer with 403, and with pages of their own, if a file does not exist. */
export function throwFileError(error: unknown): never {
  throw error instanceof ApiError && /^40[34]$/.test(`${error.status}`)
    ? new ApiError("There is nothing at this address.", { url: error.url, status: 404, code: "not_found" })
    : error;
}

/** The error that a host with rules would answer, for a page whose file does not exist. `filters` is the address of the values. */
export async function explained(
  error: unknown,
  rules: Rules,
  params: Params,
  filters: string,
  sender: Sender,
  options: CallOptions | undefined,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== "not_found") return error;
  const { url } = error;
  const { sort } = params;
  if (sort !== undefined && rules.orders && !Object.hasOwn(rules.orders, `${sort}`))
    return invalid(url, "sort", `must be one of ${Object.keys(rules.orders)}`);
  if (!rules.filters) return error;
  const count = await sender.ask(filters, options, (body) => countIn(body, params, filters, url));
  if (count instanceof ApiError) return count;
  return params["cursor"] === undefined ? error : invalid(url, "cursor", "is unknown or has expired");
}

/** Values are sent as they are. No accepted value has a character that needs escapes: an asterisk replaces it. */
export const sent = (value: unknown): string => `${value}`.replace(/[^\w.~-]/g, "*");
