// Optional validators of an API's answers for clients, derived from its table of operations.
import type { ZodType } from "zod";
import type { EntryOf, Operation } from "./operation.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** For example a zod schema. */
export interface Validator<Value> {
  /** Returns the value, or throws if it is not valid. */
  readonly parse: (value: unknown) => Value;
}

/** For each list operation the validator of an item, for each document operation the validator of the document. */
export type AnswerSchemas<Table extends readonly Operation[]> = {
  readonly [Each in Table[number] as Each["name"]]: Validator<EntryOf<Each>>;
};

/**
 * Validators for the client's option `schemas`; they throw ZodError. Unknown fields pass, because a later version of
 * the API may add some. A vocabulary limits the valid words.
 */
export function schemasOf<Table extends readonly Operation[]>(
  operations: Table,
  vocabulary: Vocabulary,
): AnswerSchemas<Table> {
  const validators = operations.map(({ name, resource }) => [name, tolerant(resource.schema(vocabulary))]);
  // The table guarantees an entry for each operation, with the type of its resource.
  return Object.fromEntries(validators) as AnswerSchemas<Table>;
}

const tolerant = <Value>(schema: ZodType<Value>): Validator<Value> => ({
  parse: (value) => {
    const { error } = schema.safeParse(value);
    if (error?.issues.some(({ code }) => code !== "unrecognized_keys")) throw error;
    return value as Value;
  },
});
