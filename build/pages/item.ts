// Single items: a file for each item, and for each of its aliases, of the operations that answer items at BASE/NAME/KEY.
import { type Catalog, type Deployment, type Items, valuesAt, wholeItem } from "../content/catalog.ts";
import { type OutputFile, outputFile } from "../file.ts";
import { itemFile } from "../routing/paths.ts";
import { type FileSum, sumOf } from "./sum.ts";

/** The files of an operation's items, including the files of aliases. `of` is the path of the operation. */
export interface ItemFiles extends FileSum {
  /** Generated one at a time. */
  readonly files: () => Iterable<OutputFile>;
}

/** For each operation of a deployment with single items. */
export const itemFilesOf = ({ api, items }: Catalog, { operations }: Deployment): readonly ItemFiles[] =>
  api.lists.flatMap((operation) => {
    const own = items.get(operation.name);
    if (operation.item === undefined || own === undefined || !operations.includes(operation.name)) return [];
    const path = `${api.base}/${operation.name}`;
    return [{ ...sumOf(path, entriesOf(path, own)), files: () => filesOf(path, own) }];
  });

function* entriesOf(path: string, items: Items) {
  for (const [name, index] of namesOf(items)) {
    yield { file: itemFile(path, name), length: wholeItem(items, index).length };
  }
}

function* filesOf(path: string, items: Items) {
  for (const [name, index] of namesOf(items)) yield outputFile(itemFile(path, name), [wholeItem(items, index)]);
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
