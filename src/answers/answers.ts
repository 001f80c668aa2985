// The contract between an API and its clients: its default address, and the types of its answers, derived from the type
// of its declaration. Consumers of the client do not need zod, so this file does not import it.

/** The prefix of every path of an API that declares no other. */
export const defaultBase = "/api/v1";

/** The part of a declaration's type from which clients take their types. The result of `defineApi` has it. */
export interface ApiTypes {
  readonly collections: Readonly<Record<string, CollectionTypes>>;
  readonly documents: Readonly<Record<string, DocumentTypes>>;
}

export interface CollectionTypes {
  readonly types?: {
    readonly item: unknown;
    /** The items in lists, if they lack fields. */
    readonly listed?: unknown;
    readonly params: unknown;
    readonly paged: boolean;
    /** The names of the orders that a request may ask for. */
    readonly sort?: string;
    /** The values that identify a single item, if there are single items. */
    readonly key?: readonly unknown[];
  };
}

export interface DocumentTypes {
  readonly types?: { readonly body: unknown };
}

type TypesOf<Each extends CollectionTypes | DocumentTypes> = NonNullable<Each["types"]>;

export type ItemOf<Each extends CollectionTypes> = TypesOf<Each>["item"];

export type ListedOf<Each extends CollectionTypes> = "listed" extends keyof TypesOf<Each>
  ? TypesOf<Each>["listed"]
  : ItemOf<Each>;

export type KeyOf<Each extends CollectionTypes> = "key" extends keyof TypesOf<Each>
  ? NonNullable<TypesOf<Each>["key"]>
  : undefined;

export type BodyOf<Each extends DocumentTypes> = TypesOf<Each>["body"];

type Only<Params, Sent extends keyof Params> = { readonly [Name in Sent]?: Params[Name] | undefined } & {
  readonly [Name in Exclude<keyof Params, Sent>]?: undefined;
};

/** The parameters of filters: one of them, or those of a set that may be sent together. */
type Combined<Params, Sets> =
  | { readonly [Name in keyof Params]: Only<Params, Name> }[keyof Params]
  | (Sets extends readonly (infer Set)[]
      ? Set extends readonly (infer Name)[]
        ? Only<Params, Name & keyof Params>
        : never
      : never);

/** Any filters, if the types of an API are unknown. */
type AnyFilters = { readonly [Param in string]?: string | number | boolean | undefined };

type FiltersOf<Types extends { readonly params: unknown }> = unknown extends Types["params"]
  ? AnyFilters
  : "together" extends keyof Types
    ? [keyof Types["params"]] extends [never]
      ? unknown
      : Combined<Types["params"], Types["together"]>
    : Only<Types["params"], keyof Types["params"]>;

interface WholeList {
  readonly limit?: undefined;
  readonly cursor?: undefined;
}

/** An order that the list has; any, if the types of an API are unknown. */
type SortOf<Types extends { readonly params: unknown }> = unknown extends Types["params"]
  ? unknown
  : { readonly sort?: (Types extends { readonly sort: infer Name } ? Name : never) | undefined };

/** The parameters of filters, without those of orders and pages. */
export type FilterParamsOf<Each extends CollectionTypes> = FiltersOf<TypesOf<Each>> &
  WholeList & { readonly sort?: undefined };

export type ParamsOf<Each extends CollectionTypes> = FiltersOf<TypesOf<Each>> &
  SortOf<TypesOf<Each>> &
  (TypesOf<Each>["paged"] extends false
    ? WholeList
    : { readonly limit?: number | undefined; readonly cursor?: string | undefined });

export type AnswerOf<Each extends CollectionTypes> = {
  readonly true: Page<ListedOf<Each>>;
  readonly false: List<ListedOf<Each>>;
}[`${TypesOf<Each>["paged"]}`];

export interface List<Item> {
  readonly object: "list";
  readonly data: readonly Item[];
}

export interface Page<Item> extends List<Item> {
  readonly pagination: Pagination;
}

