// The content of a deployment, which the documents describe.
import type { Operation } from "../../../src/model/operation.ts";
import type { Catalog, Deployment } from "../../content/catalog.ts";
import type { Settings } from "../../content/settings/chosen-settings.ts";
import type { Listing } from "../../pages/listing.ts";
import type { SiteApi } from "./addresses.ts";

export interface SiteData {
  readonly api: SiteApi;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  /** The operations of the deployment, in the order of the table. */
  readonly operations: readonly Operation[];
  readonly listings: readonly Listing[];
}

/** The whole listing of an operation. */
export const listingOf = ({ listings }: Pick<SiteData, "listings">, operation: string): Listing | undefined =>
  listings.find((listing) => listing.operation.name === operation && listing.params.length === 0);

export const isServed = ({ operations }: Pick<SiteData, "operations">, name: string): boolean =>
  operations.some((operation) => operation.name === name);
