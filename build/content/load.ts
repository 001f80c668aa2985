// The items that the declaration loads, from a package, a database or another API. They are reported as if a file had
// them, an item a line.
import type { Api } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Checked, DeclarationError, type Diagnostic } from "../diagnostics.ts";
import { encode } from "../files/file.ts";
import { dataOf, NoData } from "./data.ts";
import type { Fault } from "./fault.ts";
import { noData } from "./make.ts";
import { sourceOf } from "./source.ts";

/** What collections load, by their names; those whose `load` failed are missing. */
export type Loaded = ReadonlyMap<string, readonly unknown[]>;

/** Calls the `load` of all collections at once. Each one that fails is a fault. */
export async function loadAll({ lists }: Pick<Api, "lists">): Promise<Checked<Loaded>> {
  const results = await Promise.all(lists.map(loadOne));
  const loaded = new Map<string, readonly unknown[]>();
  for (const { name, items } of results) if (items !== undefined) loaded.set(name, items);
  return [loaded, results.flatMap(({ fault }) => fault ?? [])];
}

interface Result {
  readonly name: string;
  readonly items?: readonly unknown[] | undefined;
  readonly fault?: Diagnostic;
}

async function loadOne({ name, source }: ListOperation): Promise<Result> {
  try {
    return { name, items: source.kind === "load" ? await source.load() : undefined };
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    return { name, fault: error.diagnostic };
  }
}

/** The items as data. One that is none is a fault, and undefined. */
export function loadedSource(operation: ListOperation, loaded: readonly unknown[]) {
  const faults: Fault[] = [];
  const source = sourceOf(`${operation.name}.load.ndjson`, "ndjson", () =>
    encode(items.map((item) => JSON.stringify(item ?? null)).join("\n")),
  );
  const items = loaded.map((each, index) => {
    try {
      return dataOf(each);
    } catch (error) {
      if (!(error instanceof NoData)) throw error;
      faults.push(noData(`The load of ${operation.name}`, error, { operation, source, path: [index] }));
      return undefined;
    }
  });
  return { source, items, faults };
}
