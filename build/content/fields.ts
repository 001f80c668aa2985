import * as z from "zod";

/** The names of an object's fields, none of any other schema. */
export const fieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** The names of the fields that an object must have. */
export const requiredFieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, field]) => (field._zod.optin === "optional" ? [] : [name]))
    : [];