export interface Pagination {
  readonly limit: number;
  readonly count: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The values of the filters of a list with their numbers of items, at `BASE/filters/NAME.json`. */
export interface Filters {
  readonly object: "filters";
  /** The number of items of the list. */
  readonly total: number;
  /** In the order in which requests are checked. */
  readonly filters: readonly FilterValues[];
  /** The parameters that may be sent together, and any of each set. */
  readonly together: readonly (readonly string[])[];
  /** Each combination of two or three parameters that may be sent together. */
  readonly combinations: readonly CombinationCounts[];
  /** If the list is paged. */
  readonly page_sizes?: readonly number[] | undefined;
}

export interface FilterValues {
  readonly param: string;
  /** All values that are accepted. */
  readonly values: readonly FilterValue[];
}

export interface FilterValue {
  readonly value: string;
  readonly count: number;
  /** The `name` of the item whose key the value is. */
  readonly name?: string | undefined;
  /** The text that stands for the value: the one whose slug it is, or the one that the API declares. */
  readonly label?: string | undefined;
}

export interface CombinationCounts {
  readonly params: readonly string[];
  /** Sets of accepted values that are not listed have no items. */
  readonly counts: readonly { readonly values: readonly string[]; readonly count: number }[];
}

/** The list of changes, at `BASE/changes.json`. */
export interface Changes<Api extends ApiTypes = ApiTypes> {
  readonly object: "changes";
  /** The list is complete since the build of this time, such as 2026-10-21T06:28:00Z. */
  readonly since: string;
  /** Names the content of that build. */
  readonly build: string;
  /** The newest first. A copy of the state `since` and `build`, or `at` and `build` of a change, is continued by those after. */
  readonly data: readonly Change<Api>[];
}

export interface Change<Api extends ApiTypes = ApiTypes> {
  /** The time of the build, such as 2026-10-21T06:28:00Z; no earlier than the time of the build before. */
  readonly at: string;
  /** Names the content of the build. */
  readonly build: string;
  readonly collections: { readonly [Name in keyof Api["collections"]]?: CollectionChanges };
  readonly documents: readonly (keyof Api["documents"])[];
  /** If the declaration of the API changed. */
  readonly declared?: DeclaredChanges;
}

/**
 * Names of what consumers can request and read: a collection or document such as `nodes`, `nodes.fields.place.city`,
 * `nodes.filters.region`, `nodes.orders.newest`, or the path of an output. What is within another one is not named.
 */
export interface DeclaredChanges {
  readonly added: readonly string[];
  /** Notices that are new or changed. */
  readonly deprecated: readonly DeclaredNotice[];
  readonly removed: readonly string[];
}

export interface DeclaredNotice {
  /** One of these names, or the base of the API. */
  readonly name: string;
  /** The day, in UTC, from which it is deprecated, such as 2026-12-01. */
  readonly since: string;
  /** The day, in UTC, from which it may be gone. */
  readonly sunset?: string;
  /** What to use in its place, by its name beside it: another collection, filter or field, or the base of another API. */
  readonly use?: string;
  /** One sentence. */
  readonly why?: string;
}

/** The keys of items, in the order of the list. The parts of a composite key are joined by slashes. */
export interface CollectionChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The number of keys that are left out. Copies have to be made anew. */
  readonly more?: number;
  /** The items have another key than before. Copies have to be made anew. */
  readonly reset?: true;
  /** What changed in items, by key: of at most 100 of them, if it is known. Older changes lose it first. */
  readonly fields?: Readonly<Record<string, FieldChanges>>;
}

/**
 * By the path of a field, such as `status`, `place.city` or `parts[axle].size`, its values before and after: null if the item
 * lacks it. The pair is empty if one of them is longer than 200 characters of JSON.
 */
export type FieldChanges = Readonly<Record<string, readonly [before: unknown, after: unknown] | readonly []>>;

export type ErrorCode = "not_found" | "method_not_allowed" | `invalid_${string}`;

export interface ErrorBody {
  readonly object: "error";
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string;
}
