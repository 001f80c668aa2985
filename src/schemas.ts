// Validators of the API's answers, derived from the table of operations, for clients that want them.
import type { ZodType } from "zod";
import type { EntryOf } from "./operation.ts";
import { type OperationTable, operations } from "./operations.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A zod schema is one. */
export interface Validator<Value> {
  /** Returns the value, or throws if it is not valid. */
  readonly parse: (value: unknown) => Value;
}

/** Of list operations the validator of an item, of others the validator of the document. */
export type AnswerSchemas = {
  readonly [Each in OperationTable[number] as Each["name"]]: Validator<EntryOf<Each>>;
};

/**
 * Validators for the option `schemas` of the client. Fields that they do not know are left as they are: a later version
 * of the API may add some, which breaks no consumer. They throw ZodError. A vocabulary limits the words that are valid.
 */
export function answerSchemas(vocabulary: Vocabulary = {}): AnswerSchemas {
  const validators = operations.map(({ name, resource }) => [name, tolerant(resource.schema(vocabulary))]);
  // Each operation of the table has its entry, of the type of its own resource.
  return Object.fromEntries(validators) as AnswerSchemas;
}

const tolerant = <Value>(schema: ZodType<Value>): Validator<Value> => ({
  parse: (value) => {
    const { error } = schema.safeParse(value);
    if (error?.issues.some(({ code }) => code !== "unrecognized_keys")) throw error;
    return value as Value;
  },
});
