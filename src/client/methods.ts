// The type of a client, derived from the type of a declaration.
import type { AnswerOf, ApiTypes, BodyOf, CollectionTypes, ItemOf, KeyOf, ListedOf, ParamsOf } from "../answers.ts";
import type { CallOptions } from "./options.ts";

export interface ListMethods<Params, Answer, Item> {
  readonly get: (params?: Params, options?: CallOptions) => Promise<Answer>;
  /**
   * Walks the pages from the first, or from `cursor`, to the last, and returns each item once, even if the API is
   * published again meanwhile. If a cursor has expired, the walk continues without `limit`, in pages of up to 100
   * items, or starts again and omits the items up to the last one returned. Pages may then be shorter. To start again
   * it requests the order of the items from the address of the API, once in a walk; without an answer to that request
   * it rejects with `invalid_cursor`.
   */
  readonly pages: (params?: Params, options?: CallOptions) => AsyncGenerator<Answer, void, undefined>;
  /** Walks the items of `pages`. */
  readonly items: (params?: Params, options?: CallOptions) => AsyncGenerator<Item, void, undefined>;
}

export interface ItemMethod<Key extends readonly unknown[], Item> {
  /**
   * Requests the item with a key: `item("nodejs")`, or `item("nodejs", "20")` if the key has two fields. If there is none,
   * it rejects with `not_found`.
   */
  readonly item: (...key: [...Key, options?: CallOptions]) => Promise<Item>;
}

/** The method of a collection with single items. */
type ItemMethodOf<Each extends CollectionTypes> =
  KeyOf<Each> extends infer Key extends readonly unknown[] ? ItemMethod<Key, ItemOf<Each>> : unknown;

type DocumentMethod<Body> = (options?: CallOptions) => Promise<Body>;

/** By name, the methods of each collection and the method of each document. */
export type ClientOf<Api extends ApiTypes> = {
  readonly [Name in keyof Api["collections"]]: ListMethods<
    ParamsOf<Api["collections"][Name]>,
    AnswerOf<Api["collections"][Name]>,
    ListedOf<Api["collections"][Name]>
  > &
    ItemMethodOf<Api["collections"][Name]>;
} & { readonly [Name in keyof Api["documents"]]: DocumentMethod<BodyOf<Api["documents"][Name]>> };
