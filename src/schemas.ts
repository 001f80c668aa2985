// Optional validators of the API's answers for clients.
import type { ZodType } from "zod";
import type { AnswerSchemas, Validator } from "./answers.ts";
import { completeApi } from "./complete-api.ts";
import type { ApiDeclaration } from "./declare.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Validators for the client's option `schemas`; they throw ZodError. Unknown fields pass, because a later version of
 * the API may add some. Lists in brief have a validator of their items, whose `item` validates single items. A vocabulary limits the valid words.
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

const tolerant = <Value>(schema: ZodType<Value>): Validator<Value> => ({
  parse: (value) => {
    const { error } = schema.safeParse(value);
    if (error?.issues.some(({ code }) => code !== "unrecognized_keys")) throw error;
    return value as Value;
  },
});
