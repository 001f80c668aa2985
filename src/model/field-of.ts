const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** The field of a value that may be anything: undefined if the value is no object. */
export const fieldOf = (value: unknown, name: PropertyKey): unknown => (isObject(value) ? value[name] : undefined);
