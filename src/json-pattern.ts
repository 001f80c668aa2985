// Patterns in a JSON schema have no flags, and validators compile them with the flag u. Some regular expressions of zod
// change their meaning, such as those with the flag i, and some become invalid, such as /a\-b/.
import type * as z from "zod";

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
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (patternsOf(zodSchema).every(isJsonPattern)) return;
  delete jsonSchema.pattern;
  // Several patterns.
  delete jsonSchema.allOf;
}

/** A format is the schema itself, or one of its checks. */
function patternsOf(schema: z.core.$ZodType): readonly RegExp[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "template_literal") return schema._zod.pattern === undefined ? [] : [schema._zod.pattern];
  if (def.type !== "string") return [];
  return [schema, ...(def.checks ?? [])].flatMap(({ _zod }) => (_zod.def as z.core.$ZodStringFormatDef).pattern ?? []);
}
