// Catalog to files: every answer of the API, errors included.
import { methodNotAllowed, notFound, parameterErrors } from "../../src/errors.ts";
import { errorFile, pageFile } from "../../src/files.ts";
import { operations } from "../../src/operations.ts";
import { countPages, everyPageSize, type PageSizes } from "../../src/paging.ts";
import { statusOf } from "../../src/resources/status.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type OutputFile, textFile } from "../file.ts";
import { type Listing, listings } from "./listing.ts";
import { pagesOf, wholeList } from "./page.ts";

/** The page that static hosts answer with where they find no file. It holds the JSON of the 404, whatever its name says. */
export const missingPage = "404.html";

export interface ApiPlan {
  readonly listings: readonly Listing[];
  /** How many files there are. */
  readonly count: number;
  /** How many of them are pages of listings. */
  readonly pages: number;
  /** The files, made one at a time, each path once. */
  readonly files: Iterable<OutputFile>;
}

/** The answers of one deployment. Items are serialised now, pages are made when they are asked for. */
export function planApi(catalog: Catalog, deployment: Deployment): ApiPlan {
  const sizesOf = (operation: string) => catalog.settings.pageSizes.get(operation) ?? everyPageSize;
  const all = [...listings(catalog, deployment)];
  const single = [statusFile(deployment), ...errorFiles(deployment, sizesOf)].flat();
  const paged = all.map(({ operation, items }) =>
    operation.paged ? countPages(items.count, sizesOf(operation.name)) : 1,
  );
  const pages = paged.reduce((sum, count) => sum + count, 0);
  return {
    listings: all,
    count: pages + single.length,
    pages,
    files: {
      *[Symbol.iterator]() {
        for (const listing of all) {
          if (listing.operation.paged) yield* pagesOf(listing, sizesOf(listing.operation.name));
          else yield wholeList(listing);
        }
        yield* single;
      },
    },
  };
}

const statusFile = ({ status }: Deployment): readonly OutputFile[] =>
  operations
    .filter(({ kind }) => kind === "document")
    .map(({ name }) => textFile(pageFile({ operation: name }), JSON.stringify(statusOf(status))));

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
