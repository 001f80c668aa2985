// The settings of an API, as the rest of the program reads them.
import type { Audience } from "../../../src/model/audience.ts";
import { everyPageSize, type PageSizes, type PagingKind } from "../../../src/model/paging.ts";
import type { Place } from "../../../src/model/place.ts";
import type { SettingsContent } from "./settings-form.ts";

/** The page sizes of a list. A list that is not paged has none in the settings. */
export const pageSizesOf = ({ pageSizes }: Settings, operation: string): PageSizes =>
  pageSizes.get(operation) ?? everyPageSize;

/** The paging of a paged operation. */
export const pagingOf = (settings: Pick<Settings, "paging">, operation: string): PagingKind =>
  settings.paging.get(operation) ?? "exact";

/** An image of the publisher, beside api.yaml. */
export interface Picture {
  readonly file: "logo.svg" | "logo.png" | "card.png";
  readonly bytes: Uint8Array;
}

type Chosen = "title" | "description" | "language" | "license" | "contact" | "accent" | "accent_dark" | "hosts" | "url";

/** The choices of api.yaml, with defaults. Some are as written. */
export interface Settings extends Readonly<Pick<SettingsContent, Chosen>>, Audience {
  /** The path under which a host that only serves files has the publish root, such as `/my-api`; empty for its root. */
  readonly mount: string;
  /** The text before the operations of the reference, in Markdown. */
  readonly introduction: string | undefined;
  /** The text on the page about changes, in Markdown. */
  readonly changesText: string | undefined;
  readonly logo: Picture | undefined;
  /** The picture in previews of links: card.png. */
  readonly card: Picture | undefined;
  readonly vocabulary: Readonly<Record<string, readonly string[] | undefined>>;
  readonly defaultDeployment: string;
  /** By the name of a paged operation, as `paging`. */
  readonly pageSizes: ReadonlyMap<string, PageSizes>;
  readonly paging: ReadonlyMap<string, PagingKind>;
  readonly frontPage: boolean;
  /** Seconds for which a cursor is still answered after the first build that no longer returns it. */
  readonly cursorLifetime: number;
  /** Seconds for which the list of changes has a change; 0 if there is no list. */
  readonly changesLifetime: number;
  /** The fields of which the list of changes has the values, by the name of a list. Default: all fields. */
  readonly changesFields: NonNullable<SettingsContent["changes_fields"]>;
  /** The place of a setting in api.yaml, or the start of the file. Undefined if it does not exist. */
  readonly placeOf: (setting?: string) => Place | undefined;
}
