// The declaration of an API: plain values with the types from which clients derive theirs.
import type * as z from "zod";
import type { Scalar } from "../model/filter.ts";
import type { DeclaredOrder } from "../model/order.ts";
import type { FileFacts } from "./assets.ts";
import type { Deprecable, Deprecation } from "./deprecation.ts";
import type { PageData, PageDeclaration } from "./html.ts";
import type { OutputDeclaration, OutputOf } from "./outputs.ts";

/** The names of the declared fields whose values have a type. A loose object may have further fields. */
type FieldOf<Schema extends z.ZodObject, Type = unknown> = {
  readonly [Field in keyof Schema["shape"]]: z.output<Schema["shape"][Field]> extends Type ? Field : never;
}[keyof Schema["shape"]] &
  string;

/** The place of a call. */
export interface CallSite {
  /** A stack trace whose first frame is the call. It is formatted only when it is read, which is rare. */
  readonly stack: string | undefined;
}

interface Placed {
  readonly site: CallSite;
}

/** Returns the value or values of an item for a filter. Null, undefined and the empty text are not values. */
export type Derive<Item> = (item: Item) => Scalar | null | undefined | readonly (Scalar | null | undefined)[];

/**
 * Returns the text that stands for a value in menus: of the first item, in the order of the list, that has the value.
 * `value` is as a request has it. Without a text, the value stands for itself.
 */
type Label<Item> = (value: string, item: Item) => string | null | undefined;

/**
 * The values that a filter compares with its parameter: the value of a field, or each element of its list; with `slug` the
 * value, or each element, in lowercase ASCII with hyphens; with `keysOf` the keys of a record; or what a function derives
 * from an item. The type parameters are the names of the fields that can be used.
 */
export type FilterBy<Field = string, Text = string, Keyed = string, Item = never> =
  | Field
  | Derive<Item>
  | (Deprecable &
      (
        | { readonly field: Field; readonly slug?: undefined }
        | { readonly field: Text; readonly slug: true }
        | { readonly keysOf: Keyed }
        | { readonly of: Derive<Item>; readonly values?: readonly Scalar[]; readonly label?: Label<Item> }
      ));

/** The path of a field within objects and lists, such as `contributors[].id`. What follows the first field is checked later. */
type PathIn<Schema extends z.ZodObject> = `${FieldOf<Schema>}${`${"." | "[]."}${string}` | "[]"}`;

/** The filters that the items of a schema can have. */
export type FilterOf<Schema extends z.ZodObject> = FilterBy<
  FieldOf<Schema, Scalar | null | undefined | readonly (Scalar | null)[]> | PathIn<Schema>,
  FieldOf<Schema, string | null | undefined | readonly (string | null)[]> | PathIn<Schema>,
  FieldOf<Schema, Readonly<Record<string, unknown>> | null | undefined> | PathIn<Schema>,
  Readonly<z.output<Schema>>
>;

/** The values of a filter's parameter. */
export type ParamValue<Item, By> = By extends (item: never) => infer Result
  ? ScalarIn<Result>
  : By extends { readonly values: readonly (infer Value)[] }
    ? Value
    : By extends { readonly slug: true }
      ? string
      : By extends { readonly keysOf: infer Field }
        ? keyof NonNullable<ValueAt<Item, Field>> & string
        : By extends { readonly field: infer Field }
          ? ScalarIn<ValueAt<Item, Field>>
          : By extends { readonly of: infer Of }
            ? ParamValue<Item, Of>
            : ScalarIn<ValueAt<Item, By>>;

/** The value of a field, or the values at a path within objects and lists. */
type ValueAt<Item, Path> = Path extends Declared<Item> ? Item[Path] : PartsAt<Item, Path>;

/** The declared fields of an item, which may have others. */
type Declared<Item> = keyof { readonly [Field in keyof Item as string extends Field ? never : Field]: Item[Field] };

type PartsAt<Value, Path> = Path extends `${infer Step}.${infer Rest}`
  ? PartsAt<PartAt<Value, Step>, Rest>
  : PartAt<Value, Path>;

/** The value of a field of each object, with `[]` each element of its list, and with `*` each value of a record. */
type PartAt<Value, Step> = Step extends `${infer Field}[]`
  ? PartAt<Value, Field> extends infer List
    ? List extends readonly (infer Element)[]
      ? Element
      : never
    : never
  : Step extends "*"
    ? Value[keyof Value]
    : Value extends { readonly [Key in Step & string]?: infer Part }
      ? Part
      : never;

