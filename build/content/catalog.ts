// All content of an API, and the parts of it that are in no folder of their own.
import type { FileFacts } from "../../src/declare/assets.ts";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { Api } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Filter } from "../../src/model/filter.ts";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Spot } from "../messages.ts";
import type { StoredFile } from "./formats/source.ts";
import type { Settings } from "./settings/chosen-settings.ts";
import type { Items } from "./table/items.ts";

/** All content: valid, linked and sorted. */
export interface Catalog {
  readonly api: Api;
  /** By the name of the list operation. */
  readonly items: ReadonlyMap<string, Items>;
  /** The files beside the data that the items name, by the name of the list operation and by path below content/; undefined if
   * they are not read. */
  readonly assets?: ReadonlyMap<string, ReadonlyMap<string, Asset>> | undefined;
  /** Where the items of a list operation name an SVG, by the name of the operation; undefined if the files are not read. */
  readonly svgs?: ReadonlyMap<string, readonly NamedAsset[]> | undefined;
  /** By name. */
  readonly deployments: ReadonlyMap<string, Deployment>;
  readonly settings: Settings;
  /** Undefined: the build has no other API. */
  readonly placement?: Placement | undefined;
}

/** The place of an API among those of a build. */
export interface Placement {
  /** Whether it has what is outside of all bases: the front page, the 404 page and `llms.txt`. */
  readonly isFirst: boolean;
  /** In the order of the declaration. */
  readonly others: readonly OtherApi[];
}

/** An API as the documents of the others name it. */
export interface OtherApi {
  readonly base: string;
  /** Undefined: it has none. */
  readonly title: string | undefined;
  readonly deprecated: Deprecation | undefined;
}

/** Whether the API has what is outside of all bases. */
export const isFirst = ({ placement }: Pick<Catalog, "placement">): boolean => placement?.isFirst !== false;

/** The bases of the other APIs, which the first one names where there is nothing. */
export const basesBeside = ({ placement }: Pick<Catalog, "placement">): readonly string[] =>
  placement?.isFirst === true ? placement.others.map(({ base }) => base) : [];

/** A file beside the data. */
export interface Asset extends StoredFile {
  /** Below content/, with slashes. */
  readonly file: string;
  /** The path of the published file, below the folder of files. */
  readonly path: string;
  readonly facts: FileFacts;
  /** The SHA-256 of the bytes, in hexadecimal. Reads the file when it is first called. */
  readonly digest: () => string;
  /** What a browser that opens the file might run, as a clause about it. Undefined: nothing. Reads an SVG when first called. */
  readonly harm: () => string | undefined;
  /** Whether it is a photo that contains the position at which it was taken. */
  readonly hasPosition: boolean;
}

/** A file beside the data, and where an item names it. */
export interface NamedAsset {
  readonly asset: Asset;
  readonly at: Spot;
  /** Whether the item is made from another one, which may name the file too. */
  readonly isMade: boolean;
}

/**
 * The values that a filter accepts: keys in the order of their items, other values of references in the order of texts, words
 * and listed values in the order of their list.
 */
export function filterValues(
  { items, settings }: Pick<Catalog, "items" | "settings">,
  { name }: ListOperation,
  filter: Filter,
): readonly string[] {
  const { param, accepts } = filter;
  const occurring = () => [...(items.get(name)?.filters.get(param)?.known ?? [])];
  switch (accepts.kind) {
    case "keys": {
      const keys = items.get(accepts.of)?.keys ?? [];
      return accepts.isOpen ? [...new Set([...keys, ...occurring().sort()])] : keys;
    }
    case "listed":
      return accepts.values;
    case "words":
      return ownField(settings.vocabulary, accepts.vocabulary) ?? occurring().sort();
    case "occurring":
      return accepts.type === "text" ? occurring().sort() : occurring().sort((a, b) => Number(a) - Number(b));
  }
}

/** A deployment of the API: its operations and the content of its documents. */
export interface Deployment {
  readonly name: string;
  /** Names of operations, in the order of the table. */
  readonly operations: readonly string[];
  /** By the name of their operation. */
  readonly documents: ReadonlyMap<string, Item>;
}
