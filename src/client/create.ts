// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { type ApiTypes, defaultBase, type Validator } from "../answers.ts";
import { ApiError } from "./error.ts";
import { createSender, type Environment, type Sender } from "./send.ts";
import type { CallOptions, ClientOf, ClientOptions } from "./types.ts";
import { type ListAnswer, type Params, walk } from "./walk.ts";

export function clientOf<Api extends ApiTypes>(
  url: string | URL,
  options: ClientOptions<Api>,
  environment: Environment,
): ClientOf<Api> {
  const root = rootOf(String(url));
  // Throws if the address is invalid. fetch would report it as a network fault.
  new Request(root);
  const sender = createSender(options, environment);
  const validators: Readonly<Record<string, AnyValidator | undefined>> = options.schemas ?? {};
  const client: object = new Proxy<Record<PropertyKey, unknown>>(
    {},
    {
      get: (made, property) => {
        const name = String(property);
        if (operationName.test(name)) made[name] ??= operation(root, name, sender, validators[name]);
        return made[property];
      },
    },
  );
  // The type has a property for each operation, and the proxy has any.
  return client as ClientOf<Api>;
}

/** `item` is the validator of single items, if these have more fields than the items in lists. */
type AnyValidator = Validator<unknown> & { readonly item?: Validator<unknown> };

/** The address of the API without a slash at its end. */
const rootOf = (url: string): string => url.replace(/\/+$/, "").replace(/^(\w*:?\/\/[^/]*)?$/, `$&${defaultBase}`);

/**
 * JavaScript looks for `then` in every value that is awaited, and for symbols and names with capitals, such as toJSON,
 * in values that are printed. `constructor` is inherited.
 */
const operationName = /^(?!then$)[a-z][^A-Z]*$/;

/** The method of a document, with the methods of a collection: the client does not know the kind of the operation. */
function operation(root: string, name: string, sender: Sender, validator: AnyValidator | undefined) {
  const url = `${root}/${name}`;
  /** Rejects with ApiError if the answer is not JSON or `check` throws. */
  async function ask<Value>(
    address: string,
    { signal }: CallOptions = {},
    // biome-ignore lint/suspicious/noExplicitAny: the unchecked result of JSON.parse
    check: (body: any) => Value,
  ): Promise<Value> {
    const text = await sender.send(address, signal);
    try {
      return check(JSON.parse(text));
    } catch (cause) {
      throw new ApiError("Unexpected answer.", { url: address, code: "unexpected_answer" }, cause);
    }
  }
  const validate = (value: unknown, by: Validator<unknown> | undefined = validator) => (by ? by.parse(value) : value);
  const get = (params: Params = {}, options?: CallOptions): Promise<ListAnswer> => {
    const query = new URLSearchParams();
    for (const name in params) if (params[name] !== undefined) query.set(name, `${params[name]}`);
    const address = `${url}?${query}`.replace(/\?$/, "");
    return ask(address, options, (body) => ({ ...body, data: body.data.map((each: unknown) => validate(each)) }));
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
  function item(...key: unknown[]): Promise<unknown> {
    const options = Object(key.length > 1 && /^[ou]/.test(typeof key.at(-1)) && key.pop());
    // No key is empty, consists of dots or contains other characters. An asterisk replaces these parts, because they could
    // lead to another address.
    const parts = key.map((part) => `${part}`.replace(/^\.*$|[^\w.~-]/g, "*"));
    return ask([url, ...parts].join("/"), options, (body) => validate(body, validator?.item));
  }
  return Object.assign((options?: CallOptions) => ask(url, options, validate), { get, pages, items, item });
}
