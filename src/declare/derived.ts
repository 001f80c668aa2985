// Collections that derive from others: `from` makes items from the items of another, `extend` adds fields and filters.
import * as z from "zod";
import type { Scalar } from "../model/filter.ts";
import {
  type Collection,
  type CollectionDeclaration,
  callSite,
  type FilterOf,
  type From,
  type Grouping,
  type OrdersOf,
  type ParamValue,
  type Sorted,
} from "./declare.ts";

/** The items of a collection, or of one of several. */
type ItemIn<Collections> = Collections extends readonly (infer Each)[]
  ? ItemIn<Each>
  : Collections extends Collection<infer Item>
    ? Item
    : never;

/**
 * Makes the items of a collection from the checked items of another one, or of several. Spread it into the options:
 * `...from(products, (product) => product.releases)`. With several, `collection` is the name of the item's collection. With
 * `{ by, make }`, an item is made from all items of one collection that share a value:
 * `...from(posts, { by: (post) => post.tags, make: (tag, posts) => ({ tag, count: posts.length }) })`.
 */
export const from = <
  const Collections extends Collection | readonly [Collection, ...Collection[]],
  const Value extends Scalar,
>(
  collections: Collections,
  make: ((item: ItemIn<Collections>, collection: string) => Iterable<object>) | Grouping<ItemIn<Collections>, Value>,
): { readonly from: From } => ({ from: { collections: [collections].flat(), make, site: callSite() } });

type Extended<Item, Fields extends z.ZodRawShape> = z.ZodObject<
  { [Field in keyof Item as Field extends keyof Fields ? never : Field]-?: z.ZodType<Item[Field]> } & Fields
>;

type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] };

type Merged<One, Other> = Flat<
  { readonly [Key in keyof One as Key extends keyof Other ? never : Key]: One[Key] } & Other
>;

type ExtendedItem<Item, Fields extends z.ZodRawShape> = Merged<Item, Readonly<z.output<z.ZodObject<Fields>>>>;

/** The types of single items and of lists in brief: those of the options, else those of the collection. */
type Further<Item, Before, One, Brief> = ([One] extends [never]
  ? Before extends { readonly key: infer Key }
    ? { readonly key: Key }
    : unknown
  : One extends false
    ? unknown
    : { readonly key: Before extends { readonly key: infer Key } ? Key : readonly (string | number)[] }) &
  ([Brief] extends [never]
    ? Before extends { readonly listed: infer Listed }
      ? { readonly listed: Pick<Item, keyof Listed & keyof Item> }
      : unknown
    : { readonly listed: Pick<Item, Brief & keyof Item> });

/**
 * The collection with more fields, filters and orders. Each other option replaces the collection's; `files`, `load` and `from`
 * replace one another, and its `transform`, with which `written` goes.
 */
export function extend<
  Item,
  Params,
  Before extends boolean,
  // biome-ignore lint/complexity/noBannedTypes: no further fields
  Fields extends z.ZodRawShape = {},
  // biome-ignore lint/complexity/noBannedTypes: no further filters
  const Filters extends Readonly<Record<string, FilterOf<Extended<Item, Fields>>>> = {},
  const Paged extends boolean = Before,
  Others = unknown,
  const One extends CollectionDeclaration<Extended<Item, Fields>>["item"] = never,
  const Brief extends keyof ExtendedItem<Item, Fields> = never,
  const Published extends boolean = Others extends { readonly published: false } ? false : true,
  // biome-ignore lint/complexity/noBannedTypes: no further orders
  const Orders extends OrdersOf<Extended<Item, Fields>> = {},
>(
  collection: Collection<Item, Params, Before, Others>,
  more: Partial<Omit<CollectionDeclaration<Extended<Item, Fields>, Filters, Paged, Orders>, "schema">> & {
    /** Further fields of the items. A field with the name of a field of the collection replaces that field. */
    readonly fields?: Fields;
    readonly item?: One;
    readonly brief?: readonly Brief[];
    readonly published?: Published;
  },
): Collection<
  ExtendedItem<Item, Fields>,
  Merged<Params, { readonly [Param in keyof Filters]: ParamValue<ExtendedItem<Item, Fields>, Filters[Param]> }>,
  Paged extends false ? false : true,
  Further<ExtendedItem<Item, Fields>, Others, One, Brief> &
    (Published extends false ? { readonly published: false } : unknown) &
    Sorted<(Others extends { readonly sort: infer Name } ? Name : never) | (keyof Orders & string)>
> {
  const { declaration } = collection;
  const { fields = {}, filters = {}, ...options } = more;
  const { orders, ...others } = options as Partial<CollectionDeclaration>;
  const { written, ...unwritten } = declaration;
  const { files, load, from, transform, ...sourceless } = unwritten;
  const isReplaced = ["files", "load", "from"].some((option) => Object.hasOwn(others, option));
  const isWritten = written !== undefined && !isReplaced && others.transform === undefined;
  return {
    kind: "collection",
    declaration: {
      ...(isReplaced ? sourceless : unwritten),
      ...(isWritten && { written: withFields(written, fields) }),
      ...others,
      schema: withFields(declaration.schema, fields),
      filters: { ...declaration.filters, ...filters },
      ...(declaration.orders || orders ? { orders: { ...declaration.orders, ...orders } } : {}),
    },
    extended: collection,
    site: callSite(),
  };
}

/** zod does not copy the metadata of the schema. Its examples lack the new fields, so they are left out. */
function withFields(schema: z.ZodObject, fields: z.ZodRawShape): z.ZodObject {
  if (Object.keys(fields).length === 0) return schema;
  const { id, examples, ...about } = z.globalRegistry.get(schema) ?? {};
  return schema.safeExtend(fields).register(z.globalRegistry, about);
}
