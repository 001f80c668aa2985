import * as z from "zod";

/** The field names of an object schema, and the keys of a record if they are listed; none for other schemas. */
export function fieldsOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodRecord) return [...(schema.keyType._zod.values ?? [])].map(String);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The names of an object's required fields. */
export const requiredFieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, field]) => (field._zod.optin === "optional" ? [] : [name]))
    : [];