/** A value, or each value of a list. */
export type ScalarIn<Value> = Value extends readonly (infer Element)[]
  ? ScalarIn<Element>
  : Value extends Scalar
    ? Value
    : never;

type KeyField<Schema extends z.ZodObject> = FieldOf<Schema, string | number>;

type OrderField<Schema extends z.ZodObject> = FieldOf<Schema, Scalar | null | undefined>;

type OrderOf<Schema extends z.ZodObject> = DeclaredOrder<OrderField<Schema> | `-${OrderField<Schema>}`>;

/** An order that a request may ask for. */
export type OrderBy<Rule = DeclaredOrder> = readonly Rule[] | ({ readonly fields: readonly Rule[] } & Deprecable);

export type OrdersOf<Schema extends z.ZodObject> = Readonly<Record<string, OrderBy<OrderOf<Schema>>>>;

/**
 * An item as it was read. The values of CSV are texts; those that a `transform` returns unchanged, under their names, are
 * read as the schema asks.
 */
export type RawItem = Readonly<Record<string, unknown>>;

/** The context of a raw item that a `transform` receives besides its fields. */
export interface RawContext {
  /** The path of its file below content/. */
  readonly file: string;
  readonly name: string;
  /** The index of the item in its file, from 0, over all documents; with `load`, among all items. */
  readonly index: number;
  /** The text behind the front matter of Markdown, if there is any, or a file of the format `text`. */
  readonly body: string | undefined;
  /** The name of the item in its file, if the option `items` ends with `*` and its parent is an object. */
  readonly member: string | undefined;
  /**
   * Returns what is known of a file below content/, by its path: relative to the file of the item or, after a slash, to
   * content/. The file counts as read, and is not published. Throws if there is no such file, or if a picture is damaged.
   */
  readonly facts: (path: string) => FileFacts;
  /** The day of the build in UTC, such as 2026-11-20. An item that depends on it changes without a commit. */
  readonly date: string;
}

/**
 * Returns the item of a raw item, or a list of items, as data of JSON, before they are checked; undefined leaves it out. It
 * depends on nothing but its parameters, and is not async.
 */
export type Transform = (raw: RawItem, context: RawContext) => (object & { readonly then?: never }) | undefined;

/** The declaration of a collection. `Filters` has for each parameter the field that is compared with it. */
export interface CollectionDeclaration<
  Schema extends z.ZodObject = z.ZodObject,
  Filters extends Readonly<Record<string, FilterBy>> = Readonly<Record<string, FilterBy>>,
  Paged extends boolean = boolean,
  Orders extends Readonly<Record<string, OrderBy>> = Readonly<Record<string, OrderBy>>,
