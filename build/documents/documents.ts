// Everything that the API publishes beside the answers of its operations, of one deployment.
import type { PageSizes } from "../../src/paging.ts";
import type { Deployment, Settings } from "../content/catalog.ts";
import type { History } from "../history/history.ts";
import type { Listing } from "../pages/listing.ts";
import type { Document } from "./document.ts";
import { dumpOf } from "./dumps.ts";
import { overview } from "./overview.ts";

export interface DocumentContext {
  readonly deployment: Deployment;
  readonly settings: Settings;
  /** Of each list operation the whole listing, followed by those of its filter's values. */
  readonly listings: readonly Listing[];
  readonly sizesOf: (operation: string) => PageSizes;
}

export interface Documents {
  readonly made: readonly Document[];
  /** Of all of them together. */
  readonly bytes: number;
  /** What is left out, a sentence each. */
  readonly warnings: readonly string[];
}

/** `mostBytes` is how large a file may be. A dump that is larger is left out, because nothing depends on it. */
export function documentsOf(
  context: DocumentContext,
  history: Pick<History, "documents">,
  mostBytes: number,
): Documents {
  const dumps = context.listings.filter(({ filter }) => filter === undefined);
  const isTooLarge = ({ items }: Listing) => items.length(0, items.count) + 1 > mostBytes;
  const published = dumps.filter((dump) => !isTooLarge(dump)).map(dumpOf);
  const made = [overview(context, published), ...published, ...history.documents];
  const bytes = made.flatMap(({ parts }) => parts()).reduce((sum, part) => sum + part.length, 0);
  return { made, bytes, warnings: dumps.filter(isTooLarge).map((dump) => tooLarge(dump, mostBytes)) };
}

/** Those whose files are not somebody else's, which are left alone. */
export const withoutForeign = ({ made, ...rest }: Documents, foreign: ReadonlySet<string>): Documents => ({
  ...rest,
  made: made.filter(({ file }) => !foreign.has(file)),
  warnings: [...rest.warnings, ...[...foreign].map(leftAlone)],
});

const leftAlone = (file: string): string =>
  `${file} is there and not this program's, so it is left alone, and the API is without it. Remove it to get the program's.`;

const tooLarge = ({ operation: { name } }: Listing, mostBytes: number): string =>
  `The dump of ${name} is left out: a host takes no files of more than ${mostBytes.toLocaleString("en")} bytes.`;
