// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { type ApiTypes, defaultBase } from "../answers.ts";
import { ApiError } from "./error.ts";
import { createSender, type Environment, type Sender } from "./send.ts";
import type { CallOptions, ClientOf, ClientOptions } from "./types.ts";
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
        if (operationName.test(name)) made[name] ??= operation(root, name, sender);
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

/** The method of a document, with the methods of a collection: the client does not know the kind of the operation. */
function operation(root: string, name: string, sender: Sender) {
  const url = `${root}/${name}`;
  /** Rejects with ApiError if the answer is not JSON or `read` throws. */
  async function ask<Value>(
    address: string,
    { signal }: CallOptions = {},
    // biome-ignore lint/suspicious/noExplicitAny: the unchecked result of JSON.parse
    read: (body: any) => Value,
  ): Promise<Value> {
    const text = await sender.send(address, signal);
    try {
      return read(JSON.parse(text));
    } catch (cause) {
      throw new ApiError("Unexpected answer.", { url: address, code: "unexpected_answer" }, cause);
    }
  }
  const get = (params: Params = {}, options?: CallOptions): Promise<ListAnswer> => {
    const query = Object.keys(params).flatMap((each) =>
      params[each] === undefined ? [] : `${each}=${sent(params[each])}`,
    );
    const address = `${url}?${query.join("&")}`.replace(/\?$/, "");
    return ask(address, options, (body) => ({ ...body, data: [...body.data] }));
  };
  const pages = (params: Params = {}, options?: CallOptions) =>
    walk(params, {
      get: (each) => get(each, options),
      orderOf: () =>
        ask(root, options, (body) => [
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
    // These parts could lead to another address.
    const parts = key.map((part) => sent(part).replace(/^\.*$/, "*"));
    return ask([url, ...parts].join("/"), options, (body) => body);
  }
  return Object.assign((options?: CallOptions) => ask(url, options, (body) => body), { get, pages, items, item });
}
