// Reads the fields of values of unknown types.

/** Whether a value is an object or a list. */
export const hasFields = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether a value is an object, but not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  hasFields(value) && !Array.isArray(value);

/** The field of a value; undefined if the value is neither an object nor a list. */
export const fieldOf = (value: unknown, name: PropertyKey): unknown => (hasFields(value) ? value[name] : undefined);
