// The shape of a successful list response (seed, "List envelope").
import * as z from "zod";

export const pagination = z.strictObject({
  /** The page size applied. */
  limit: z.int(),
  /** The number of items in `data`. */
  count: z.int(),
  has_more: z.boolean(),
  /** The cursor of the next page, null on the last. */
  next_cursor: z.string().nullable(),
});

export type Pagination = Readonly<z.infer<typeof pagination>>;

/** The body of an operation that is not paged. */
export interface List<Item> {
  readonly object: "list";
  readonly data: readonly Item[];
}

/** The body of a paged operation. */
export interface Page<Item> extends List<Item> {
  readonly pagination: Pagination;
}

export const listOf = <Element extends z.ZodType>(item: Element) =>
  z.strictObject({ object: z.literal("list"), data: z.array(item) });

export const pageOf = <Element extends z.ZodType>(item: Element) => listOf(item).extend({ pagination });
