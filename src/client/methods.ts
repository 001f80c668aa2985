// The client's type, derived from the table of operations.
import type { List, Page } from "../envelope.ts";
import type { EntryOf, ListOperation, Operation } from "../operation.ts";
import type { CallOptions } from "./options.ts";

/** A filter's parameter may be given always, `limit` and `cursor` where the operation is paged. */
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
  /** One answer. */
  readonly get: (params?: Params, options?: CallOptions) => Promise<Answer>;
  /**
   * Walks the pages from the first, or from `cursor`, to the last. Each item is given once, also where the API is
   * published again in between: where a cursor has expired the walk goes on without `limit`, with pages of up to 100
   * items, or starts again and leaves out the items up to the last one given, so that pages may be shorter.
   */
  readonly pages: (params?: Params, options?: CallOptions) => AsyncGenerator<Answer, void, undefined>;
  /** Walks the items of `pages`. */
  readonly items: (params?: Params, options?: CallOptions) => AsyncGenerator<Entry, void, undefined>;
}

type MethodsOf<Each extends Operation> = Each extends ListOperation
  ? ListMethods<ParamsOf<Each>, AnswerOf<Each>, EntryOf<Each>>
  : (options?: CallOptions) => Promise<EntryOf<Each>>;

/** For each operation of the table its methods, by its name. A document's is a function. */
export type ClientOf<Table extends readonly Operation[]> = {
  readonly [Each in Table[number] as Each["name"]]: MethodsOf<Each>;
};
