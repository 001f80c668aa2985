// From the catalog to files: every answer of the API, including errors.
import type { Api } from "../../src/api.ts";
import { methodNotAllowed, notFound, parameterErrors } from "../../src/errors.ts";
import { type Cuts, countPages, everyPageSize, type PageSizes } from "../../src/paging.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type OutputFile, textFile } from "../file.ts";
import { clashFile, errorFile, itemFolder, missingPage, pageFile } from "../routing/paths.ts";
import { type ItemFiles, itemFilesOf } from "./item.ts";
import { cutListing, type Listing, listings } from "./listing.ts";
import { pageAt, pagesOf, wholeList } from "./page.ts";

export interface ApiPlan {
  readonly listings: readonly Listing[];
  readonly sizesOf: (operation: string) => PageSizes;
  /** The pages of one of the listings, if it is paged. */
  readonly cutsOf: (listing: Listing) => Cuts | undefined;
  /** The number of files. */
  readonly count: number;
  /** The number of files that are pages of listings. */
  readonly pages: number;
  /** The files that are single items. */
  readonly items: readonly ItemFiles[];
  /** The files, generated one at a time, each path once. */
  readonly files: () => Iterable<OutputFile>;
  /** One of the files, found without making all of them. */
  readonly find: (file: string) => OutputFile | undefined;
}

/** The answers of one deployment. Items are already serialised, pages are generated on demand. */
export function planApi(catalog: Catalog, deployment: Deployment): ApiPlan {
  const sizesOf = (operation: string) => catalog.settings.pageSizes.get(operation) ?? everyPageSize;
  const all = [...listings(catalog, deployment)];
  const single = [documentFiles(catalog.api, deployment), ...errorFiles(catalog.api, deployment, sizesOf)].flat();
  const cuts = new Map(all.map((listing) => [listing, cutListing(listing, sizesOf(listing.operation.name))]));
  const cutsOf = (listing: Listing) => cuts.get(listing);
  // A listing that is not paged is one file.
  const pages = [...cuts.values()].reduce((sum, own) => sum + (own === undefined ? 1 : countPages(own)), 0);
  const items = itemFilesOf(catalog, deployment);
  return {
    listings: all,
    sizesOf,
    cutsOf,
    count: pages + countItems(items) + single.length,
    pages,
    items,
    files: () => filesOf(all, cutsOf, items, single),
    find(file) {
      for (const listing of all) {
        const page = pageAt(listing, cutsOf(listing), file);
        if (page !== undefined) return page;
      }
      for (const { of: path, files } of items) {
        if (!file.startsWith(`${path.slice(1)}${itemFolder}`)) continue;
        for (const each of files()) if (each.file === file) return each;
      }
      return single.find((each) => each.file === file);
    },
  };
}

function* filesOf(
  all: readonly Listing[],
  cutsOf: ApiPlan["cutsOf"],
  items: readonly ItemFiles[],
  single: readonly OutputFile[],
): Generator<OutputFile> {
  for (const listing of all) {
    const cuts = cutsOf(listing);
    if (cuts === undefined) yield wholeList(listing);
    else yield* pagesOf(listing, cuts);
  }
  for (const { files } of items) yield* files();
  yield* single;
}

/** The number of files of single items. */
export const countItems = (items: ApiPlan["items"]): number => items.reduce((sum, { count }) => sum + count, 0);

const jsonFile = (file: string, value: unknown): OutputFile => textFile(file, JSON.stringify(value));

const documentFiles = ({ base, documents }: Api, { documents: contents }: Deployment): readonly OutputFile[] =>
  documents.flatMap(({ name, resource }) => {
    const content = contents.get(name);
    return content === undefined ? [] : [jsonFile(pageFile(base, { operation: name }), resource.documentOf(content))];
  });

function errorFiles(
  api: Api,
  { operations: served }: Deployment,
  sizesOf: (operation: string) => PageSizes,
): readonly OutputFile[] {
  const { base, lists } = api;
  const missing = notFound(api, served);
  const ofParameters = lists
    .filter(({ name }) => served.includes(name))
    .flatMap((operation) =>
      parameterErrors(api, operation, sizesOf(operation.name), served).flatMap(({ error, ...each }) => {
        const clash = each.kind === "filter" ? each.clash : undefined;
        return [
          jsonFile(errorFile(base, error.code, operation.name), error),
          ...(clash === undefined ? [] : [jsonFile(clashFile(base, clash.param ?? "", operation.name), clash)]),
        ];
      }),
    );
  const shared = [methodNotAllowed, missing].map((error) => jsonFile(errorFile(base, error.code), error));
  return [...ofParameters, ...shared, jsonFile(missingPage, missing)];
}
