// The types of an API's answers, derived from the type of its declaration. Without zod, so that consumers of the client
// need none.

/**
 * The part of a declaration's type from which clients take their types: what `defineApi` returns has it, and so has the
 * `Api` in the file that `stillapi types` writes.
 */
export interface ApiTypes {
  readonly collections: Readonly<Record<string, CollectionTypes>>;
  readonly documents: Readonly<Record<string, DocumentTypes>>;
}

export interface CollectionTypes {
  readonly types?: { readonly item: unknown; readonly params: unknown; readonly paged: boolean };
}

export interface DocumentTypes {
  readonly types?: { readonly body: unknown };
}

type TypesOf<Each extends CollectionTypes | DocumentTypes> = NonNullable<Each["types"]>;

/** The items of a collection. */
export type ItemOf<Each extends CollectionTypes> = TypesOf<Each>["item"];

/** The body of a document. */
export type BodyOf<Each extends DocumentTypes> = TypesOf<Each>["body"];

/** The parameters of filters, and `limit` and `cursor` if the collection is paged. */
export type ParamsOf<Each extends CollectionTypes> = {
  readonly [Name in keyof TypesOf<Each>["params"]]?: TypesOf<Each>["params"][Name] | undefined;
} & (TypesOf<Each>["paged"] extends false
  ? { readonly limit?: undefined; readonly cursor?: undefined }
  : { readonly limit?: number | undefined; readonly cursor?: string | undefined });

/** The answer with a list of items. */
export type AnswerOf<Each extends CollectionTypes> = {
  readonly true: Page<ItemOf<Each>>;
  readonly false: List<ItemOf<Each>>;
}[`${TypesOf<Each>["paged"]}`];

/** The body of a collection that is not paged. */
export interface List<Item> {
  readonly object: "list";
  readonly data: readonly Item[];
}

/** The body of a paged collection. */
export interface Page<Item> extends List<Item> {
  readonly pagination: Pagination;
}

export interface Pagination {
  readonly limit: number;
  readonly count: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export type ErrorCode = "not_found" | "method_not_allowed" | `invalid_${string}`;

export interface ErrorBody {
  readonly object: "error";
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The query parameter at fault, if any. */
  readonly param?: string;
}

/** For example a zod schema. */
export interface Validator<Value> {
  /** Returns the value, or throws if it is not valid. */
  readonly parse: (value: unknown) => Value;
}

/** For each collection the validator of an item, for each document the validator of the document. */
export type AnswerSchemas<Api extends ApiTypes> = {
  readonly [Name in keyof Api["collections"]]: Validator<ItemOf<Api["collections"][Name]>>;
} & {
  readonly [Name in keyof Api["documents"]]: Validator<BodyOf<Api["documents"][Name]>>;
};
