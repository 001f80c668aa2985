// From the catalog to files: every answer of the API, including errors.
import type { Api } from "../../src/model/api.ts";
import { countPages } from "../../src/model/paging.ts";
import { type Catalog, type Deployment, isFirst, pageSizesOf } from "../content/catalog.ts";
import { type OutputFile, textFile } from "../files/file.ts";
import { methodNotAllowed, parameterErrors } from "../routing/errors.ts";
import { type Addresses, conflictFile, errorFile, itemFolder, missingPage, pageFile } from "../routing/paths.ts";
import { type ItemFiles, itemFilesOf } from "./item.ts";
import type { Listing } from "./listing.ts";
import { listings } from "./listings.ts";
import { missingError } from "./missing.ts";

export interface ApiPlan {
  readonly listings: readonly Listing[];
  /** The number of files that are pages of listings. */
  readonly pages: number;
  /** The files that are single items. */
  readonly items: readonly ItemFiles[];
  /** The files that are neither: errors, and the content of documents. */
  readonly others: readonly OutputFile[];
  /** All files, generated one at a time, each path once. */
  readonly files: () => Iterable<OutputFile>;
  /** One of the files, found without making the others. */
  readonly find: (file: string) => OutputFile | undefined;
}

/** The answers of one deployment. Items are already serialised, pages are generated on demand. */
export function planApi(catalog: Catalog, deployment: Deployment, addresses: Addresses = "queries"): ApiPlan {
  const all = [...listings(catalog, deployment)];
  const items = itemFilesOf(catalog, deployment);
  const others = [...documentFiles(catalog.api, deployment), ...errorFiles(catalog, deployment, addresses)];
  const findPage = pageFinder(all);
  return {
    listings: all,
    // A listing that is not paged is one file.
    pages: all.reduce((sum, { cuts }) => sum + (cuts === undefined ? 1 : countPages(cuts)), 0),
    items,
    others,
    *files() {
      for (const listing of all) yield* listing.pages();
      for (const folder of items) yield* folder.all();
      yield* others;
    },
    find(file) {
      const folder = items.find(({ of: path }) => file.startsWith(`${path.slice(1)}${itemFolder}`));
      return folder?.find(file) ?? findPage(file) ?? others.find((other) => other.file === file);
    },
  };
}

/** Finds the page with a file name, by the stem of its listing. */
function pageFinder(all: readonly Listing[]): (file: string) => OutputFile | undefined {
  const byStem = new Map(all.map((listing) => [listing.stem, listing]));
  return (file) => {
    for (let end = file.length; end > 0; end = file.lastIndexOf("/", end - 1)) {
      const page = byStem.get(file.slice(0, end).replace(/\.json$/, ""))?.find(file);
      if (page !== undefined) return page;
    }
    return undefined;
  };
}

const jsonFile = (file: string, value: unknown): OutputFile => textFile(file, JSON.stringify(value));

const documentFiles = ({ base, documents }: Api, { documents: contents }: Deployment): readonly OutputFile[] =>
  documents.flatMap(({ name, documentOf }) => {
    const content = contents.get(name);
    return content === undefined ? [] : [jsonFile(pageFile(base, { operation: name }), documentOf(content))];
  });

function errorFiles(catalog: Catalog, deployment: Deployment, addresses: Addresses): readonly OutputFile[] {
  const { api, settings } = catalog;
  const { base, lists } = api;
  const { operations: served } = deployment;
  const missing = missingError({ catalog, deployment }, addresses);
  const files: OutputFile[] = [];
  for (const operation of lists) {
    const { name } = operation;
    if (!served.includes(name)) continue;
    for (const { error, conflict } of parameterErrors(api, operation, pageSizesOf(settings, name), served)) {
      files.push(jsonFile(errorFile(base, error.code, name), error));
      if (conflict !== undefined) files.push(jsonFile(conflictFile(base, conflict.param ?? "", name), conflict));
    }
  }
  const shared = [methodNotAllowed, missing].map((error) => jsonFile(errorFile(base, error.code), error));
  return [...files, ...shared, ...(isFirst(catalog) ? [jsonFile(missingPage, missing)] : [])];
}
