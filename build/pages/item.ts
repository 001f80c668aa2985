// Single items: a file for each item, and for each of its aliases, of the operations that answer items at BASE/NAME/KEY.
import { aliasesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Catalog, type Column, type Deployment, type Items, wholeItem } from "../content/catalog.ts";
import { digestOf, type Key } from "../digest.ts";
import { encode, type OutputEntry, type OutputFile } from "../file.ts";
import { itemFile } from "../routing/paths.ts";

/** The files of an operation's items. */
export interface ItemFiles {
  /** The request path of the operation. */
  readonly path: string;
  /** The number of files, including the files of aliases. */
  readonly count: number;
  readonly bytes: number;
  /** The number of files directly in each folder. */
  readonly folders: ReadonlyMap<string, number>;
  readonly largest: OutputEntry;
  /** Made one at a time. */
  readonly files: () => Iterable<OutputFile>;
}

/** For each operation of a deployment with single items. */
export const itemFilesOf = ({ api, items }: Catalog, { operations }: Deployment): readonly ItemFiles[] =>
  api.lists.flatMap((operation) => {
    const own = items.get(operation.name);
    if (operation.item === undefined || own === undefined || !operations.includes(operation.name)) return [];
    return [filesOf(`${api.base}/${operation.name}`, operation, own)];
  });

function filesOf(path: string, operation: ListOperation, items: Items): ItemFiles {
  const names = () => namesOf(operation, items);
  const folders = new Map<string, number>();
  let [count, bytes, longest] = [0, 0, { file: "", length: 0 }];
  for (const [name, index] of names()) {
    const { length } = wholeItem(items, index);
    const scope = name.slice(0, name.lastIndexOf("/") + 1);
    folders.set(scope, (folders.get(scope) ?? 0) + 1);
    count++;
    bytes += length;
    if (length > longest.length) longest = { file: itemFile(path, name), length };
  }
  const folderOf = (scope: string): string => itemFile(path, scope).replace(/\/\.json$/, "");
  return {
    path,
    count,
    bytes,
    folders: new Map([...folders].map(([scope, amount]) => [folderOf(scope), amount])),
    largest: longest,
    *files() {
      for (const [name, index] of names()) yield new ItemFile(itemFile(path, name), items, index);
    },
  };
}

/** Each key and each alias, with the index of its item. */
function* namesOf({ item }: ListOperation, items: Items): Generator<readonly [name: string, index: number]> {
  const column = item?.aliases === undefined ? undefined : items.columns.get(item.aliases);
  const aliases = column && aliasesOf(column);
  for (let index = 0; index < items.count; index++) {
    const key = items.names[index] ?? "";
    yield [key, index];
    for (const alias of aliases?.(index) ?? []) if (alias !== key) yield [alias, index];
  }
}

function aliasesOf({ numbers, rows }: Column): (index: number) => readonly string[] {
  const lists = [...numbers.keys()].map(aliasesIn);
  return (index) => lists[rows[index] ?? 0] ?? [];
}

/** A class for the reason given in page.ts. */
class ItemFile implements OutputFile {
  readonly entry: OutputEntry;
  private readonly items: Items;
  private readonly index: number;

  constructor(file: string, items: Items, index: number) {
    this.entry = { file, length: wholeItem(items, index).length };
    this.items = items;
    this.index = index;
  }

  digest(key: Key): number {
    return digestOf([encode(this.entry.file), ...this.parts()], key);
  }

  parts(): readonly Uint8Array[] {
    return [wholeItem(this.items, this.index)];
  }
}
