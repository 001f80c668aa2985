// The addresses in the reference, as one of its pages links to them. A large reference has a page for each list.
import type { ListOperation, Operation } from "../../../src/model/operation.ts";
import { anchors, documentPaths, referencePageOf } from "../addresses.ts";
import { titleOfResource } from "../sentences.ts";
import type { Site } from "../site.ts";

/** The first operation of each resource. */
export const resourcesOf = ({ operations }: Pick<Site, "operations">): readonly Operation[] =>
  [...new Map(operations.toReversed().map((operation) => [titleOfResource(operation), operation])).values()].reverse();

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

/** `page` is the path of a page; undefined for links from elsewhere. */
export function placesOn(site: Pick<Site, "api" | "operations">, page = ""): ReferencePlaces {
  const at = (path: string, anchor: string) => `${path === page ? "" : path}#${anchor}`;
  const pageOfResource = (operation: Operation) => {
    const title = titleOfResource(operation);
    const first = resourcesOf(site).find((candidate) => titleOfResource(candidate) === title);
    return referencePageOf(site, first ?? operation);
  };
  return {
    page,
    start: (anchor) => at(documentPaths(site.api.base).reference, anchor),
    operation: (operation) => at(referencePageOf(site, operation), anchors.operation(operation)),
    item: (operation) => at(referencePageOf(site, operation), anchors.item(operation)),
    resource: (operation) => at(pageOfResource(operation), anchors.resource(titleOfResource(operation))),
    field: (operation, path) => at(pageOfResource(operation), anchors.field(titleOfResource(operation), path)),
  };
}
