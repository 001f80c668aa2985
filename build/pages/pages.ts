// From the catalog to files: every answer of the API, including errors.
import type { Api } from "../../src/api.ts";
import { methodNotAllowed, notFound, parameterErrors } from "../../src/errors.ts";
import { type Cuts, countPages, everyPageSize, type PageSizes } from "../../src/paging.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type OutputFile, textFile } from "../file.ts";
import { clashFile, errorFile, itemFolder, missingPage, pageFile } from "../routing/paths.ts";
import { type ItemFiles, itemFilesOf } from "./item.ts";
import { cutListing, type Listing, listings } from "./listing.ts";
import { pageAt, pagesOf } from "./page.ts";

export interface ApiPlan {
  readonly listings: readonly Listing[];
  readonly sizesOf: (operation: string) => PageSizes;
  /** The pages of one of the listings, if it is paged. */
  readonly cutsOf: (listing: Listing) => Cuts | undefined;
  /** The number of files that are pages of listings. */
  readonly pages: number;
  /** The files that are single items. */
  readonly items: readonly ItemFiles[];
  /** The files that are neither: errors, and the content of documents. */
  readonly others: readonly OutputFile[];
  /** All files, generated one at a time, each path once. */
  readonly files: () => Iterable<OutputFile>;
  /** One of the files, found without making all of them. */
  readonly find: (file: string) => OutputFile | undefined;
}

/** The answers of one deployment. Items are already serialised, pages are generated on demand. */
export function planApi(catalog: Catalog, deployment: Deployment): ApiPlan {
  const { api, settings } = catalog;
  const sizesOf = (operation: string) => settings.pageSizes.get(operation) ?? everyPageSize;
  const cuts = new Map<Listing, Cuts | undefined>();
  for (const each of listings(catalog, deployment)) cuts.set(each, cutListing(each, sizesOf(each.operation.name)));
  const items = itemFilesOf(catalog, deployment);
  const others = [...documentFiles(api, deployment), ...errorFiles(api, deployment, sizesOf)];
  return {
    ...{ listings: [...cuts.keys()], sizesOf, items, others },
    cutsOf: (listing) => cuts.get(listing),
    // A listing that is not paged is one file.
    pages: [...cuts.values()].reduce((sum, own) => sum + (own === undefined ? 1 : countPages(own)), 0),
    *files() {
      for (const [listing, own] of cuts) yield* pagesOf(listing, own);
      for (const { all } of items) yield* all();
      yield* others;
    },
    find(file) {
      for (const [listing, own] of cuts) {
        const page = pageAt(listing, own, file);
        if (page !== undefined) return page;
      }
      const folder = items.find(({ of: path }) => file.startsWith(`${path.slice(1)}${itemFolder}`));
      for (const each of folder?.all() ?? others) if (each.file === file) return each;
      return undefined;
    },
  };
}

const jsonFile = (file: string, value: unknown): OutputFile => textFile(file, JSON.stringify(value));

const documentFiles = ({ base, documents }: Api, { documents: contents }: Deployment): readonly OutputFile[] =>
  documents.flatMap(({ name, documentOf }) => {
    const content = contents.get(name);
    return content === undefined ? [] : [jsonFile(pageFile(base, { operation: name }), documentOf(content))];
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
