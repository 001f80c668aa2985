// What an entry in the table of operations is.
import type { DocumentResource, Resource } from "./resource.ts";

export interface Filter<Field extends string = string> {
  /** The query parameter. */
  readonly param: string;
  /** The field it is compared with: one that names an item of another resource. Those items' keys are the known values. */
  readonly field: Field;
}

/** An operation that lists the items of a resource. */
export interface ListOperation<Field extends string = string> {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource<Field>;
  /** Fields of strings. The items ascend by the first, then the second and so on, by code unit. */
  readonly order: readonly Field[];
  readonly filter?: Filter<Field>;
  /** Whether it takes `limit` and `cursor` and its answers carry `pagination`. */
  readonly paged: boolean;
  readonly cacheControl: string;
}

/** An operation that gives one document. Its content is in each deployment's file, under the operation's name. */
export interface DocumentOperation {
  readonly kind: "document";
  readonly name: string;
  readonly purpose: string;
  readonly resource: DocumentResource;
  /** Whether every deployment has it. Otherwise those have it whose files hold its content. */
  readonly required?: boolean;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** Checks an entry against the fields of its own resource. The type it returns knows no fields. */
export const list = <Field extends string>(
  operation: { readonly resource: Resource<Field> } & Omit<ListOperation<NoInfer<Field>>, "kind" | "resource">,
): ListOperation => ({ kind: "list", ...operation });

/** The filters of an operation, in the order in which they are checked and stand in a path. */
export function filtersOf(operation: Operation): readonly Filter[] {
  return operation.kind === "list" && operation.filter !== undefined ? [operation.filter] : [];
}
