// Patterns in a JSON schema have no flags, and validators compile them with the flag u. Some regular expressions of zod
// change their meaning, such as those with the flag i, and some become invalid, such as /a\-b/.
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
export function withoutFlags(each: {
  readonly zodSchema: Schema;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def, pattern } = each.zodSchema._zod;
  const checks = def.type === "string" ? checksOf(each.zodSchema) : [];
  const patterns = checks.flatMap((check) => (check.check === "string_format" && check.pattern) || []);
  if (def.type === "template_literal" && pattern !== undefined) patterns.push(pattern);
  if (patterns.every(isJsonPattern)) return;
  delete each.jsonSchema.pattern;
  // Several patterns.
  delete each.jsonSchema.allOf;
}
