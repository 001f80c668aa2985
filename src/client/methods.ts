// The client's type, derived from the table of operations.
import type { List, Page } from "../envelope.ts";
import type { EntryOf, ListOperation, Operation } from "../operation.ts";
import type { CallOptions } from "./options.ts";

/** The parameters of filters, and `limit` and `cursor` if the operation is paged. */
export type ParamsOf<Each extends ListOperation> =
  Each extends ListOperation<string, infer _, infer Param, infer Paged>
    ? { readonly [Name in Param]?: string | undefined } & (Paged extends true
        ? { readonly limit?: number | undefined; readonly cursor?: string | undefined }
        : { readonly limit?: undefined; readonly cursor?: undefined })
    : never;

/** The answer of a list operation. */
export type AnswerOf<Each extends ListOperation> = Each["paged"] extends true
  ? Page<EntryOf<Each>>
  : List<EntryOf<Each>>;

export interface ListMethods<Params, Answer, Entry> {
  readonly get: (params?: Params, options?: CallOptions) => Promise<Answer>;
  /**
   * Walks the pages from the first, or from `cursor`, to the last, and returns each item once, even if the API is
   * published again meanwhile. If a cursor has expired, the walk continues without `limit`, in pages of up to 100
   * items, or starts again and omits the items up to the last one returned. Pages may then be shorter.
   */
  readonly pages: (params?: Params, options?: CallOptions) => AsyncGenerator<Answer, void, undefined>;
  /** Walks the items of `pages`. */
  readonly items: (params?: Params, options?: CallOptions) => AsyncGenerator<Entry, void, undefined>;
}

type MethodsOf<Each extends Operation> = Each extends ListOperation
  ? ListMethods<ParamsOf<Each>, AnswerOf<Each>, EntryOf<Each>>
  : (options?: CallOptions) => Promise<EntryOf<Each>>;

/** The methods of each operation, by its name. A document's is a function. */
export type ClientOf<Table extends readonly Operation[]> = {
  readonly [Each in Table[number] as Each["name"]]: MethodsOf<Each>;
};
