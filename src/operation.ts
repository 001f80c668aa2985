// The form of an entry in the table of operations.
import type { DocumentResource, Item, Resource } from "./resource.ts";

export interface Filter<Field extends string = string, Param extends string = string> {
  /** The query parameter. */
  readonly param: Param;
  /**
   * The field that is compared with the parameter. It refers to items of another resource, whose keys are the accepted
   * values.
   */
  readonly field: Field;
}

/**
 * An operation that lists the items of a resource. Clients derive their types from the literal types of the parameters.
 */
export interface ListOperation<
  Name extends string = string,
  Entry extends Item = Item,
  Param extends string = string,
  Paged extends boolean = boolean,
  Field extends string = keyof Entry & string,
> {
  readonly kind: "list";
  readonly name: Name;
  readonly purpose: string;
  readonly resource: Resource<Entry, Field>;
  /** Fields with string values. The items ascend by the first, then the second and so on, in order of code units. */
  readonly order: readonly Field[];
  readonly filter?: Filter<Field, Param>;
  /** The parameters of filters that a request may send together, all or some of them. */
  readonly together?: readonly (readonly string[])[];
  /** Whether it has the parameters `limit` and `cursor`, and its answers have `pagination`. */
  readonly paged: Paged;
  readonly cacheControl: string;
}

/** An operation that returns one document. Its content is in each deployment's file, under the operation's name. */
export interface DocumentOperation<Name extends string = string, Document extends Item = Item> {
  readonly kind: "document";
  readonly name: Name;
  readonly purpose: string;
  readonly resource: DocumentResource<Document>;
  /** Whether every deployment has it. If not, only the deployments with content for it do. */
  readonly required?: boolean;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** The items of a list operation, or the document of another. */
export type EntryOf<Each extends Operation> =
  Each extends ListOperation<string, infer Entry>
    ? Entry
    : Each extends DocumentOperation<string, infer Document>
      ? Document
      : never;

/** Type-checks an entry against the fields of its resource. Without a filter `Param` is never. */
export const list = <
  const Name extends string,
  Entry extends Item,
  Field extends string,
  const Paged extends boolean,
  const Param extends string = never,
>(
  operation: { readonly resource: Resource<Entry, Field> } & Omit<
    ListOperation<Name, NoInfer<Entry>, Param, Paged, NoInfer<Field>>,
    "kind" | "resource"
  >,
): ListOperation<Name, Entry, NoInfer<Param>, Paged, Field> => ({ kind: "list", ...operation });

/** The filters of an operation, in the order in which they are checked and occur in a path. */
export function filtersOf(operation: Operation): readonly Filter[] {
  return operation.kind === "list" && operation.filter !== undefined ? [operation.filter] : [];
}
