import type { PageSizes } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import type { StatusContent } from "../../src/resources/status.ts";

/** All content, valid, linked and sorted. */
export interface Catalog {
  /** By the name of the operation that lists them, in its order. */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  /** By name. */
  readonly deployments: ReadonlyMap<string, Deployment>;
  readonly settings: Settings;
}

/** A host of the API: the operations it answers and its status document. */
export interface Deployment {
  readonly name: string;
  /** Names of operations, in the order of the table; status is always one of them. */
  readonly operations: readonly string[];
  readonly status: StatusContent;
}

export interface Settings {
  readonly title: string | undefined;
  readonly defaultDeployment: string;
  /** By the name of a paged operation. */
  readonly pageSizes: ReadonlyMap<string, PageSizes>;
}
