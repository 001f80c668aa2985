// The types of a client from those that openapi-typescript writes for the openapi.json of an API.
import type { List } from "../answers.ts";

/**
 * The types of an API as `createClient` needs them, from the `paths` of openapi-typescript:
 * `createClient<FromOpenapi<paths>>("https://example.com")`. The document of a host that only serves files has a path for
 * each set of parameters.
 */
export interface FromOpenapi<Paths> {
  readonly collections: {
    readonly [Path in keyof Paths as BodyAt<Paths[Path]> extends List<unknown> ? NameAt<Paths, Path> : never]: {
      readonly types: CollectionAt<Paths, Path>;
    };
  };
  readonly documents: {
    readonly [Path in keyof Paths as BodyAt<Paths[Path]> extends List<unknown> ? never : NameAt<Paths, Path>]: {
      readonly types: { readonly body: BodyAt<Paths[Path]> };
    };
  };
}

type CollectionAt<Paths, Path extends keyof Paths> = {
  readonly listed: BodyAt<Paths[Path]> extends List<infer Item> ? Item : never;
  readonly params: Omit<ParamsAt<Paths, Path>, "limit" | "cursor" | "sort">;
  readonly sort: NonNullable<ParamsAt<Paths, Path> extends { readonly sort?: infer Sort } ? Sort : never> & string;
  readonly paged: BodyAt<Paths[Path]> extends { readonly pagination: unknown } ? true : false;
} & ([ItemPath<Paths, Path>] extends [never]
  ? { readonly item: BodyAt<Paths[Path]> extends List<infer Item> ? Item : never }
  : {
      readonly item: BodyAt<Paths[ItemPath<Paths, Path>]>;
      readonly key: KeyIn<ItemPath<Paths, Path>, PathParams<Paths[ItemPath<Paths, Path>]>>;
    });

/** The path of a collection's single items: `/api/v1/nodes/{id}`, or that of their files, `/api/v1/nodes/item/{id}.json`. */
type ItemPath<Paths, Path extends keyof Paths> = Extract<
  keyof Paths,
  `${Path & string}/{${string}` | `${StemOf<Path>}/item/{${string}`
>;

/** The path of a file without its ending. */
type StemOf<Path> = Path extends `${infer Stem}.json` ? Stem : never;

/** The parameters of a collection: of its query, or of the paths of its files. */
type ParamsAt<Paths, Path extends keyof Paths> = [StemOf<Path>] extends [never]
  ? QueryAt<Paths[Path]>
  : AnyOf<FileParams<Paths, StemOf<Path>>>;

/** The parameters of each file of a collection, as a union. Single items have none. */
type FileParams<Paths, Stem extends string> = {
  readonly [Path in keyof Paths]: Path extends `${Stem}/item/${string}`
    ? never
    : Path extends `${Stem}/${string}`
      ? PathParams<Paths[Path]>
      : never;
}[keyof Paths];

/** The fields of the objects of a union, each optional. */
type AnyOf<Union> = {
  readonly [Name in Union extends unknown ? keyof Union : never]?: Union extends { readonly [_ in Name]: infer Value }
    ? Value
    : never;
};

/** The name of the operation at a path. An output, whose content is not described, has none. */
type NameAt<Paths, Path extends keyof Paths> = [BodyAt<Paths[Path]>] extends [never]
  ? never
  : unknown extends BodyAt<Paths[Path]>
    ? never
    : NameOf<Path>;

/** The last part of a path, without the ending of a file. A path with parameters has none. */
type NameOf<Path> = Path extends `${string}{${string}`
  ? never
  : Path extends `${string}/${infer Rest}`
    ? NameOf<Rest>
    : Path extends `${infer Name}.json`
      ? Name
      : Path;

/** The values of a path's parameters, in the order of the path. */
type KeyIn<Path, Params> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? readonly [Params[Name & keyof Params], ...KeyIn<Rest, Params>]
  : readonly [];

type BodyAt<Path> = Path extends {
  readonly get: {
    readonly responses: { readonly 200: { readonly content: { readonly "application/json": infer Body } } };
  };
}
  ? Body
  : never;

type QueryAt<Path> = Path extends { readonly get: { readonly parameters: { readonly query?: infer Query } } }
  ? NonNullable<Query>
  : unknown;

type PathParams<Path> = Path extends { readonly get: { readonly parameters: { readonly path: infer Params } } }
  ? Params
  : never;
