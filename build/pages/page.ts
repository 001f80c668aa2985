// A page is the envelope around a slice of a listing's items.
import type { PageCut } from "../../src/model/paging.ts";
import { encode, type OutputFile, outputFile } from "../files/file.ts";
import { cursorAfter } from "../files/sha256.ts";
import { pageFileBelow } from "../routing/paths.ts";
import type { ItemView } from "./items.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export const listFile = (stem: string, items: ItemView): OutputFile =>
  outputFile(pageFileBelow(stem), [head, items.slice(0, items.count), tail]);

/** In bytes, without making the file. */
export const lengthOfList = (items: ItemView): number => head.length + items.length(0, items.count) + tail.length;

/** The cursor of a position in a listing. */
export type Cursors = (position: number) => string;

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
export class PageFile implements OutputFile {
  readonly file: string;
  private readonly items: ItemView;
  private readonly cut: PageCut;
  private readonly cursors: Cursors;

  constructor(file: string, items: ItemView, cut: PageCut, cursors: Cursors) {
    this.file = file;
    this.items = items;
    this.cut = cut;
    this.cursors = cursors;
  }

  get length(): number {
    return pageLength(this.items, this.cut);
  }

  parts(): readonly Uint8Array[] {
    const { limit, start, end } = this.cut;
    const foot = footOf(limit, end - start, end < this.items.count ? this.cursors(end) : undefined);
    return [head, this.items.slice(start, end), encode(foot)];
  }
}

/**
 * The end of a page, with its `Pagination`. The JSON is a template because every page needs one. Cursors need no
 * escapes.
 */
function footOf(limit: number, count: number, next: string | undefined): string {
  const hasMore = next !== undefined;
  const cursor = hasMore ? `"${next}"` : "null";
  return `],"pagination":{"limit":${limit},"count":${count},"has_more":${hasMore},"next_cursor":${cursor}}}`;
}

/** Without the digits of the limit and the count. All cursors are equally long, and ASCII. */
const lengthOfFoot = footOf(0, 0, cursorAfter("", "")).length - 2;
const lengthOfLastFoot = footOf(0, 0, undefined).length - 2;

/** In bytes, without making the page. */
export function pageLength(items: ItemView, { limit, start, end }: PageCut): number {
  const foot = end < items.count ? lengthOfFoot : lengthOfLastFoot;
  return head.length + items.length(start, end) + foot + `${limit}`.length + `${end - start}`.length;
}
