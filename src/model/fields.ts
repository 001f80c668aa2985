// Reads the fields of values of unknown types.

/** Whether a value is an object or a list. */
export const hasFields = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether a value is an object, but not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  hasFields(value) && !Array.isArray(value);

/**
 * The value of a record under a name; undefined if it has none. Other ways to read a record find what every object inherits
 * under names such as `constructor`.
 */
export const ownField = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string | number,
): Value | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined);

/** The field of a value; undefined if the value is neither an object nor a list. */
export const fieldOf = (value: unknown, name: string | number): unknown =>
  hasFields(value) ? ownField(value, name) : undefined;

/** Sets a field. An assignment to `__proto__` would set the prototype. */
export function setField(object: Record<string | number, unknown>, name: string | number, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

type Owner = Record<string | number, unknown>;

/**
 * Visits the values at the steps of a path within a value: `.name` is a field, `[]` each element of a list, `[0]` the first
 * one, `.*` each value of a record and `{}` each of its keys. `path` are the names and indices that lead to the value.
 */
export function eachAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  visit: (owner: Owner, key: string | number, path: readonly (string | number)[]) => void,
  before: readonly (string | number)[] = [],
): void {
  if (!hasFields(value) || step === undefined) return;
  for (const key of keysAt(value, step)) {
    const path = [...before, key];
    if (rest.length === 0) visit(value, key, path);
    else eachAt(ownField(value, key), rest, visit, path);
  }
}

function keysAt(owner: Owner, step: string): readonly (string | number)[] {
  if (Array.isArray(owner)) {
    if (step === "[]") return [...owner.keys()];
    const index = step.startsWith("[") ? Number(step.slice(1, -1)) : owner.length;
    return index < owner.length ? [index] : [];
  }
  const name = step.slice(1);
  if (step === ".*" || step === "{}") return Object.keys(owner);
  return step.startsWith(".") && Object.hasOwn(owner, name) ? [name] : [];
}
