// The differences of two values, field by field.
import { isObject, ownField } from "../../src/model/fields.ts";

/** `before` is absent if the field was added, `after` if it was removed. */
export interface FieldChange {
  /** `status`, `fields[title].type`; `fields[title]` for an added or removed element, `sizes[]` if it has no name. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Whether lists of values, and lists whose elements moved, change as a whole: no two changes have the same field. */
type OfLists = "by element" | "whole";

/** In the order of the fields. An undefined value counts as absent. */
export function fieldChanges(
  before: unknown,
  after: unknown,
  field = "",
  lists: OfLists = "by element",
): readonly FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return elementChanges(before, after, field, lists);
  if (!isObject(before) || !isObject(after)) return [changeOf(field, before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    fieldChanges(ownField(before, name), ownField(after, name), field === "" ? name : `${field}.${name}`, lists),
  );
}

const changeOf = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

type List = readonly unknown[];

/** Matches elements by their names. Lists whose elements have no names that are unique change as a whole. */
function elementChanges(before: List, after: List, field: string, lists: OfLists): readonly FieldChange[] {
  const isWhole = lists === "whole";
  const nameOf = isWhole && ![...before, ...after].every(isObject) ? undefined : namesIn([...before, ...after]);
  const byName = (list: List) => new Map(list.map((element) => [nameOf?.(element), element]));
  const elementsBefore = byName(before);
  const elementsAfter = byName(after);
  if (nameOf === undefined || elementsBefore.size < before.length || elementsAfter.size < after.length)
    return [changeOf(field, before, after)];
  const changes = [...new Set([...elementsBefore.keys(), ...elementsAfter.keys()])].flatMap((name) => {
    const elementBefore = elementsBefore.get(name);
    const elementAfter = elementsAfter.get(name);
    const place = isObject(elementBefore ?? elementAfter) ? `${field}[${name}]` : `${field}[]`;
    return fieldChanges(elementBefore, elementAfter, place, lists);
  });
  const orderBefore = [...elementsBefore.keys()].filter((name) => elementsAfter.has(name));
  const orderAfter = [...elementsAfter.keys()].filter((name) => elementsBefore.has(name));
  const isMoved = orderBefore.some((name, index) => name !== orderAfter[index]);
  if (!isMoved) return changes;
  return isWhole
    ? [changeOf(field, before, after)]
    : [...changes, changeOf(`${field} in order`, orderBefore, orderAfter)];
}

/** An object is named by its first field that is a text in all of them, another value by its JSON. */
function namesIn(all: List): ((value: unknown) => string) | undefined {
  if (all.every((element) => typeof element !== "object")) return (value) => JSON.stringify(value);
  const objects = all.filter(isObject);
  const field = Object.keys(objects[0] ?? {}).find((name) =>
    objects.every((object) => typeof ownField(object, name) === "string"),
  );
  if (field === undefined || objects.length < all.length) return undefined;
  return (value) => String(isObject(value) && ownField(value, field));
}