> extends Deprecable {
  /** One sentence for consumers. */
  readonly purpose: string;
  /** The name of one item and of several in a sentence. Default: item of NAME, items of NAME. */
  readonly noun?: { readonly one: string; readonly many: string };
  /**
   * An item in answers. Unknown fields are faults unless the schema is `z.looseObject`. `.describe()` of the object and of
   * its fields is for consumers; `.meta({ title })` is the name of the type, `.meta({ examples })` has examples.
   */
  readonly schema: Schema;
  /** The field or fields that identify an item. Their values are parts of paths, and unique even if case is ignored. */
  readonly key: KeyField<Schema> | readonly KeyField<Schema>[];
  /**
   * Fields by which lists are ordered, each ascending or, with `-`, descending: texts by code unit, numbers by value, false
   * before true, null last. With `fold`, case and accents of a text count only between equals; with `natural`, its digits
   * compare by value. Missing fields of the key are added. Default: the key.
   */
  readonly order?: readonly OrderOf<Schema>[];
  /**
   * Further orders, by name: `?sort=NAME` asks for one, in lists with and without filters. Each is a list of fields, as in
   * `order`, and multiplies the pages of the lists. `{ fields, deprecated }` is an order that will go.
   */
  readonly orders?: Orders & { readonly [Name in keyof Orders]: NoInfer<OrdersOf<Schema>[string]> };
  /**
   * For each parameter the field by which it filters, also within objects and lists, such as `contributors[].id`, or a
   * function that derives its values from an item. The known values are those that occur, or those in `values` of
   * `{ of, values }`; `{ of, label }` names them in menus. `{ field, deprecated }` is a filter that will go.
   */
  // With the mapped type, functions get the type of an item, also if all filters are functions; `Filters` keeps literals.
  readonly filters?: Filters & { readonly [Param in keyof Filters]: NoInfer<FilterOf<Schema>> };
  /** The pairs and triples of parameters that may be sent together. Default: each parameter is sent alone. */
  readonly together?: readonly (readonly (keyof Filters & string)[])[];
  /** Whether lists have the parameters `limit` and `cursor`, and their answers `pagination`. Default: true. */
  readonly paged?: Paged;
  /**
   * Whether each item is also at BASE/NAME/KEY, and with `aliases` at each value of that field: a text, an integer, or a
   * list of texts or integers; with `{ field, slug: true }` at the value in lowercase ASCII with hyphens. An alias of several
   * items is an error; with `repeated: "warn"` it is a warning, and none of them has the alias. Default: false.
   */
  readonly item?: ItemOption<Schema>;
  /** The fields that lists have. Single items and dumps have all fields. Default: all. */
  readonly brief?: readonly FieldOf<Schema>[];
  /**
   * One or several globs of files below content/, each with options if the files are not as the program expects them; a glob
   * after `!` excludes files. The path supplies the value of a `{field}`, which the file may omit. Default: `NAME.*` and
   * `NAME/**`.
   */
  readonly files?: string | FileOptions | readonly (string | FileOptions)[];
  /**
   * Returns the items, in place of files: from a package, a database or another API. They are checked like the items of
   * a file. Each build calls the function once, at the same time as those of other collections. It may be an async
   * generator.
   */
  readonly load?: () => LoadedItems | Promise<LoadedItems>;
  /** Makes an item from each raw item of files or of `load`, before the items are checked. */
  readonly transform?: Transform;
  /** What the files have before `transform`, for the schemas of editors. It checks nothing. Default: editors get no schema. */
  readonly written?: z.ZodObject;
  /** Makes the items from the items of other collections, in place of files. Spread the result of `from`. */
  readonly from?: From;
  /**
   * Whether the items are answered. If not, they only feed other collections, by `from` and references: a filter by a
   * reference to them knows the keys that occur. Default: true.
   */
  readonly published?: boolean;
  /** Cache-Control. Default: public, max-age=60. */
  readonly cache?: string;
  /** Fields whose change alters the meaning of the items that refer to this one. */
  readonly defining?: readonly FieldOf<Schema>[];
}

export const fileFormats = ["yaml", "json", "jsonc", "ndjson", "csv", "markdown", "toml", "text"] as const;

export type FileFormat = (typeof fileFormats)[number];

/** Files and how they are written. */
export interface FileOptions {
  /** One or several globs below content/, or below `folder`; a glob after `!` excludes files. */
  readonly match: string | readonly string[];
  /**
   * A folder outside of content/, relative to the declaration, such as `../packages`. Only the files that `match` matches are
   * read there. Default: content/.
   */
  readonly folder?: string;
  /** `text`: the file is one item, whose field `body` is all of its text. Default: by the ending of the file. */
  readonly format?: FileFormat;
  /**
   * The path of the items within a file that has fields, or within each of its documents, such as `features` or `data.nodes`;
   * `*` at its end means every member of an object or a list. Default: the file is an item or a list of items.
   */
  readonly items?: string;
  /** The field that gets the name of a member of an object, if `items` ends with `*`. */
  readonly memberName?: string;
  /** The character between the cells of CSV. Default: a comma, in .tsv a tab. */
  readonly delimiter?: string;
  /** The character around cells of CSV; false if there is none, so that `"` is a character like others. Default: `"`. */
  readonly quote?: string | false;
  /** The names of the columns of CSV, if the file has none. Default: the first row. */
  readonly header?: readonly string[];
  /** Other names for columns of CSV, by the names in its first row: `{ "Item No.": "id" }`. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The sign before the decimals of numbers in CSV: `,` reads `7,5` as 7.5. Default: a point. */
  readonly decimal?: "." | ",";
  /**
   * The texts of cells that mean null. The empty text means null as well if the field does not accept it as a text. Default:
   * the empty text.
   */
  readonly null?: readonly string[];
  /** The texts of cells that mean true and false. Default: `true` and `false`. */
  readonly booleans?: readonly [whenTrue: string, whenFalse: string];
  /** A label of the Encoding standard, such as `windows-1252`. Default: UTF-8, or UTF-16 with a byte order mark. */
  readonly encoding?: string;
}

type LoadedItems = Iterable<unknown> | AsyncIterable<unknown>;

/** The result of `from`: how to make items from the items of other collections. */
export interface From extends Placed {
  readonly collections: readonly Collection[];
  readonly make: ((item: never, collection: string) => Iterable<object>) | Grouping<never, never, unknown>;
}

