// The declaration of an API: plain values with the types from which clients derive theirs. `apiOf` checks and completes
// them.
import type * as z from "zod";
import type { PageData, PageDeclaration } from "./pages.ts";
import type { Transform } from "./raw.ts";

/** The names of the declared fields whose values are of a type. A loose object may have others. */
type FieldOf<Schema extends z.ZodObject, Type = unknown> = {
  readonly [Field in keyof Schema["shape"]]: z.output<Schema["shape"][Field]> extends Type ? Field : never;
}[keyof Schema["shape"]] &
  string;

/** A value that is a part of paths. */
type Scalar = string | number | boolean;

/**
 * What a filter compares with its parameter: a field, or each element of a list; with `slug` the value in lowercase ASCII
 * with hyphens; with `keysOf` the keys of a record.
 */
export type FilterBy<Field extends string = string> =
  | Field
  | { readonly field: Field; readonly slug: true }
  | { readonly keysOf: Field };

/** A field in which a filter can look for values, as a declaration names it. */
export type FilterOf<Schema extends z.ZodObject> =
  | FieldOf<Schema, Scalar | null | undefined | readonly (Scalar | null)[]>
  | { readonly field: FieldOf<Schema, string | null | undefined>; readonly slug: true }
  | { readonly keysOf: FieldOf<Schema, Readonly<Record<string, unknown>> | null | undefined> };

/** The values of a filter's parameter. */
export type ParamValue<Item, By> = By extends { readonly slug: true }
  ? string
  : By extends { readonly keysOf: infer Field extends keyof Item }
    ? keyof NonNullable<Item[Field]> & string
    : By extends keyof Item
      ? ScalarIn<Item[By]>
      : never;

type ScalarIn<Value> = Value extends readonly (infer Element)[]
  ? ScalarIn<Element>
  : Value extends Scalar
    ? Value
    : never;

/** A field of a key: its values are parts of paths. */
type KeyField<Schema extends z.ZodObject> = FieldOf<Schema, string | number>;

/** A field by which lists are ordered. */
type OrderField<Schema extends z.ZodObject> = FieldOf<Schema, Scalar | null | undefined>;

/** The declaration of a collection. `Filters` gives for each parameter the field that is compared with it. */
export interface CollectionDeclaration<
  Schema extends z.ZodObject = z.ZodObject,
  Filters extends Readonly<Record<string, FilterBy>> = Readonly<Record<string, FilterBy>>,
  Paged extends boolean = boolean,
> {
  /** One sentence for consumers. */
  readonly purpose: string;
  /** The name of one item and of several in a sentence. Default: item of NAME, items of NAME. */
  readonly noun?: { readonly one: string; readonly many: string };
  /**
   * An item as answered. Unknown fields are faults unless it is `z.looseObject`. `.describe()` is for consumers, on the
   * object as on each field; `.meta({ title })` is the name of its type, `.meta({ examples })` gives examples.
   */
  readonly schema: Schema;
  /** The field, or the fields, that name an item. Their values are unique, also if case is ignored, and parts of paths. */
  readonly key: KeyField<Schema> | readonly KeyField<Schema>[];
  /**
   * Fields by which lists are ordered, each ascending or, behind `-`, descending: texts by code unit, numbers by value,
   * false before true, null last. The fields of the key are added if they are missing. Default: the key.
   */
  readonly order?: readonly (OrderField<Schema> | `-${OrderField<Schema>}`)[];
  /** For each parameter the field it filters by. */
  readonly filters?: Filters;
  /** The parameters that may be sent with one another, in twos or threes. Without it, each is sent alone. */
  readonly together?: readonly (readonly (keyof Filters & string)[])[];
  /** Whether it has the parameters `limit` and `cursor`, and its answers have `pagination`. Default: true. */
  readonly paged?: Paged;
  /**
   * Whether each item is also at BASE/NAME/KEY, and with `aliases` at each value of that field: a text, an integer, or a
   * list of them. Default: false.
   */
  readonly item?: ItemOption<Schema>;
  /** The fields that lists have. Single items and dumps have all. Default: all. */
  readonly brief?: readonly FieldOf<Schema>[];
  /**
   * A glob of files below content/, or several. A `{field}` is filled in from the path, and may be left out in the file.
   * Default: `NAME.*` and `NAME/**`.
   */
  readonly files?: string | readonly string[];
  /**
   * Returns the items, in place of files: from a package, a database or another API. They are checked like the lines of
   * a file. Each build calls it once.
   */
  readonly load?: () => Iterable<unknown> | Promise<Iterable<unknown>>;
  /** Makes the item of each raw item, from files or `load`, before the items are checked. */
  readonly transform?: Transform;
  /** Makes the items from those of another collection, in place of files. Spread what `from` returns. */
  readonly from?: From;
  /** Cache-Control. Default: public, max-age=60. */
  readonly cache?: string;
  /** Fields with times that are not before the time of another field, unless one of them is missing. */
  readonly notBefore?: readonly {
    readonly field: FieldOf<Schema>;
    readonly than: FieldOf<Schema>;
  }[];
  /** Fields whose change alters the meaning of the items that refer to this one. */
  readonly defining?: readonly FieldOf<Schema>[];
}

type AliasValue = string | number | null | undefined | readonly (string | number)[];
/** Items made from those of another collection. `from` makes it. */
export interface From {
  readonly collection: Collection;
  readonly each: (item: never) => Iterable<object>;
  /** The place of the declaration, as a stack trace. */
  readonly site: string | undefined;
}

type ItemOption<Schema extends z.ZodObject> = boolean | { readonly aliases: FieldOf<Schema, AliasValue> };

