// Schemas of the bodies of lists and of errors.
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

export const errorBody = z
  .strictObject({
    object: z.literal("error").meta({ description: "The type of this object." }),
    status: z.int().meta({ description: "The HTTP status of the response." }),
    code: z.string().meta({ description: "Identifies the error for programs. A code never changes its meaning." }),
    message: z
      .string()
      .meta({ description: "Tells people what is accepted and where to find it. The wording may change." }),
    param: z.string().optional().meta({ description: "The query parameter at fault, if there is one." }),
  })
  .meta({ description: "The body of every error." });
