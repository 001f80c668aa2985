// Creates the client. The client knows only the address of the API: each of its properties has the methods of the
// operation with that name.
import { ownField } from "../../model/fields.ts";
import { type ApiTypes, type Change, type Changes, defaultBase } from "../answers.ts";
import { type AskRules, explained, fileOf, missing, type Overview, rulesAt, sent } from "./addresses.ts";
import { countIn } from "./count.ts";
import { ApiError, createSender, type Sender, type Timer } from "./send.ts";
import type { CallOptions, ChangesOptions, ClientOf, ClientOptions } from "./types.ts";
import { keyIn, type ListAnswer, type Params, walk } from "./walk.ts";

/** An item, which the client does not check. */
type Fields = Readonly<Record<string, unknown>>;

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

const withData = (body: ListAnswer) => ({ ...body, data: [...body.data] });

/** The list of changes, and the time of the request, in milliseconds. */
const askChanges = (root: string, { ask }: Sender, options?: CallOptions) =>
  ask(`${root}/changes.json`, options, (body, headers): { readonly list: Changes; readonly asked: number } => ({
    list: { ...body, data: [...body.data] },
    // Scripts of other origins cannot read the header of every server.
    asked: clock.parse(headers.get("date") ?? "") || clock.now(),
  }));

const changesOf = (root: string, sender: Sender) =>
  async function* changes({ since = "", ...options }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    const { list } = await askChanges(root, sender, options);
    const [{ at, build } = { at: "", build: "" }] = hadIn(since);
    const end = build ? positionOf(list, { at, build }) : at && at < list.since ? -1 : list.data.length;
    if (end < 0)
      throw new ApiError(`Changes are known since ${list.since}.`, {
        url: `${root}/changes.json`,
        code: "changes_expired",
      });
    yield* list.data
      .slice(0, end)
      .filter((change) => build || change.at > at)
      .reverse();
  };

/** The number of changes in a list after a state; -1 if the list does not name the state. */
const positionOf = ({ since, build: first, data }: Changes, { at, build }: Pick<Had, "at" | "build">): number =>
  [...data, { at: since, build: first }].findIndex((state) => state.at === at && state.build === build);

// biome-ignore lint/style/noRestrictedGlobals: caches and servers may answer with an older state for a time
const clock = Date;

/**
 * How long a cache or a server may answer with another state than the list that a reader has just read, in milliseconds: a
 * publication, or a rollback, reaches them one after the other.
 */
const settling = 300_000;

/** After this time, in milliseconds, a copy that was made anew is made again, unless it is confirmed. */
const confirming = 60_000;

/** A state of the API that a copy had. */
interface Had {
  readonly at: string;
  readonly build: string;
  /** The time at which the list first named it, in milliseconds. 0: items were requested after it had settled. */
  readonly seen: number;
  /** The time of the last request for all items, in milliseconds. 0: there was none. */
  readonly whole: number;
}

const hadIn = (since: string): readonly Had[] =>
  since.split(" ").map((state) => {
    const [at = "", build = "", seen = "", whole = ""] = state.split("/");
    return { at, build, seen: clock.parse(seen) || 0, whole: clock.parse(whole) || 0 };
  });

