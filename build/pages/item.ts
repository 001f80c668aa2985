// Single items: a file for each item, and for each of its aliases, of the operations that answer items at BASE/NAME/KEY.
import { type Catalog, type Deployment, type Items, valuesAt, wholeItem } from "../content/catalog.ts";
import { type OutputEntry, type OutputFile, outputFile } from "../file.ts";
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
  /** Generated one at a time. */
  readonly files: () => Iterable<OutputFile>;
}

/** For each operation of a deployment with single items. */
export const itemFilesOf = ({ api, items }: Catalog, { operations }: Deployment): readonly ItemFiles[] =>
  api.lists.flatMap((operation) => {
    const own = items.get(operation.name);
    if (operation.item === undefined || own === undefined || !operations.includes(operation.name)) return [];
    return [filesOf(`${api.base}/${operation.name}`, own)];
  });

function filesOf(path: string, items: Items): ItemFiles {
  const names = () => namesOf(items);
  const folders = new Map<string, number>();
  let [count, bytes, largest] = [0, 0, { file: "", length: 0 }];
  for (const [name, index] of names()) {
    const [file, { length }] = [itemFile(path, name), wholeItem(items, index)];
    const folder = file.slice(0, file.lastIndexOf("/"));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
    count++;
    bytes += length;
    if (length > largest.length) largest = { file, length };
  }
  return {
    ...{ path, count, bytes, folders, largest },
    *files() {
      for (const [name, index] of names()) yield outputFile(itemFile(path, name), [wholeItem(items, index)]);
    },
  };
}

/** Each key and each alias, with the index of its item. */
function* namesOf(items: Items): Generator<readonly [name: string, index: number]> {
  for (let index = 0; index < items.count; index++) {
    const key = items.names[index] ?? "";
    yield [key, index];
    const aliases = items.aliases === undefined ? [] : valuesAt(items.aliases, index);
    for (const alias of aliases) if (alias !== key) yield [alias, index];
  }
}
