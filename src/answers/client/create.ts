// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { ownField } from "../../model/fields.ts";
import { type ApiTypes, defaultBase } from "../answers.ts";
import { type AskRules, explained, fileOf, missing, type Overview, rulesAt, sent } from "./addresses.ts";
import { askChanges, changesOf } from "./changes.ts";
import { countIn } from "./count.ts";
import { ApiError, createSender, type Sender, type Timer } from "./send.ts";
import { Copy, type SyncedItem } from "./sync.ts";
import type { CallOptions, ClientOf, ClientOptions } from "./types.ts";
import { type ListAnswer, type Params, walk } from "./walk.ts";

/** `overview` is the document at the address of the API, if it is already known. */
export function clientOf<Api extends ApiTypes>(
  url: string | URL,
  options: ClientOptions,
  timer?: Timer,
  overview?: Overview,
): ClientOf<Api> {
  const root = String(url)
    .replace(/\/+$/, "")
    .replace(/^(\w*:?\/\/[^/]*)?$/, `$&${defaultBase}`);
  // Throws if the address is invalid. fetch would report it as a network fault.
  new Request(root);
  const sender = createSender(options, timer);
  const askRules = rulesAt(root, sender, options.addresses, overview);
  const methods = new Map<string, unknown>();
  const client: object = new Proxy(
    {},
    {
      get: (target, property) => {
        const name = String(property);
        if (!operationName.test(name)) return Reflect.get(target, property);
        const method =
          methods.get(name) ?? (name === "changes" ? changesOf(root, sender) : operation(root, name, sender, askRules));
        methods.set(name, method);
        return method;
      },
    },
  );
  // The type has a property for each operation, and the proxy has any.
  return client as ClientOf<Api>;
}

/**
 * JavaScript looks for `then` in every value that is awaited, and for symbols and names with capitals, such as toJSON,
 * in values that are printed. Every value has a `constructor`.
 */
const operationName = /^(?!(?:then|constructor)$)[a-z][^A-Z]*$/;

/** NDJSON as JSON. */
const listOfLines = (text: string) => `[${text.trim().replaceAll("\n", ",")}]`;

const withData = (body: ListAnswer) => ({ ...body, data: [...body.data] });

/** The method of a document, with the methods of a collection: the client does not know the kind of the operation. */
function operation(root: string, name: string, sender: Sender, askRules: AskRules) {
  const { ask } = sender;
  const url = `${root}/${name}`;
  const dump = `${root}/dumps/${name}.ndjson`;
  const filters = `${root}/filters/${name}.json`;

  /** Requests a file, whose rules are known. */
  // biome-ignore lint/suspicious/noExplicitAny: the unchecked body
  const askFile = <Value>(file: string, options: CallOptions | undefined, read: (body: any) => Value) =>
    ask(file, options, read).catch((error) => {
      throw error instanceof ApiError ? missing(error) : error;
    });

  const get = async (params: Params = {}, options?: CallOptions, state?: string): Promise<ListAnswer> => {
    const rules = (await askRules(options))?.of(name);
    if (rules) {
      const file = fileOf(url, rules, params);
      if (file instanceof ApiError) throw file;
      return askFile(state ? `${file}?${state}` : file, options, withData).catch(async (error) => {
        throw error instanceof ApiError ? await explained(error, rules, params, filters, sender, options) : error;
      });
    }
    const query = Object.entries(params).flatMap(([param, value]) =>
      value === undefined ? [] : `${param}=${sent(value)}`,
    );
    if (state) query.push(state);
    return ask(`${url}?${query.join("&")}`.replace(/\?$/, ""), options, withData);
  };

  // biome-ignore lint/suspicious/noExplicitAny: the unchecked body of the overview
  const askAbout = async <Value>(options: CallOptions | undefined, read: (about: any, documents: any) => Value) =>
    ask((await askRules(options)) ? `${root}.json` : root, options, ({ operations, documents }) =>
      read(
        operations.find((entry: { readonly name: unknown }) => entry.name === name),
        documents,
      ),
    );

  const pages = (params: Params = {}, options?: CallOptions, state?: string) =>
    walk(
      params,
      (request) => get(request, options, state),
      () =>
        askAbout(options, ({ order, orders }) => [
          // Throws if there is no order.
          ...(params["sort"] === undefined ? order : ownField(orders, `${params["sort"]}`)),
        ]),
      sender,
      options?.signal,
    );

  async function count(params: Params = {}, options?: CallOptions): Promise<number> {
    const found = await ask(filters, options, (body) => countIn(body, params, filters));
    if (found instanceof ApiError) throw found;
    return found;
  }

  async function* items(params?: Params, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of pages(params, options)) yield* data;
  }

  /** Parts of dots, or without characters, could lead to another address. */
  async function askItem(key: readonly unknown[], options?: CallOptions, state?: string): Promise<SyncedItem> {
    const parts = key.map((part) => sent(part).replace(/^\.*$/, "*"));
    const query = state ? `?${state}` : "";
    return (await askRules(options))
      ? askFile(`${[url, "item", ...parts].join("/")}.json${query}`, options, (body) => body)
      : ask([url, ...parts].join("/") + query, options, (body) => body);
  }

  async function item(...key: unknown[]): Promise<unknown> {
    const options = Object(typeof key.at(-1) === "object" && key.pop());
    if (key.includes(undefined)) throw new TypeError("A part of the key is undefined.");
    return askItem(key, options);
  }

  const sync = (copy: Map<string, unknown>, since = "", options?: CallOptions): Promise<string> =>
    new Copy(copy, since).update({
      name,
      list: () => askChanges(root, sender, options),
      about: () =>
        askAbout(options, (about, documents) => ({
          ...about,
          hasDump: documents.some(({ path }: { readonly path: string }) => dump.endsWith(path)),
        })),
      dump: (state) => ask(`${dump}?${state}`, options, (body) => [...body], listOfLines),
      pages: (state) => pages({}, options, state),
      item: (key, state) => askItem(key.split("/"), options, state).catch(ifMissing),
      retries: sender.retries,
    });

  const document = async (options?: CallOptions) =>
    (await askRules(options)) ? askFile(`${url}.json`, options, (body) => body) : ask(url, options, (body) => body);
  return Object.assign(document, {
    get: (params?: Params, options?: CallOptions) => get(params, options),
    pages: (params?: Params, options?: CallOptions) => pages(params, options),
    items,
    count,
    item,
    sync,
  });
}

function ifMissing(error: Partial<ApiError> | undefined): undefined {
  if (error?.code !== "not_found") throw error;
}
