// Single items: a file for each item, and for each of its aliases, of the operations that answer items at BASE/NAME/KEY.
import { type Catalog, type Deployment, type Items, valuesAt, wholeItem } from "../content/catalog.ts";
import { type OutputFile, outputFile } from "../file.ts";
import { itemFile } from "../routing/paths.ts";
import { type FileSum, sumOf } from "./cost.ts";

/** The files of an operation's items, including the files of aliases. `of` is the path of the operation. */
export interface ItemFiles extends FileSum {
  /** Generated one at a time. */
  readonly all: () => Iterable<OutputFile>;
}

/** For each operation of a deployment with single items. */
export const itemFilesOf = ({ api, items }: Catalog, { operations }: Deployment): readonly ItemFiles[] =>
  api.lists.flatMap((operation) => {
    const own = items.get(operation.name);
    if (operation.item === undefined || own === undefined || !operations.includes(operation.name)) return [];
    const path = `${api.base}/${operation.name}`;
    const all = () => filesOf(path, own);
    const sum = sumOf(path, (add) => {
      for (const { file, length } of all()) add(file, length);
    });
    return [{ ...sum, all }];
  });

function* filesOf(path: string, items: Items): Generator<OutputFile> {
  for (let index = 0; index < items.count; index++) {
    const [key = "", aliases] = [items.names[index], items.aliases && valuesAt(items.aliases, index)];
    const bytes = [wholeItem(items, index)];
    for (const name of new Set([key, ...(aliases ?? [])])) yield outputFile(itemFile(path, name), bytes);
  }
}
