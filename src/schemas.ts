// Schemas of successful answers: the body of a list (seed, "List envelope"), and validators for clients.
import * as z from "zod";
import type { AnswerSchemas, Validator } from "./answers.ts";
import { completeApi } from "./complete-api.ts";
import type { ApiDeclaration } from "./declare.ts";
import type { Vocabulary } from "./vocabulary.ts";

export const pagination = z.strictObject({
  limit: z.int().meta({ description: "The page size that was applied." }),
  count: z.int().meta({ description: "The number of items in `data`." }),
  has_more: z.boolean().meta({ description: "Whether more items follow this page." }),
  next_cursor: z.string().nullable().meta({
    description: "Send it as `cursor`, with the same other parameters, to get the next page. Null on the last page.",
  }),
});

export const listOf = <Element extends z.ZodType>(item: Element) =>
  z.strictObject({
    object: z.literal("list").meta({ description: "The type of this object." }),
    data: z.array(item).meta({ description: "The items, in the operation's order." }),
  });

export const pageOf = <Element extends z.ZodType>(item: Element) => listOf(item).extend({ pagination });

/**
 * Validators for the client's option `schemas`; they throw ZodError. Unknown fields pass, because a later version of the
 * API may add some. If lists lack fields, the validator is for the items in lists, and its property `item` for single
 * items. A vocabulary limits the valid words.
 */
export function answerSchemas<Declared extends ApiDeclaration>(
  api: Declared,
  vocabulary: Vocabulary = {},
): AnswerSchemas<Declared> {
  const { operations } = completeApi(api);
  const validators = operations.map((operation) => {
    const whole = tolerant(operation.resource.schema(vocabulary));
    if (operation.kind === "document" || operation.brief === undefined) return [operation.name, whole];
    return [operation.name, { ...tolerant(operation.listed(vocabulary)), item: whole }];
  });
  // Every collection and document has an entry, with the type of its schema.
  return Object.fromEntries(validators) as AnswerSchemas<Declared>;
}

const tolerant = <Value>(schema: z.ZodType<Value>): Validator<Value> => ({
  parse: (value) => {
    const { error } = schema.safeParse(value);
    if (error?.issues.some(({ code }) => code !== "unrecognized_keys")) throw error;
    return value as Value;
  },
});
