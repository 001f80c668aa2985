// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { pageFile } from "../../src/files.ts";
import { cursorAfter, cursorsOf, cutPages, type PageSizes } from "../../src/paging.ts";
import { encode, fileOf, type OutputFile } from "../file.ts";
import { printOfText } from "../print.ts";
import type { Listing, SerializedItems } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ operation, items }: Listing): OutputFile {
  return fileOf(pageFile({ operation: operation.name }), [head, items.slice(0, items.count), tail]);
}

/** Every page of a listing, one at a time. */
export function* pagesOf({ operation, filter, items }: Listing, sizes: PageSizes): Generator<OutputFile> {
  const listing = cursorsOf(operation.name, filter);
  const cursors: (string | undefined)[] = [];
  const cursorAt = (position: number): string => {
    const cursor = cursors[position] ?? cursorAfter(listing, items.orderKey(position - 1));
    cursors[position] = cursor;
    return cursor;
  };
  for (const { limit, start, end } of cutPages(items.count, sizes)) {
    const cursor = start === 0 ? undefined : cursorAt(start);
    const hasMore = end < items.count;
    // The JSON of a `Pagination`, as text: a build makes one for every page. No cursor has a character to be escaped.
    const next = hasMore ? `"${cursorAt(end)}"` : "null";
    const pagination = `{"limit":${limit},"count":${end - start},"has_more":${hasMore},"next_cursor":${next}}`;
    const foot = `],"pagination":${pagination}}`;
    const file = pageFile({ operation: operation.name, filter, limit, cursor });
    yield new Page(file, items, start, end, foot, printOfText(`${limit} ${end - start} ${next}`));
  }
}

/** A class, for there may be hundreds of thousands: an object with a getter of its own takes ten times as long to make. */
class Page implements OutputFile {
  readonly file: string;
  readonly length: number;
  readonly print: number;
  private readonly items: SerializedItems;
  private readonly start: number;
  private readonly end: number;
  private readonly foot: string;

  /** The foot is ASCII, and `rest` is the print of all in it that varies. */
  constructor(file: string, items: SerializedItems, start: number, end: number, foot: string, rest: number) {
    this.file = file;
    this.length = head.length + items.length(start, end) + foot.length;
    this.print = items.print(start, end, rest);
    this.items = items;
    this.start = start;
    this.end = end;
    this.foot = foot;
  }

  get parts(): readonly Uint8Array[] {
    return [head, this.items.slice(this.start, this.end), encode(this.foot)];
  }
}