const textOf = (had: readonly Had[]): string =>
  had
    .map(({ at, build, seen, whole }) =>
      [at, build, ...[seen, whole].filter(Boolean).map((time) => new clock(time).toISOString())].join("/"),
    )
    .join(" ");

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

  const aboutOf = (entry: About, documents: readonly { readonly path: string }[]): About => ({
    ...entry,
    hasDump: documents.some(({ path }) => dump.endsWith(path)),
  });

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
        askAbout(options, ({ order, orders, key }) => {
          const rule = params["sort"] === undefined ? order : ownField(orders, `${params["sort"]}`);
          // Throws if there is no rule.
          return { order: rule.derived ? undefined : [...rule], key };
        }),
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
  async function askItem(key: readonly unknown[], state: string, options?: CallOptions): Promise<unknown> {
    const parts = key.map((part) => sent(part).replace(/^\.*$/, "*"));
    return (await askRules(options))
      ? askFile(`${[url, "item", ...parts].join("/")}.json${state}`, options, (body) => body)
      : ask([url, ...parts].join("/") + state, options, (body) => body);
  }

  async function item(...key: unknown[]): Promise<unknown> {
    const options = Object(typeof key.at(-1) === "object" && key.pop());
    if (key.includes(undefined)) throw new TypeError("A part of the key is undefined.");
    return askItem(key, "", options);
  }

  /** Requests all items, of a state or a later one: caches tell queries apart, which the API ignores here. */
  async function itemsOf(about: About, state: string, options?: CallOptions): Promise<readonly Fields[]> {
    const jsonOf = (text: string) => `[${text.trim().replaceAll("\n", ",")}]`;
    if (about.hasDump) return ask(`${dump}?${state}`, options, (body) => [...body], jsonOf);
    const all: Fields[] = [];
    for await (const { data } of pages({}, options, state)) all.push(...(data as readonly Fields[]));
    // Lists in brief lack fields.
    if (!about.brief || !about.item) return all;
    const whole = await inTurn(all, (brief) => itemOf(keyIn(brief, about).split("/"), state, options));
    return whole.filter((item): item is Fields => item !== undefined);
  }

  /** Undefined if the item was removed. */
  const itemOf = (key: readonly unknown[], state: string, options?: CallOptions): Promise<unknown> =>
    askItem(key, `?${state}`, options).catch(ifMissing);

  /**
   * The copy changes after the last request, so that it stays as it is if one fails. The list is read again after the
   * items: if it names another state, the items may be of either. Later calls repeat the
   * requests that were sent before a state had settled.
   */
  async function sync(copy: Map<string, unknown>, since = "", options?: CallOptions): Promise<string> {
    const edits = new Map<string, unknown>();
    let isWhole = false;
    let had = hadIn(since);
    let begun = 0;
    for (let round = 0; ; round++) {
      const { list, asked } = await askChanges(root, sender, options);
      begun ||= asked;
      const { at, build } = list.data[0] ?? { at: list.since, build: list.build };
      const [last] = had;
      const isSame = last?.at === at && last.build === build;
      if (round > 0 && (isSame || round > sender.retries)) {
        // A state without a build is continued by no list.
        if (!isSame) had = [{ at, build: "", seen: 0, whole: 0 }];
        break;
      }
      const isFresh = round > 0 || (last && begun < last.whole + confirming);
      const from = isFresh ? last : had.find(({ seen }) => !seen);
      const keys = from && last && editsIn(list, name, last, from);
      const wanted = [...(keys ?? [])].filter(([, isThere]) => isThere).map(([key]) => key);
      const about = !keys || wanted.length ? await askAbout(options, aboutOf) : undefined;
      // A cache may keep the answer of a stale server under the first address.
      const state = isSame ? `${at}/${build}/${begun}` : `${at}/${build}`;
      // Items are requested one by one up to a hundred, and if they are no more than pages.
      const isFew = keys && wanted.length <= Math.max(1, Math.min(100, copy.size / 100));
      if (about && !(isFew && about.item)) {
        isWhole = true;
        edits.clear();
        for (const item of await itemsOf(about, state, options)) edits.set(keyIn(item, about), item);
        had = [{ at, build, seen: isSame && last.seen ? last.seen : begun, whole: begun }];
      } else {
        for (const [key] of keys ?? []) edits.set(key, undefined);
        const items = await inTurn(wanted, (key) => itemOf(key.split("/"), state, options));
        for (const [index, key] of wanted.entries()) edits.set(key, items[index]);
        if (!isSame) had = [{ at, build, seen: begun, whole: 0 }, ...had];
      }
      if (!about) break;
    }
    if (isWhole) copy.clear();
    for (const [key, item] of edits) {
      copy.delete(key);
      if (item !== undefined) copy.set(key, item);
    }
    const settled = had.findIndex(({ seen, whole }) => seen + settling <= (whole || begun));
    if (settled < 0) return textOf(had);
    return textOf(
      had.slice(0, settled + 1).map((state, index) => (index < settled ? state : { ...state, seen: 0, whole: 0 })),
    );
  }

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

/**
 * The keys of the items that changed after the state `from`, and whether each item still exists; undefined if the copy,
 * which has the state `last`, has to be made anew.
 */
function editsIn(list: Changes, name: string, last: Had, from: Had): ReadonlyMap<string, boolean> | undefined {
  const end = positionOf(list, from);
  if (end < 0 || positionOf(list, last) < 0) return undefined;
  const edits = new Map<string, boolean>();
  for (const { collections } of list.data.slice(0, end).reverse()) {
    const changes = ownField(collections, name);
    if (!changes) continue;
    if (changes.more || changes.reset) return undefined;
    for (const key of [...changes.added, ...changes.changed]) edits.set(key, true);
    for (const key of changes.removed) edits.set(key, false);
  }
  return edits;
}

/** An item may have been removed since the list of changes was requested. */
function ifMissing(error: Partial<ApiError>): void {
  if (error?.code !== "not_found") throw error;
}

/** At most six at once, as browsers do. The results are in the order of the values. */
async function inTurn<Value, Result>(
  values: readonly Value[],
  call: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const rest = values.entries();
  let isOver = false;
  const worker = async () => {
    for (const [index, value] of rest) {
      if (isOver) return;
      try {
        results[index] = await call(value);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return results;
}
