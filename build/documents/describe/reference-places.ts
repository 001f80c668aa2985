// The addresses in the reference, as one of its pages links to them. A large reference has a page for each list.
import type { ListOperation, Operation } from "../../../src/model/operation.ts";
import { anchors, documentPaths, referencePageOf } from "./addresses.ts";
import type { Site } from "./site.ts";

export interface ReferencePlaces {
  /** The page that links. */
  readonly page: string;
  /** A section of the start, such as `errors`. */
  start(anchor: string): string;
  operation(operation: Operation): string;
  item(operation: ListOperation): string;
  /** The resource of an operation. */
  resource(operation: Operation): string;
  /** A field of the resource of an operation. */
  field(operation: Operation, path: string): string;
}

/** A page of the reference: the site, and the addresses as the page links to them. */
export interface ReferencePage extends Site {
  readonly places: ReferencePlaces;
}

export const referencePageAt = (site: Site, path: string): ReferencePage => ({ ...site, places: placesOn(site, path) });

/** The operations that have pages of their own, with the paths of these pages: the lists of a large reference. */
export const pagesOfLists = (site: Site) =>
  site.operations
    .map((operation) => ({ operation, path: referencePageOf(site, operation) }))
    .filter(({ path }) => path !== documentPaths(site.api.base).reference);

/** The operations that a page explains, and their endpoints. */
export function explainedOn(site: Site, page: string) {
  const isHere = (operation: Operation) => referencePageOf(site, operation) === page;
  return {
    operations: site.operations.filter(isHere),
    endpoints: site.endpoints.filter(({ operation }) => isHere(operation)),
  };
}

/** `page` is the path of a page; undefined for links from elsewhere. */
export function placesOn(site: Pick<Site, "api" | "operations">, page = ""): ReferencePlaces {
  const at = (path: string, anchor: string) => `${path === page ? "" : path}#${anchor}`;
  return {
    page,
    start: (anchor) => at(documentPaths(site.api.base).reference, anchor),
    operation: (operation) => at(referencePageOf(site, operation), anchors.operation(operation)),
    item: (operation) => at(referencePageOf(site, operation), anchors.item(operation)),
    resource: (operation) => at(referencePageOf(site, operation), anchors.resource(operation)),
    field: (operation, path) => at(referencePageOf(site, operation), anchors.field(operation, path)),
  };
}
