// Catalog to files: every answer of the API, errors included.
import { methodNotAllowed, notFound, parameterErrors } from "../../src/errors.ts";
import { documentOperations, operations } from "../../src/operations.ts";
import { countPages, everyPageSize, type PageSizes } from "../../src/paging.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type OutputFile, textFile } from "../file.ts";
import { errorFile, pageFile } from "../routing/paths.ts";
import { type Listing, listings } from "./listing.ts";
import { type Earlier, pagesOf, wholeList } from "./page.ts";

/** The page that static hosts answer with where they find no file. It holds the JSON of the 404, whatever its name says. */
export const missingPage = "404.html";

export interface ApiPlan {
  readonly listings: readonly Listing[];
  readonly sizesOf: (operation: string) => PageSizes;
  /** How many files there are. */
  readonly count: number;
  /** How many of them are pages of listings. */
  readonly pages: number;
  /** The files, made one at a time, each path once. */
  readonly files: Iterable<OutputFile>;
}

/**
 * The answers of one deployment. Items are serialised now, pages are made when they are asked for. `last` is what the
 * last build of this process had, if its files are known by their places.
 */
export function planApi(catalog: Catalog, deployment: Deployment, last?: ApiPlan): ApiPlan {
  const sizesOf = (operation: string) => catalog.settings.pageSizes.get(operation) ?? everyPageSize;
  const all = [...listings(catalog, deployment)];
  const single = [documentFiles(deployment), ...errorFiles(deployment, sizesOf)].flat();
  const pages = all.reduce((sum, listing) => sum + pagesIn(listing, sizesOf(listing.operation.name)), 0);
  return {
    listings: all,
    sizesOf,
    count: pages + single.length,
    pages,
    files: {
      *[Symbol.iterator]() {
        const earlier = last === undefined ? new Map<string, Earlier>() : placesIn(last);
        for (const listing of all) {
          const { name, paged } = listing.operation;
          if (paged) yield* pagesOf(listing, sizesOf(name), earlier.get(nameOf(listing)));
          else yield wholeList(listing);
        }
        yield* single;
      },
    },
  };
}

const pagesIn = ({ operation, items }: Listing, sizes: PageSizes): number =>
  operation.paged ? countPages(items.count, sizes) : 1;

const nameOf = ({ operation, filter }: Listing): string => pageFile({ operation: operation.name, filter });

/** By name. The files of the listings come first, in the order of these. */
function placesIn({ listings, sizesOf }: ApiPlan): ReadonlyMap<string, Earlier> {
  const places = new Map<string, Earlier>();
  let first = 0;
  for (const listing of listings) {
    const sizes = sizesOf(listing.operation.name);
    places.set(nameOf(listing), { listing, sizes, first });
    first += pagesIn(listing, sizes);
  }
  return places;
}

const documentFiles = ({ documents }: Deployment): readonly OutputFile[] =>
  documentOperations.flatMap(({ name, resource }) => {
    const content = documents.get(name);
    if (content === undefined) return [];
    return [textFile(pageFile({ operation: name }), JSON.stringify(resource.documentOf(content)))];
  });

function errorFiles(
  { operations: served }: Deployment,
  sizesOf: (operation: string) => PageSizes,
): readonly OutputFile[] {
  const missing = notFound(served);
  const own = operations.flatMap((operation) =>
    operation.kind === "list" && served.includes(operation.name)
      ? parameterErrors(operation, sizesOf(operation.name), served).map(({ error }) =>
          textFile(errorFile(error.code, operation.name), JSON.stringify(error)),
        )
      : [],
  );
  const shared = [methodNotAllowed, missing].map((error) => textFile(errorFile(error.code), JSON.stringify(error)));
  return [...own, ...shared, textFile(missingPage, JSON.stringify(missing))];
}
