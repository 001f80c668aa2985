// Items within the value of a file: the members of a list or of an object to which a path of names leads. Every format that
// has one value can have them; their places are those of the members.
import { hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import type { ItemsPath } from "../../../src/model/files.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { areElements, unreadable } from "./format.ts";
import { At, type ContentSource, type Value } from "./value.ts";

/** The members of the value of a text, in place of its values. */
export function membersIn(
  values: readonly Value[],
  items: ItemsPath,
  source: ContentSource,
  report: Log["report"],
): Iterable<Value> {
  const root = areElements(values) ? values.map(({ data }) => data) : values[0]?.data;
  if (root === undefined) return values;
  const owner = memberAt(root, items);
  if ("data" in owner) return membersOf(owner.data, items, source);
  report({ ...owner, at: new At(source, owner.at).spot() });
  return [unreadable(source)];
}

/** The list or the object to which a path leads, or the fault of the value before it. */
function memberAt(root: unknown, { names }: ItemsPath): { readonly data: object } | Draft<Path> {
  let value = root;
  for (const [index, name] of names.entries()) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return noMembers(value, names, index);
    value = ownField(value, name);
  }
  return hasFields(value) ? { data: value } : noMembers(value, names, names.length);
}

function* membersOf(owner: object, { names, isEach }: ItemsPath, source: ContentSource): Generator<Value, void> {
  if (Array.isArray(owner))
    for (const [index, data] of owner.entries()) yield { data, at: new At(source, [...names, index]) };
  else if (!isEach) yield { data: owner, at: new At(source, names) };
  // Object.entries takes three times as long for an object with many members.
  else
    for (const name of Object.keys(owner)) yield { data: owner[name as never], at: new At(source, [...names, name]) };
}

/** The fault of the value before a name of the path, which has no such member. */
function noMembers(value: unknown, path: Path, index: number): Draft<Path> {
  const name = String(path[index] ?? "");
  const names = isObject(value) ? Object.keys(value) : [];
  const what = Array.isArray(value) ? "a list" : "no object";
  const text = isObject(value)
    ? `The option items names ${quote(name)}, which is not a member here.`
    : `The option items names members, but this is ${what}.`;
  const others = names.length === 0 ? undefined : `The members are ${listed(names)}.`;
  return { code: "no-items", at: path.slice(0, index), text, hint: nearest(name, names) ?? others };
}
