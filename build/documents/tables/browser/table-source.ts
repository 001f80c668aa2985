// What a table loads, each once: all items, or those of a chosen value, the names of the items to which they refer, and the
// numbers of the values of filters.

import type { Filters, FilterValue } from "../../../../src/answers/answers.ts";
import { ownField } from "../../../../src/model/fields.ts";
import type { Item } from "../../../../src/model/key.ts";
import { keyText, rowAnchor, type TargetOf, usualNameOf } from "../../describe/cells.ts";
import type { TableData } from "../data.ts";
import { itemAddress, listAddress } from "./table-state.ts";

/** The names of the items to which a list refers. */
export interface Names {
  /** The name of the item of a list with a key. */
  readonly nameIn: (list: string | undefined, key: string) => string | undefined;
  readonly targetOf: TargetOf;
}

export class TableSource {
  readonly #data: TableData;
  readonly #loading = new Map<string, Promise<unknown>>();

  constructor(data: TableData) {
    this.#data = data;
  }

  names(): Promise<Names> {
    return this.#once("names", () => loadNames(this.#data));
  }

  /** The values of the filters. */
  filters(): Promise<Filters> {
    return this.#once("filters", async () => (await answerOf(this.#data.values)).json());
  }

  async values(param: string): Promise<readonly FilterValue[]> {
    return (await this.filters()).filters.find((filter) => filter.param === param)?.values ?? [];
  }

  /** All items. Undefined if they are too many. */
  async all(): Promise<readonly Item[] | undefined> {
    const { dump } = this.#data;
    return dump === undefined ? undefined : this.#once("dump", () => load(dump));
  }

  /** The items with a value of a filter. Undefined if they are too many. */
  async withValue(param: string, value: string): Promise<readonly Item[] | undefined> {
    const count = (await this.values(param)).find((one) => one.value === value)?.count ?? 0;
    if (count > (this.#data.maxItems ?? count)) return undefined;
    if (count === 0) return [];
    return this.#once(`${param}=${value}`, () => this.#pages([[param, value]]));
  }

  /** A page of the list. */
  page(address: string): Promise<readonly Item[]> {
    return this.#once(address, async () => (await (await answerOf(address)).json()).data);
  }

  /** Undefined if there is no such item. */
  async item(key: string): Promise<Item | undefined> {
    const response = await fetch(itemAddress(this.#data, encodeURI(key)));
    const isAnswered = response.ok && response.headers.get("Content-Type")?.includes("json") === true;
    return isAnswered ? response.json() : undefined;
  }

  async #pages(sent: readonly (readonly [name: string, value: string])[]): Promise<readonly Item[]> {
    const items: Item[][] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const address = listAddress(this.#data, cursor === undefined ? sent : [...sent, ["cursor", cursor]]);
      const { data, pagination } = await (await answerOf(address)).json();
      items.push(data);
      cursor = pagination?.next_cursor ?? null;
    }
    return items.flat();
  }

  /** After a failure, the next use tries again. */
  #once<Value>(name: string, load: () => Promise<Value>): Promise<Value> {
    const loading = (this.#loading.get(name) as Promise<Value> | undefined) ?? load();
    this.#loading.set(name, loading);
    loading.catch(() => this.#loading.delete(name));
    return loading;
  }
}

async function loadNames({ lists }: TableData): Promise<Names> {
  const names = new Map<string, ReadonlyMap<string, string | undefined>>();
  await Promise.all(
    Object.entries(lists).map(async ([list, { dump, keys }]) => {
      const others = dump === undefined ? [] : await load(dump);
      names.set(list, new Map(others.map((item) => [keyText(keys, item), usualNameOf(item)])));
    }),
  );
  const nameIn: Names["nameIn"] = (list = "", key) => names.get(list)?.get(key);
  const targetOf: TargetOf = ({ to = "" }, key) => {
    const list = ownField(lists, to);
    if (list === undefined) return undefined;
    const name = nameIn(to, key);
    const { table, dump, hasItems } = list;
    // The script of a table that is too large to load would not find the row.
    if (hasItems && (table === undefined || dump === undefined)) return { href: itemAddress(list, key), name };
    return table === undefined ? undefined : { href: `${table}#${rowAnchor(key)}`, name };
  };
  return { nameIn, targetOf };
}

async function load(dump: string): Promise<readonly Item[]> {
  const lines = (await (await answerOf(dump)).text()).trimEnd();
  return lines === "" ? [] : JSON.parse(`[${lines.replaceAll("\n", ",")}]`);
}

export async function answerOf(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with the status ${response.status}.`);
  return response;
}