/** The values that name an item: one for each field of the key, or an alias. */
type KeyValues<Item, Key, One> = Key extends readonly unknown[]
  ? { readonly [Index in keyof Key]: Item[Key[Index] & keyof Item] }
  : readonly [
      value:
        | Item[Key & keyof Item]
        | (One extends { readonly aliases: infer Field } ? ScalarIn<Item[Field & keyof Item]> : never),
    ];

/** The types of a collection with single items, or with lists in brief. */
type Further<Item, Key, One, Brief> = (One extends false ? unknown : { readonly key: KeyValues<Item, Key, One> }) &
  ([Brief] extends [never] ? unknown : { readonly listed: Pick<Item, Brief & keyof Item> });

/**
 * A declared collection. The types of its items and parameters are what clients need of it; `More` has those of single
 * items and of lists in brief.
 */
export interface Collection<Item = unknown, Params = unknown, Paged extends boolean = boolean, More = unknown> {
  readonly kind: "collection";
  readonly declaration: CollectionDeclaration;
  /** If `extend` made it: the collection that it extends, and the options that it gives. */
  readonly extended?: { readonly collection: Collection; readonly more: object };
  /** The place of the declaration, as a stack trace. */
  readonly site: string | undefined;
  /** Only in types. */
  readonly types?: { readonly item: Item; readonly params: Params; readonly paged: Paged } & More;
}

export interface DocumentDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  /** One sentence for consumers. */
  readonly purpose: string;
  /** The document as answered. Fields that are literals are filled in and not written in the content. */
  readonly schema: Schema;
  /** Whether every deployment has it. If not, only the deployments with content for it do. */
  readonly required?: boolean;
  /** Cache-Control. Default: public, max-age=60. */
  readonly cache?: string;
}

/** A declared document. */
export interface DocumentOf<Body = unknown> {
  readonly kind: "document";
  readonly declaration: DocumentDeclaration;
  /** The place of the declaration, as a stack trace. */
  readonly site: string | undefined;
  /** Only in types. */
  readonly types?: { readonly body: Body };
}

/** The value that `defineApi` returns. Clients take their types from it. */
export interface ApiDeclaration<
  Collections extends Readonly<Record<string, Collection>> = Readonly<Record<string, Collection>>,
  Documents extends Readonly<Record<string, DocumentOf>> = Readonly<Record<string, DocumentOf>>,
> {
  readonly kind: "api";
  /** The prefix of every path. Default: /api/v1. */
  readonly base?: string | undefined;
  readonly collections: Collections;
  readonly documents: Documents;
  /** By their paths below BASE, such as docs/network. False: there are no pages for people, apart from the reference. */
  readonly pages: Readonly<Record<string, PageDeclaration>> | false;
  /** The place of the declaration, as a stack trace. */
  readonly site: string | undefined;
}

/** A list of the API at BASE/NAME, whose items are in the content. */
export function defineCollection<
  Schema extends z.ZodObject,
  // biome-ignore lint/complexity/noBannedTypes: no filters are no parameters
  const Filters extends Readonly<Record<string, FilterOf<Schema>>> = {},
  const Paged extends boolean = true,
  const Key extends KeyField<Schema> | readonly KeyField<Schema>[] = KeyField<Schema>,
  const One extends ItemOption<Schema> = false,
  const Brief extends FieldOf<Schema> = never,
>(
  declaration: CollectionDeclaration<Schema, Filters, Paged> & {
    readonly key: Key;
    readonly item?: One;
    readonly brief?: readonly Brief[];
  },
): Collection<
  Readonly<z.output<Schema>>,
  { readonly [Param in keyof Filters]: ParamValue<z.output<Schema>, Filters[Param]> },
  // Not Paged alone: within a call of defineApi it would be inferred from there, as boolean.
  Paged extends false ? false : true,
  Further<Readonly<z.output<Schema>>, Key, One, Brief>
> {
  // The types of items and parameters are in the result's type; the program reads the declaration as data.
  return { kind: "collection", declaration: declaration as unknown as CollectionDeclaration, site: callSite() };
}

/** One document at BASE/NAME, whose content is in each deployment's file. */
export const defineDocument = <Schema extends z.ZodObject>(
  declaration: DocumentDeclaration<Schema>,
): DocumentOf<Readonly<z.output<Schema>>> => ({ kind: "document", declaration, site: callSite() });

/** The API: the default export of api.config.ts. */
export const defineApi = <
  const Collections extends Readonly<Record<string, Collection>>,
  // biome-ignore lint/complexity/noBannedTypes: an API without documents
  const Documents extends Readonly<Record<string, DocumentOf>> = {},
>(declaration: {
  readonly base?: string;
  readonly collections: Collections;
  readonly documents?: Documents;
  /**
   * By its path below BASE, such as docs/network, a page for people. Each collection has a page at docs/data/NAME, which a
   * page at this path replaces. False: there are no pages, apart from the reference.
   */
  readonly pages?:
    | Readonly<
        Record<string, PageDeclaration<PageData<{ collections: NoInfer<Collections>; documents: NoInfer<Documents> }>>>
      >
    | false;
}): ApiDeclaration<Collections, Documents> => ({
  // Also unknown options, which are reported.
  ...declaration,
  kind: "api",
  // Without documents, the type has none.
  documents: declaration?.documents ?? ({} as Documents),
  pages: declaration?.pages ?? {},
  site: callSite(),
});

/** From the caller of the function that calls it. */
export const callSite = (): string | undefined => new Error().stack?.split("\n").slice(3).join("\n");
