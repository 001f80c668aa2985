// Files that are made from the data of a build and are neither lists nor items: an address of an older API, a feed.
import type { ApiTypes, ItemOf } from "../answers/answers.ts";
import type { Deprecable } from "./deprecation.ts";
import type { PageData } from "./html.ts";

/** The content of a file: a text, which is written as UTF-8, or bytes. Undefined: there is no such file. */
export type OutputContent = string | Uint8Array | undefined;

interface OutputOptions extends Deprecable {
  /** The Content-Type. Default: by the ending of the path, for a text in UTF-8. */
  readonly type?: string;
  /** Cache-Control. Default: public, max-age=300. */
  readonly cache?: string;
}

/** One file. */
interface SingleOutput<Data> extends OutputOptions {
  readonly each?: undefined;
  /** Returns the content. It depends on nothing but `data`. A build may call it several times. */
  render(data: Data): OutputContent;
}

/** One file for each item of a collection. */
interface EachOutput<Each, Item, Data> extends OutputOptions {
  /** The name of the collection. A deployment without it has none of the files. */
  readonly each: Each;
  /** Returns the content for an item. It depends on nothing but its parameters. A build may call it several times. */
  render(item: Item, data: Data): OutputContent;
}

/** The files that an API can declare: one, or one for each item of any of its collections. */
export type OutputOf<Api extends ApiTypes> =
  | SingleOutput<PageData<Api>>
  | {
      readonly [Name in keyof Api["collections"] & string]: EachOutput<
        Name,
        ItemOf<Api["collections"][Name]>,
        PageData<Api>
      >;
    }[keyof Api["collections"] & string];

/** An output of any API, as the program reads it. */
export interface OutputDeclaration extends OutputOptions {
  readonly each?: string | undefined;
  // A method, so that the output of some collections is an output of any API.
  render(first: never, data: PageData): unknown;
}
