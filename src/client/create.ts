// Creates the client for any table of operations.
import type { Operation } from "../operation.ts";
import type { Item } from "../resource.ts";
import type { Validator } from "../schemas.ts";
import type { Environment } from "./environment.ts";
import { ApiError } from "./error.ts";
import type { ClientOf } from "./methods.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { createSender, type Sender } from "./send.ts";
import { type Answer, type Params, walk } from "./walk.ts";

/** The prefix of every path of the API. */
const base = "/api/v1";

/** The part of the table that the client needs at run time: the fields that lists ascend by, or null for documents. */
export type OrdersOf<Table extends readonly Operation[]> = {
  readonly [Each in Table[number] as Each["name"]]: Each["kind"] extends "list" ? readonly string[] : null;
};

export function clientOf<Table extends readonly Operation[]>(
  orders: OrdersOf<Table>,
  url: string | URL,
  options: ClientOptions<Table>,
  environment: Environment,
): ClientOf<Table> {
  const root = String(url).replace(new RegExp(`(${base})?/*$`), base);
  // Throws if the address is invalid. fetch would report it as a network fault.
  new Request(root);
  const sender = createSender(options, environment);
  const validators: Readonly<Record<string, Validator<unknown> | undefined>> = options.schemas ?? {};
  const methods = Object.entries<readonly string[] | null>(orders).map(([name, order]) => {
    const validator = validators[name];
    const validate = (value: unknown) => (validator ? validator.parse(value) : value);
    return [name, (order ? listMethods : documentMethod)(`${root}/${name}`, sender, validate, order ?? [])];
  });
  // The type of the orders guarantees an entry for each operation of the table.
  return Object.fromEntries(methods) as ClientOf<Table>;
}

type Validate = (value: unknown) => unknown;

function listMethods(url: string, sender: Sender, validate: Validate, order: readonly string[]) {
  const get = async (params: Params = {}, { signal }: CallOptions = {}): Promise<Answer> => {
    const query = new URLSearchParams();
    for (const name in params) if (params[name] !== undefined) query.set(name, `${params[name]}`);
    const address = `${url}?${query}`.replace(/\?$/, "");
    return read(address, await sender.send(address, signal), (body) => ({ ...body, data: body.data.map(validate) }));
  };
  const pages = (params: Params = {}, options: CallOptions = {}) =>
    walk(params, {
      get: (each) => get(each, options),
      keyOf: (item) => order.map((field) => item[field]).join(" "),
      backOff: (n) => sender.backOff(n, options.signal),
      retries: sender.retries,
    });
  async function* items(params?: Params, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages(params, options)) yield* data;
  }
  return { get, pages, items };
}

const documentMethod =
  (url: string, { send }: Sender, validate: Validate) =>
  async ({ signal }: CallOptions = {}) =>
    read(url, await send(url, signal), validate);

/** Throws ApiError if the text is not JSON or `check` throws. */
// biome-ignore lint/suspicious/noExplicitAny: the unchecked result of JSON.parse
function read<Value>(url: string, text: string, check: (body: any) => Value): Value {
  try {
    return check(JSON.parse(text));
  } catch (cause) {
    throw new ApiError("The answer is not what the operation gives.", { url, code: "unexpected_answer" }, cause);
  }
}
