// The items that the declaration loads, from a package, a database or another API. Reports show them as lines of a file.
import type { Api, Apis } from "../../../src/model/api.ts";
import { Failure } from "../../../src/model/failure.ts";
import { dialectIn } from "../../../src/model/files.ts";
import type { ItemSource, ListOperation } from "../../../src/model/operation.ts";
import { encode } from "../../files/file.ts";
import type { Log } from "../../messages.ts";
import { dataOf } from "../formats/data.ts";
import { sourceOf } from "../formats/source.ts";
import { At, type Value } from "../formats/value.ts";
import { notData } from "./functions.ts";

/** The loaded items by the names of collections. Collections whose `load` failed are missing. */
export type Loaded = ReadonlyMap<string, readonly unknown[]>;

/**
 * Calls the `load` of all collections at once, each function once, and returns the items for each API. The log names files
 * relative to the folder of the declaration.
 */
export async function loadAll(apis: Apis, log: Log): Promise<readonly Loaded[]> {
  const calls = new Map<unknown, ReturnType<LoadSource["load"]>>();
  const called = ({ declared, load }: LoadSource) => {
    const call = calls.get(declared) ?? load();
    calls.set(declared, call);
    return call;
  };
  const resultsOf = ({ collections }: Api) =>
    Promise.all(
      collections.map(async ({ name, source }) => ({
        name,
        items: source.kind === "load" ? await called(source) : undefined,
      })),
    );
  const all = await Promise.all(apis.map(resultsOf));
  return all.map((results) => {
    const loaded = new Map<string, readonly unknown[]>();
    for (const { name, items } of results) {
      if (items instanceof Failure) log.report({ code: "throws", at: items.place, text: items.text });
      else if (items !== undefined) loaded.set(name, items);
    }
    return loaded;
  });
}

type LoadSource = Extract<ItemSource, { readonly kind: "load" }>;

/** Copies of the items as data, as values of a file. An item that is not data is reported, and is undefined. */
export function loadedValues(
  operation: ListOperation,
  loaded: readonly unknown[],
  report: Log["report"],
): readonly Value[] {
  const source = sourceOf(`${operation.name}.load.ndjson`, dialectIn("ndjson"), () =>
    encode(items.map(({ data }) => JSON.stringify(data ?? null)).join("\n")),
  );
  const items = loaded.map((item, index): Value => {
    const copied = dataOf(item);
    const at = new At(source, [index]);
    if ("data" in copied) return { data: copied.data, at };
    report(notData(`The load of ${operation.name}`, copied, at));
    return { data: undefined, at };
  });
  return items;
}
