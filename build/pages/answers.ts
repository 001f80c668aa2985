// From the catalog to files: every answer of the API, including errors.
import type { ErrorBody } from "../../src/answers/answers.ts";
import type { Api } from "../../src/model/api.ts";
import { countPages } from "../../src/model/paging.ts";
import { basesBeside, type Catalog, type Deployment, isFirst } from "../content/catalog.ts";
import { pageSizesOf } from "../content/settings/chosen-settings.ts";
import { type OutputFile, textFile } from "../files/file.ts";
import { type Files, joinedFiles, listedFiles } from "../files/files.ts";
import { methodNotAllowed, notFound, parameterErrors } from "../routing/errors.ts";
import { type Addresses, conflictFile, errorFile, missingPage, pageFile } from "../routing/paths.ts";
import type { RouteFiles } from "./cost.ts";
import { itemFilesOf } from "./item.ts";
import type { Listing } from "./listing.ts";
import { listings } from "./listings.ts";

/** What an API answers, errors included. */
export interface Answers {
  readonly listings: readonly Listing[];
  /** The number of files that are pages of listings. */
  readonly pageCount: number;
  /** The files that are single items. */
  readonly items: readonly RouteFiles[];
  /** The files that are neither: errors, and the content of documents. */
  readonly others: readonly OutputFile[];
}

/** The answers of one deployment. Items are already serialised, pages are generated on demand. */
export function answersOf(catalog: Catalog, deployment: Deployment, addresses: Addresses = "queries"): Answers {
  const all = [...listings(catalog, deployment)];
  return {
    listings: all,
    // A listing that is not paged is one file.
    pageCount: all.reduce((sum, { cuts }) => sum + (cuts === undefined ? 1 : countPages(cuts)), 0),
    items: itemFilesOf(catalog, deployment),
    others: [...documentFiles(catalog.api, deployment), ...errorFiles(catalog, deployment, addresses)],
  };
}

export const filesOfAnswers = ({ listings, items, others }: Answers): Files =>
  joinedFiles([pagesOf(listings), ...items, listedFiles(others)]);

function pagesOf(listings: readonly Listing[]): Files {
  const byStem = new Map(listings.map((listing) => [listing.stem, listing]));
  return {
    *all() {
      for (const listing of listings) yield* listing.pages();
    },
    find(file) {
      for (let end = file.length; end > 0; end = file.lastIndexOf("/", end - 1)) {
        const page = byStem.get(file.slice(0, end).replace(/\.json$/, ""))?.find(file);
        if (page !== undefined) return page;
      }
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

/** The body of the 404 of every path of an API. */
export function missingError(
  { catalog, deployment }: { readonly catalog: Catalog; readonly deployment: Deployment },
  addresses: Addresses,
): ErrorBody {
  const { operations } = deployment;
  const { mount } = catalog.settings;
  const others = basesBeside(catalog).map((base) => mount + base);
  return notFound({ base: mount + catalog.api.base }, operations, others, addresses);
}
