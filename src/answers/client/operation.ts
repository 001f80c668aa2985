// The requests of one operation. The client does not know its kind, so an operation has the methods of a document and those
// of a collection.
import { ownField } from "../../model/fields.ts";
import type { FilterValues } from "../answers.ts";
import { type AskRules, explained, sent, staticFile, throwFileError } from "./addresses.ts";
import { askChanges } from "./changes.ts";
import { countIn, unknownIn } from "./count.ts";
import { ApiError, type Sender } from "./send.ts";
import { Copy, type SyncedItem } from "./sync.ts";
import type { CallOptions } from "./types.ts";
import { type ListAnswer, type Params, walk } from "./walk.ts";

// biome-ignore lint/suspicious/noExplicitAny: the unchecked body
type Body = any;

const whole = (body: Body) => body;

const withData = (body: Body): ListAnswer => ({ ...body, data: [...body.data] });

/** NDJSON as JSON. */
const listOfLines = (text: string) => `[${text.trim().replaceAll("\n", ",")}]`;

export class ClientOperation {
  readonly #root: string;
  readonly #name: string;
  readonly #url: string;
  readonly #filters: string;
  readonly #sender: Sender;
  readonly #askRules: AskRules;

  constructor(root: string, name: string, sender: Sender, askRules: AskRules) {
    this.#root = root;
    this.#name = name;
    this.#url = `${root}/${name}`;
    this.#filters = `${root}/filters/${name}.json`;
    this.#sender = sender;
    this.#askRules = askRules;
  }

  async document(options?: CallOptions): Promise<unknown> {
    return this.#askEither(this.#url, this.#url, options, whole);
  }

  async get(params: Params = {}, options?: CallOptions): Promise<ListAnswer> {
    const { isFiles, of } = await this.#askRules(options);
    const rules = of(this.#name);
    const unknown = rules.parameters && unknownIn(params, rules.parameters, this.#url);
    if (unknown) throw unknown;
    if (!isFiles) {
      const query = Object.entries(params).flatMap(([param, value]) =>
        value === undefined ? [] : `${param}=${sent(value)}`,
      );
      return this.#sender.ask(`${this.#url}?${query.join("&")}`.replace(/\?$/, ""), options, withData);
    }
    const file = staticFile(this.#url, rules, params);
    if (file instanceof ApiError) throw file;
    return this.#askFile(file, options, withData).catch(async (error) => {
      throw await explained(error, rules, params, this.#filters, this.#sender, options);
    });
  }

  pages(params: Params = {}, options?: CallOptions): AsyncGenerator<ListAnswer, void, undefined> {
    return walk(
      params,
      (request) => this.get(request, options),
      () =>
        this.#askAbout(options, ({ order, orders }) => [
          // Throws if there is no order.
          ...(params["sort"] === undefined ? order : ownField(orders, `${params["sort"]}`)),
        ]),
      this.#sender,
      options?.signal,
    );
  }

  async *items(params?: Params, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of this.pages(params, options)) yield* data;
  }

  async count(params: Params = {}, options?: CallOptions): Promise<number> {
    const count = await this.#sender.ask(this.#filters, options, (body) => {
      const accepted = body.filters.map(({ param }: FilterValues) => param);
      return unknownIn(params, accepted, this.#filters) ?? countIn(body, params, this.#filters);
    });
    if (count instanceof ApiError) throw count;
    return count;
  }

  async item(...key: unknown[]): Promise<unknown> {
    const options = Object(typeof key.at(-1) === "object" && key.pop());
    if (key.includes(undefined)) throw new TypeError("A part of the key is undefined.");
    return this.#askItem(key, options);
  }

  sync(copy: Map<string, unknown>, since = "", options?: CallOptions): Promise<string> {
    const root = this.#root;
    const sender = this.#sender;
    const dump = `${root}/dumps/${this.#name}.ndjson`;
    const inState = (state: string) => new ClientOperation(root, this.#name, sender.inState(state), this.#askRules);
    return new Copy(copy, since).update({
      name: this.#name,
      list: () => askChanges(root, sender, options),
      about: () =>
        this.#askAbout(options, (about, documents) => ({
          ...about,
          hasDump: documents.some(({ path }: { readonly path: string }) => dump.endsWith(path)),
        })),
      dump: (state) => sender.ask(`${dump}?${state}`, options, (body) => [...body], listOfLines),
      pages: (state) => inState(state).pages({}, options),
      item: (key, state) => inState(state).#askItem(key.split("/"), options).catch(ifMissing),
      retries: sender.retries,
    });
  }

  /** Parts of dots, or without characters, could lead to another address. */
  async #askItem(key: readonly unknown[], options: CallOptions | undefined): Promise<SyncedItem> {
    const path = key.map((part) => `/${sent(part).replace(/^\.*$/, "*")}`).join("");
    return this.#askEither(this.#url + path, `${this.#url}/item${path}`, options, whole);
  }

  /** Requests a path or, on a host that only serves files, a file. */
  async #askEither<Value>(
    url: string,
    file: string,
    options: CallOptions | undefined,
    read: (body: Body) => Value,
  ): Promise<Value> {
    return (await this.#askRules(options)).isFiles
      ? this.#askFile(`${file}.json`, options, read)
      : this.#sender.ask(url, options, read);
  }

  /** Requests a file, whose rules are known. */
  #askFile<Value>(url: string, options: CallOptions | undefined, read: (body: Body) => Value): Promise<Value> {
    return this.#sender.ask(url, options, read).catch(throwFileError);
  }

  /** What the document at the address of the API says about the operation, and its documents. */
  #askAbout<Value>(options: CallOptions | undefined, read: (about: Body, documents: Body) => Value): Promise<Value> {
    return this.#askEither(this.#root, this.#root, options, ({ operations, documents }) =>
      read(
        operations.find((entry: Body) => entry.name === this.#name),
        documents,
      ),
    );
  }
}

function ifMissing(error: Partial<ApiError> | undefined): undefined {
  if (error?.code !== "not_found") throw error;
}
