// Everything that the API publishes beside the answers of its operations, of one deployment.
import type { PageSizes } from "../../src/paging.ts";
import type { Deployment, Settings } from "../content/catalog.ts";
import type { Listing } from "../pages/listing.ts";
import type { Document } from "./document.ts";
import { dumpOf } from "./dumps.ts";
import { overview } from "./overview.ts";

export interface DocumentContext {
  readonly deployment: Deployment;
  readonly settings: Settings;
  /** Of each list operation the whole listing, followed by those of its filter's values. */
  readonly listings: readonly Listing[];
  readonly sizesOf: (operation: string) => PageSizes;
}

export function documentsOf(context: DocumentContext): readonly Document[] {
  const dumps = context.listings.filter(({ filter }) => filter === undefined).map(dumpOf);
  return [overview(context, dumps), ...dumps];
}
