// Schemas of the bodies of lists (seed, "List envelope").
import * as z from "zod";

export const pagination = z
  .strictObject({
    limit: z.int().meta({ description: "The page size that was applied." }),
    count: z.int().meta({ description: "The number of items in `data`." }),
    has_more: z.boolean().meta({ description: "Whether more items follow this page." }),
    next_cursor: z.string().nullable().meta({
      description: "Send it as `cursor`, with the same other parameters, to get the next page. Null on the last page.",
    }),
  })
  .meta({ description: "The position of this page in its list." });

export const listOf = <Element extends z.ZodType>(item: Element) =>
  z.strictObject({
    object: z.literal("list").meta({ description: "The type of this object." }),
    data: z.array(item).meta({ description: "The items, in the operation's order." }),
  });

export const pageOf = <Element extends z.ZodType>(item: Element) => listOf(item).extend({ pagination });
