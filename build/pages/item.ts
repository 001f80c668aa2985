// Single items: a file for each item and each of its aliases, if the operation answers items at BASE/NAME/KEY.
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Items, valuesAt, wholeItem } from "../content/table/items.ts";
import { type OutputFile, outputFile } from "../files/file.ts";
import { itemFile, itemFolder } from "../routing/paths.ts";
import { once } from "../values/once.ts";
import { type RouteFiles, sumOf } from "./cost.ts";

/**
 * For each operation of a deployment with single items, the files of the items and of their aliases. `of` is the path of the
 * operation.
 */
export function itemFilesOf({ api, items }: Catalog, { operations }: Deployment): readonly RouteFiles[] {
  const folders: RouteFiles[] = [];
  for (const operation of api.lists) {
    const collection = items.get(operation.name);
    if (operation.item === undefined || collection === undefined || !operations.includes(operation.name)) continue;
    folders.push(itemFiles(`${api.base}/${operation.name}`, collection));
  }
  return folders;
}

function itemFiles(path: string, items: Items): RouteFiles {
  const all = () => filesOf(path, items);
  const indices = once(() => indicesByFile(path, items));
  const folder = `${path.slice(1)}${itemFolder}`;
  const find = (file: string): OutputFile | undefined => {
    const index = file.startsWith(folder) ? indices().get(file) : undefined;
    return index === undefined ? undefined : outputFile(file, [wholeItem(items, index)]);
  };
  return { ...sumOf(path, all()), all, find };
}

function* filesOf(path: string, items: Items): Generator<OutputFile> {
  for (let index = 0; index < items.count; index++) {
    const bytes = [wholeItem(items, index)];
    for (const name of namesOf(items, index)) yield outputFile(itemFile(path, name), bytes);
  }
}

/** The key of an item, and its aliases. */
const namesOf = ({ keys, aliases }: Items, index: number): ReadonlySet<string> =>
  new Set([keys[index] ?? "", ...(aliases === undefined ? [] : valuesAt(aliases, index))]);

function indicesByFile(path: string, items: Items): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  for (let index = 0; index < items.count; index++) {
    for (const name of namesOf(items, index)) indices.set(itemFile(path, name), index);
  }
  return indices;
}
