// Compares two values field by field.

/** `before` is absent if the field was added, `after` if it was removed. */
export interface FieldChange {
  /**
   * `status`, `fields[title].type`; `fields[title]` for an added or removed element, `sizes[]` if it has no name.
   */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** In the order of the fields. An undefined value counts as absent. */
export function fieldChanges(before: unknown, after: unknown, field = ""): readonly FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, field);
  if (!isObject(before) || !isObject(after)) return [changeOf(field, before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    fieldChanges(before[name], after[name], field === "" ? name : `${field}.${name}`),
  );
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const changeOf = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

/** Matches elements by name: objects by a field, other values by their JSON. */
function listChanges(before: readonly unknown[], after: readonly unknown[], field: string): readonly FieldChange[] {
  const [olds, news] = namedAlike(before, after) ?? [];
  if (olds === undefined || news === undefined) return [changeOf(field, before, after)];
  const common = [...olds.keys()].filter((name) => news.has(name));
  const again = [...news.keys()].filter((name) => olds.has(name));
  const isMoved = common.some((name, index) => name !== again[index]);
  const all = new Set([...olds.keys(), ...news.keys()]);
  const changes = [...all].flatMap((name) => {
    const [old, own] = [olds.get(name), news.get(name)];
    return fieldChanges(old, own, isObject(old ?? own) ? `${field}[${name}]` : `${field}[]`);
  });
  return isMoved ? [...changes, changeOf(`${field} in order`, common, again)] : changes;
}

type Named = ReadonlyMap<string, unknown>;

/** Undefined if the elements have no names that are unique in both lists. */
function namedAlike(before: readonly unknown[], after: readonly unknown[]): readonly [Named, Named] | undefined {
  const all = [...before, ...after];
  const [first] = all;
  const nameOf = isObject(first) ? namesBy(Object.keys(first), all) : (value: unknown) => JSON.stringify(value);
  if (nameOf === undefined || (!isObject(first) && all.some((each) => typeof each === "object"))) return undefined;
  const [olds, news] = [before, after].map((list) => new Map(list.map((each) => [nameOf(each), each] as const)));
  return olds?.size === before.length && news?.size === after.length ? [olds, news] : undefined;
}

/** The first field that holds a text in each object. */
function namesBy(fields: readonly string[], all: readonly unknown[]): ((value: unknown) => string) | undefined {
  const field = fields.find((each) => all.every((one) => isObject(one) && typeof one[each] === "string"));
  return field === undefined ? undefined : (value) => String(isObject(value) ? value[field] : value);
}