/** How to make an item from the items that share a value. */
export interface Grouping<Item, Value, Values = Value | null | undefined | readonly (Value | null | undefined)[]> {
  /** Returns the value or values of an item. Null, undefined and the empty text are not values. */
  readonly by: (item: Item) => Values;
  /** Returns the item of a value, from the items that have it, in the order of their collection; undefined leaves it out. */
  readonly make: (value: Value, items: readonly Item[]) => (object & { readonly then?: never }) | undefined;
}

type ItemOption<Schema extends z.ZodObject> =
  | boolean
  | {
      readonly aliases:
        | AliasField<Schema>
        | { readonly field: AliasField<Schema>; readonly slug?: undefined; readonly repeated?: "warn" }
        | {
            readonly field: FieldOf<Schema, string | null | undefined | readonly string[]>;
            readonly slug: true;
            readonly repeated?: "warn";
          };
    };

type AliasField<Schema extends z.ZodObject> = FieldOf<
  Schema,
  string | number | null | undefined | readonly (string | number)[]
>;

/** The values that identify an item: a value for each field of the key, or an alias. */
type KeyValues<Item, Key, One> = Key extends readonly unknown[]
  ? { readonly [Index in keyof Key]: Item[Key[Index] & keyof Item] }
  : readonly [
      value:
        | Item[Key & keyof Item]
        | (One extends { readonly aliases: infer Aliases } ? ParamValue<Item, Aliases> : never),
    ];

/** The further types of a collection with single items, with lists in brief, or without answers. */
type Further<Item, Key, One, Brief, Published> = (Published extends false ? { readonly published: false } : unknown) &
  (One extends false ? unknown : { readonly key: KeyValues<Item, Key, One> }) &
  ([Brief] extends [never] ? unknown : { readonly listed: Pick<Item, Brief & keyof Item> });

/** The type of a collection with further orders: their names. */
export type Sorted<Name> = [Name] extends [never] ? unknown : { readonly sort: Name };

/**
 * A declared collection. Clients take the types of items and parameters from it; `More` has the types of single items and
 * of lists in brief.
 */
export interface Collection<Item = unknown, Params = unknown, Paged extends boolean = boolean, More = unknown>
  extends Placed {
  readonly kind: "collection";
  readonly declaration: CollectionDeclaration;
  /** The collection that this one extends. */
  readonly extended?: Collection;
  /** Only in types. */
  readonly types?: { readonly item: Item; readonly params: Params; readonly paged: Paged } & More;
}

export interface DocumentDeclaration<Schema extends z.ZodObject = z.ZodObject> extends Deprecable {
  /** One sentence for consumers. */
  readonly purpose: string;
  /** The document in answers. The content omits fields that are literals. */
  readonly schema: Schema;
  /** Whether every deployment has the document. If not, only deployments with content for it have it. */
  readonly required?: boolean;
  /** Makes the content from what a deployment's file has, before it is checked: versions of an API may read one document. */
  readonly transform?: (raw: RawItem) => object & { readonly then?: never };
  /** What a deployment's file has before `transform`, for the schemas of editors. */
  readonly written?: z.ZodObject;
  /** Cache-Control. Default: public, max-age=60. */
  readonly cache?: string;
}

export interface DocumentOf<Body = unknown> extends Placed {
  readonly kind: "document";
  readonly declaration: DocumentDeclaration;
  readonly types?: { readonly body: Body };
}

/** The options of all files that items name with `image()` and `file()`. */
interface AssetOptions {
  /** Cache-Control. Default: public, max-age=86400. The address of a file changes when the file does. */
  readonly cache?: string;
}

/** The result of `defineApi`. Clients take their types from it. */
export interface ApiDeclaration<
  Collections extends Readonly<Record<string, Collection>> = Readonly<Record<string, Collection>>,
  Documents extends Readonly<Record<string, DocumentOf>> = Readonly<Record<string, DocumentOf>>,
> extends Placed {
  readonly kind: "api";
  /** The prefix of every path. Default: /api/v1. */
  readonly base?: string | undefined;
  /** A line for consumers, before the one of api.yaml. */
  readonly title?: string | undefined;
  /** A few sentences for consumers, before those of api.yaml. */
  readonly description?: string | undefined;
  /** Tells consumers that the API will go. `use` is the base of another API of the declaration. */
  readonly deprecated?: Deprecation | undefined;
  /** The files beside the data. */
  readonly files?: AssetOptions | undefined;
  readonly collections: Collections;
  readonly documents: Documents;
  /** By path below BASE, such as docs/network. False: there are no pages for people, apart from the reference. */
  readonly pages: Readonly<Record<string, PageDeclaration>> | false;
  /** By path: below BASE, or with a slash before it below the publish root. */
  readonly outputs: Readonly<Record<string, OutputDeclaration>>;
}

