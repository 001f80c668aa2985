import * as z from "zod";

/** The field names of an object schema; none for other schemas. */
export const fieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** The names of an object's required fields. */
export const requiredFieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, field]) => (field._zod.optin === "optional" ? [] : [name]))
    : [];
