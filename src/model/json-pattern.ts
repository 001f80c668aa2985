// Patterns in a JSON schema have no flags, and validators compile them with the flag u. There, some regular expressions
// mean something else, such as those with the flag i, and some are invalid, such as /a\-b/.
import type * as z from "zod";
import { checksOf, type Schema } from "./kinds.ts";

/** The pattern of a JSON schema; undefined if it is invalid. */
export function jsonPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

const isJsonPattern = ({ source, flags }: RegExp): boolean => /^u?$/.test(flags) && jsonPattern(source) !== undefined;

/** For `z.toJSONSchema`: leaves out the patterns that a JSON schema cannot have. */
export function withoutFlags({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: Schema;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def, pattern } = zodSchema._zod;
  const patterns: RegExp[] = [];
  for (const check of def.type === "string" ? checksOf(zodSchema) : []) {
    if (check.check === "string_format" && check.pattern !== undefined) patterns.push(check.pattern);
  }
  if (def.type === "template_literal" && pattern !== undefined) patterns.push(pattern);
  if (patterns.every(isJsonPattern)) return;
  delete jsonSchema.pattern;
  // Several patterns are in `allOf`.
  delete jsonSchema.allOf;
}