/** The collections that are answered. */
type PublishedIn<Collections extends Readonly<Record<string, Collection>>> = {
  readonly [Name in keyof Collections as NonNullable<Collections[Name]["types"]> extends { readonly published: false }
    ? never
    : Name]: Collections[Name];
};

/** A list of the API at BASE/NAME, whose items are in the content. */
export function defineCollection<
  Schema extends z.ZodObject,
  // With any names of fields, so that only a filter with a wrong one is an error, and not the others beside it.
  // biome-ignore lint/complexity/noBannedTypes: no filters are no parameters
  const Filters extends Readonly<Record<string, FilterBy<string, string, string, Readonly<z.output<Schema>>>>> = {},
  const Paged extends boolean = true,
  const Key extends KeyField<Schema> | readonly KeyField<Schema>[] = KeyField<Schema>,
  const One extends ItemOption<Schema> = false,
  const Brief extends FieldOf<Schema> = never,
  const Together extends readonly (readonly string[])[] = readonly [],
  const Published extends boolean = true,
  // biome-ignore lint/complexity/noBannedTypes: no further orders
  const Orders extends OrdersOf<Schema> = {},
>(
  declaration: CollectionDeclaration<Schema, Filters, Paged, Orders> & {
    readonly published?: Published;
    readonly key: Key;
    readonly item?: One;
    readonly brief?: readonly Brief[];
    readonly together?: Together;
  },
): Collection<
  Readonly<z.output<Schema>>,
  { readonly [Param in keyof Filters]: ParamValue<z.output<Schema>, Filters[Param]> },
  // Within a call of defineApi, Paged alone would be inferred from that call, as boolean.
  Paged extends false ? false : true,
  Further<Readonly<z.output<Schema>>, Key, One, Brief, Published> & { readonly together: Together } & Sorted<
      keyof Orders & string
    >
> {
  // The type of the result has the types of items and parameters; the program reads the declaration as data.
  return { kind: "collection", declaration: declaration as unknown as CollectionDeclaration, site: callSite() };
}

/** One document at BASE/NAME, whose content is in each deployment's file. */
export const defineDocument = <Schema extends z.ZodObject>(
  declaration: DocumentDeclaration<Schema>,
): DocumentOf<Readonly<z.output<Schema>>> => ({ kind: "document", declaration, site: callSite() });

/** An API. The default export of api.config.ts is one, or a list of several with different bases. */
export const defineApi = <
  const Collections extends Readonly<Record<string, Collection>>,
  // biome-ignore lint/complexity/noBannedTypes: an API without documents
  const Documents extends Readonly<Record<string, DocumentOf>> = {},
>(declaration: {
  readonly base?: string;
  /** A line for consumers, before the one of api.yaml. */
  readonly title?: string;
  /** A few sentences for consumers, before those of api.yaml. */
  readonly description?: string;
  /** Tells consumers that the API will go. `use` is the base of another API of the declaration. Default: it stays. */
  readonly deprecated?: Deprecation;
  readonly collections: Collections;
  readonly documents?: Documents;
  /**
   * Pages for people by path below BASE, such as docs/network, beside the reference, the changes, and the tables of the
   * collections at docs/data/NAME. False: there are no pages, apart from the reference.
   */
  readonly pages?:
    | Readonly<
        Record<
          string,
          PageDeclaration<PageData<{ collections: PublishedIn<NoInfer<Collections>>; documents: NoInfer<Documents> }>>
        >
      >
    | false;
  /**
   * Files that are made from the data, by path: `places.geojson` is below BASE, `/feeds/cities.xml` below the publish root.
   * With `each`, a `{field}` in the path stands for the value of a field of each item.
   */
  readonly outputs?: Readonly<
    Record<string, OutputOf<{ collections: PublishedIn<NoInfer<Collections>>; documents: NoInfer<Documents> }>>
  >;
  readonly files?: AssetOptions;
}): ApiDeclaration<PublishedIn<Collections>, Documents> => ({
  // Unknown options are kept, so that they are reported.
  ...declaration,
  kind: "api",
  // If there are no documents, the type has none.
  documents: declaration?.documents ?? ({} as Documents),
  pages: declaration?.pages ?? {},
  outputs: declaration?.outputs ?? {},
  site: callSite(),
});

/** The call of the function that calls `callSite`. */
export function callSite(): CallSite {
  const error = new Error();
  return {
    get stack() {
      return error.stack?.split("\n").slice(3).join("\n");
    },
  };
}
