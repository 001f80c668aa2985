import * as z from "zod";

/** The names of an object's fields, none of any other schema. */
export const fieldsOf = (schema: z.core.$ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
