import type { DocumentOperation, ListOperation, Operation } from "./operation.ts";
import type { Resource } from "./resource.ts";

/** An API: the table from which listings, paths, routing, hosts' configurations, documents and clients derive. */
export interface Api {
  /** The prefix of every path, such as /api/v1. */
  readonly base: string;
  /** In the order in which documents list them. */
  readonly operations: readonly Operation[];
  readonly lists: readonly ListOperation[];
  readonly documents: readonly DocumentOperation[];
}

export const apiOf = (base: string, operations: readonly Operation[]): Api => ({
  base,
  operations,
  lists: operations.filter((operation) => operation.kind === "list"),
  documents: operations.filter((operation) => operation.kind === "document"),
});

/** The operation that lists the items a field refers to. */
export function referenced(
  { lists }: Pick<Api, "lists">,
  { noun, references }: Resource,
  field: string,
): ListOperation {
  const to = references.find((reference) => reference.field === field)?.to;
  const target = lists.find(({ name }) => name === to);
  if (target === undefined) throw new Error(`The ${field} of a ${noun} refers to no operation's items.`);
  return target;
}
