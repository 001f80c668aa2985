// The keys of the items that a field can refer to, each with what its item is called and holds.
import type { ListOperation } from "../../../src/operations.ts";
import type { Item } from "../../../src/resource.ts";
import type { Referable } from "../../content/referable.ts";
import type { EditorSchema } from "./schema.ts";

/** Editors show all of them at once. */
const mostListed = 5_000;

/**
 * The form of a field with the keys to choose from. They are the only ones allowed where the content is whole: an editor
 * finds no fault that `check` does not find.
 */
export function referenceTo(
  { resource }: ListOperation,
  { items, whole }: Referable,
  form: EditorSchema,
): EditorSchema {
  if (items.length === 0 || items.length > mostListed) return form;
  const { key, noun } = resource;
  const choices = {
    enum: items.map((item) => item[key]),
    enumDescriptions: items.map((item) => summaryOf(item, key)),
  };
  const description = `the ${key} of a ${noun}`;
  if (whole) return { type: "string", ...choices, description };
  const { description: formText, ...open } = form;
  return { description: formText === undefined ? description : `${description}: ${formText}`, anyOf: [choices, open] };
}

/** What tells an item from others at a glance: its name first, such as `London, europe-west, GB, operational`. */
function summaryOf(item: Item, key: string): string {
  const { name, ...others } = item;
  const values = Object.entries({ name, ...others }).filter(([field]) => field !== key);
  return values.flatMap(([, value]) => textOf(value)).join(", ");
}

/** Lists of objects are told by the names in them. */
const textOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((each) => textOf(Object(each)["name"]))
    : typeof value === "string" && value !== "" && value.length <= longest
      ? [value]
      : [];

const longest = 100;
