// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { type ApiTypes, type Change, type Changes, defaultBase } from "../answers.ts";
import { ApiError } from "./error.ts";
import { createSender, type Environment, type Sender } from "./send.ts";
import { type About, sync } from "./sync.ts";
import type { CallOptions, ChangesOptions, ClientOf, ClientOptions } from "./types.ts";
import { type ListAnswer, type Params, walk } from "./walk.ts";

export function clientOf<Api extends ApiTypes>(
  url: string | URL,
  options: ClientOptions,
  environment: Environment,
): ClientOf<Api> {
  const root = rootOf(String(url));
  // Throws if the address is invalid. fetch would report it as a network fault.
  new Request(root);
  const sender = createSender(options, environment);
  const client: object = new Proxy<Record<PropertyKey, unknown>>(
    {},
    {
      get: (made, property) => {
        const name = String(property);
        if (operationName.test(name))
          made[name] ??= name === "changes" ? changesOf(root, sender) : operation(root, name, sender);
        return made[property];
      },
    },
  );
  // The type has a property for each operation, and the proxy has any.
  return client as ClientOf<Api>;
}

/** The address of the API without a slash at its end. */
const rootOf = (url: string): string => url.replace(/\/+$/, "").replace(/^(\w*:?\/\/[^/]*)?$/, `$&${defaultBase}`);

/**
 * JavaScript looks for `then` in every value that is awaited, and for symbols and names with capitals, such as toJSON,
 * in values that are printed. `constructor` is inherited.
 */
const operationName = /^(?!then$)[a-z][^A-Z]*$/;

/** Values are sent as they are. No accepted value has other characters: an asterisk takes their place. */
const sent = (value: unknown): string => `${value}`.replace(/[^\w.~-]/g, "*");

/** Rejects with ApiError if the answer is not JSON or `read` throws. `jsonOf` makes JSON of an answer of another type. */
async function ask<Value>(
  sender: Sender,
  address: string,
  { signal }: CallOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: the unchecked result of JSON.parse
  read: (body: any) => Value,
  jsonOf = (text: string) => text,
): Promise<Value> {
  const text = await sender.send(address, signal);
  try {
    return read(JSON.parse(jsonOf(text)));
  } catch (cause) {
    throw new ApiError("Unexpected answer.", { url: address, code: "unexpected_answer" }, cause);
  }
}

const askChanges = (root: string, sender: Sender, options?: CallOptions): Promise<Changes> =>
  ask(sender, `${root}/changes.json`, options, (body) => ({ ...body, data: [...body.data] }));

const changesOf = (root: string, sender: Sender) =>
  async function* changes({ since = "", ...options }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    const list = await askChanges(root, sender, options);
    if (since && since < list.since)
      throw new ApiError(`Changes are known since ${list.since}.`, {
        url: `${root}/changes.json`,
        code: "changes_expired",
      });
    yield* list.data.filter(({ at }) => at > since).reverse();
  };

/** The method of a document, with the methods of a collection: the client does not know the kind of the operation. */
function operation(root: string, name: string, sender: Sender) {
  const url = `${root}/${name}`;
  const get = (params: Params = {}, options?: CallOptions): Promise<ListAnswer> => {
    const query = Object.keys(params).flatMap((each) =>
      params[each] === undefined ? [] : `${each}=${sent(params[each])}`,
    );
    const address = `${url}?${query.join("&")}`.replace(/\?$/, "");
    return ask(sender, address, options, (body) => ({ ...body, data: [...body.data] }));
  };
  const pages = (params: Params = {}, options?: CallOptions) =>
    walk(params, {
      get: (each) => get(each, options),
      orderOf: () =>
        ask(sender, root, options, (body) => [
          ...body.operations.find((each: { readonly name: unknown }) => each.name === name).order,
        ]),
      sender,
      signal: options?.signal,
    });
  async function* items(params?: Params, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of pages(params, options)) yield* data;
  }
  async function item(...key: unknown[]): Promise<unknown> {
    const options = Object(typeof key.at(-1) === "object" && key.pop());
    if (key.includes(undefined)) throw new TypeError("A part of the key is undefined.");
    return ask(sender, addressOf(key), options, (body) => body);
  }
  /** These parts could lead to another address. */
  const addressOf = (key: readonly unknown[]): string =>
    [url, ...key.map((part) => sent(part).replace(/^\.*$/, "*"))].join("/");
  // Caches tell queries apart, which the API ignores here.
  const dump = `${root}/dumps/${name}.ndjson`;
  const syncItems = (copy: Map<string, unknown>, since?: string, options?: CallOptions): Promise<string> =>
    sync(name, copy, since, {
      changes: () => askChanges(root, sender, options),
      about: () =>
        ask(
          sender,
          root,
          options,
          (body): About => ({
            ...body.operations.find((each: { readonly name: unknown }) => each.name === name),
            hasDump: body.documents.some(({ path }: { readonly path: string }) => dump.endsWith(path)),
          }),
        ),
      item: (key, at) => ask(sender, `${addressOf(key.split("/"))}?${at}`, options, Object),
      dump: (at) =>
        ask(
          sender,
          `${dump}?${at}`,
          options,
          (body) => [...body],
          (text) => `[${text.trim().replaceAll("\n", ",")}]`,
        ),
      pages: async () => {
        const all: unknown[] = [];
        for await (const each of items({}, options)) all.push(each);
        return all;
      },
    });
  return Object.assign((options?: CallOptions) => ask(sender, url, options, (body) => body), {
    ...{ get, pages, items, item, sync: syncItems },
  });
}
