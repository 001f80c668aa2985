// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { type ApiTypes, type Change, type Changes, defaultBase } from "../answers.ts";
import { ApiError, createSender, type Sender, type Timer } from "./send.ts";
import type { CallOptions, ChangesOptions, ClientOf, ClientOptions } from "./types.ts";
import { type ListAnswer, type Params, walk } from "./walk.ts";

export function clientOf<Api extends ApiTypes>(
  url: string | URL,
  options: ClientOptions,
  timer?: Timer,
): ClientOf<Api> {
  const root = String(url)
    .replace(/\/+$/, "")
    .replace(/^(\w*:?\/\/[^/]*)?$/, `$&${defaultBase}`);
  // Throws if the address is invalid. fetch would report it as a network fault.
  new Request(root);
  const sender = createSender(options, timer);
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

/**
 * JavaScript looks for `then` in every value that is awaited, and for symbols and names with capitals, such as toJSON,
 * in values that are printed. `constructor` is inherited.
 */
const operationName = /^(?!then$)[a-z][^A-Z]*$/;

/** Values are sent as they are. No accepted value has other characters: an asterisk takes their place. */
const sent = (value: unknown): string => `${value}`.replace(/[^\w.~-]/g, "*");

const withData = (body: ListAnswer) => ({ ...body, data: [...body.data] });

const askChanges = (root: string, { ask }: Sender, options?: CallOptions): Promise<Changes> =>
  ask(`${root}/changes.json`, options, (body) => ({ ...body, data: [...body.data] }));

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

/** The part of the document at the address of the API that is about a collection. */
interface About {
  readonly key: string | readonly string[];
  /** The path of single items, if there are any. */
  readonly item?: string;
  /** The fields of the items in lists, if they lack some. */
  readonly brief?: readonly string[];
  readonly hasDump: boolean;
}

/** The method of a document, with the methods of a collection: the client does not know the kind of the operation. */
function operation(root: string, name: string, sender: Sender) {
  const { ask } = sender;
  const url = `${root}/${name}`;
  const dump = `${root}/dumps/${name}.ndjson`;

  const get = (params: Params = {}, options?: CallOptions): Promise<ListAnswer> => {
    const query = Object.keys(params).flatMap((each) =>
      params[each] === undefined ? [] : `${each}=${sent(params[each])}`,
    );
    return ask(`${url}?${query.join("&")}`.replace(/\?$/, ""), options, withData);
  };

  // biome-ignore lint/suspicious/noExplicitAny: the unchecked body of the overview
  const askAbout = <Value>(options: CallOptions | undefined, read: (about: any, documents: any) => Value) =>
    ask(root, options, ({ operations, documents }) =>
      read(
        operations.find((each: { readonly name: unknown }) => each.name === name),
        documents,
      ),
    );

  const pages = (params: Params = {}, options?: CallOptions) =>
    walk(
      params,
      (each) => get(each, options),
      () => askAbout(options, ({ order }) => [...order]),
      sender,
      options?.signal,
    );

  async function* items(params?: Params, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of pages(params, options)) yield* data;
  }

  /** Parts of dots, or without characters, could lead to another address. */
  const addressOf = (key: readonly unknown[]): string =>
    [url, ...key.map((part) => sent(part).replace(/^\.*$/, "*"))].join("/");

  async function item(...key: unknown[]): Promise<unknown> {
    const options = Object(typeof key.at(-1) === "object" && key.pop());
    if (key.includes(undefined)) throw new TypeError("A part of the key is undefined.");
    return ask(addressOf(key), options, (body) => body);
  }

  /** Requests all items. Caches tell queries apart, which the API ignores here. */
  async function itemsAt(at: string, isDump: boolean, options?: CallOptions): Promise<readonly unknown[]> {
    const jsonOf = (text: string) => `[${text.trim().replaceAll("\n", ",")}]`;
    if (isDump) return ask(`${dump}?${at}`, options, (body) => [...body], jsonOf);
    const all: unknown[] = [];
    for await (const each of items({}, options)) all.push(each);
    return all;
  }

  /** The copy changes after the last request, so that it stays as it is if one fails. */
  async function sync(copy: Map<string, unknown>, since?: string, options?: CallOptions): Promise<string> {
    const list = await askChanges(root, sender, options);
    const at = list.data[0]?.at ?? list.since;
    const edits = editsIn(list, name, since, at);
    const isWhole = edits === undefined;
    const wanted = [...(edits ?? [])].filter(([, isThere]) => isThere).map(([key]) => key);
    const found: unknown[] = [];
    if (isWhole || wanted.length) {
      const about = await askAbout(
        options,
        (own, documents): About => ({
          ...own,
          hasDump: documents.some(({ path }: { readonly path: string }) => dump.endsWith(path)),
        }),
      );
      // Items are requested one by one up to a hundred, and if they are no more than pages.
      const isFew = wanted.length <= Math.max(1, Math.min(100, copy.size / 100));
      if (isWhole || !isFew || !about.item) {
        const all = await itemsAt(at, !!(about.hasDump || about.brief), options);
        const keyOf = (each: unknown) => [about.key].flat().map((field) => Object(each)[field]);
        copy.clear();
        for (const each of all) copy.set(keyOf(each).join("/"), each);
        return at;
      }
      for (const key of wanted)
        found.push(await ask(`${addressOf(key.split("/"))}?${at}`, options, Object).catch(ifMissing));
    }
    for (const [key] of edits ?? []) copy.delete(key);
    for (const [index, key] of wanted.entries()) if (found[index]) copy.set(key, found[index]);
    return at;
  }

  const document = (options?: CallOptions) => ask(url, options, (body) => body);
  return Object.assign(document, { get, pages, items, item, sync });
}

/** Whether an item is there, by the keys of the items that changed; undefined if the copy has to be made anew. */
function editsIn(
  list: Changes,
  name: string,
  since: string | undefined,
  at: string,
): ReadonlyMap<string, boolean> | undefined {
  if (!since || since < list.since || since > at) return undefined;
  const edits = new Map<string, boolean>();
  for (const change of [...list.data].reverse()) {
    const own = change.collections[name];
    if (!own || change.at <= since) continue;
    if (own.more || own.reset) return undefined;
    for (const key of [...own.added, ...own.changed]) edits.set(key, true);
    for (const key of own.removed) edits.set(key, false);
  }
  return edits;
}

/** An item may have been removed since the list of changes was requested. */
function ifMissing(error: Partial<ApiError>): void {
  if (error?.code !== "not_found") throw error;
}
