// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { pageFile } from "../../src/files.ts";
import { cursorAfter, cursorsOf, cutPages, type PageSizes } from "../../src/paging.ts";
import { encode, type OutputFile } from "../file.ts";
import { printOf } from "../print.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ operation, items }: Listing): OutputFile {
  const parts = [head, items.slice(0, items.count), tail];
  return { file: pageFile({ operation: operation.name }), parts, print: printOf(parts) };
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
    const pagination = {
      limit,
      count: end - start,
      has_more: end < items.count,
      next_cursor: end < items.count ? cursorAt(end) : null,
    };
    const foot = encode(`],"pagination":${JSON.stringify(pagination)}}`);
    yield {
      file: pageFile({ operation: operation.name, filter, limit, cursor }),
      parts: [head, items.slice(start, end), foot],
      print: items.print(start, end, printOf([head, foot])),
    };
  }
}
