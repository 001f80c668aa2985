// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { type ApiTypes, defaultBase } from "../answers.ts";
import { type Overview, rulesAt } from "./addresses.ts";
import { changesOf } from "./changes.ts";
import { ClientOperation } from "./operation.ts";
import { Sender, type Timer } from "./send.ts";
import type { AddressMethod, ClientOf, ClientOptions } from "./types.ts";

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
  const { url: origin } = new Request(root);
  const sender = new Sender(options, timer);
  const askRules = rulesAt(root, sender, options.addresses, overview);
  const addressOf: AddressMethod["address"] = (file) => new URL(file.url, origin).href;
  const methods = new Map<string, unknown>([
    ["changes", changesOf(root, sender)],
    ["address", addressOf],
  ]);
  const client: object = new Proxy(
    {},
    {
      get: (target, property) => {
        const name = String(property);
        if (!operationName.test(name)) return Reflect.get(target, property);
        const method = methods.get(name) ?? methodsOf(new ClientOperation(root, name, sender, askRules));
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

/** The method of a document, with the methods of a collection. */
const methodsOf = (operation: ClientOperation) =>
  Object.assign(operation.document.bind(operation), {
    get: operation.get.bind(operation),
    pages: operation.pages.bind(operation),
    items: operation.items.bind(operation),
    count: operation.count.bind(operation),
    item: operation.item.bind(operation),
    sync: operation.sync.bind(operation),
  });
