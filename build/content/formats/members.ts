// Items within the value of a file, or of each of its documents: the members of a list or of an object to which a path of names
// leads. Every format that has such values can have them; their places are those of the members.
import { hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import type { ItemsPath } from "../../../src/model/files.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { groupBy } from "../../values/group-by.ts";
import { unreadable } from "./format.ts";
import { At, type ContentSource, type Value } from "./value.ts";

/** The members of the value of a text, or of each of its documents, in place of its values. */
export function* membersIn(
  values: readonly Value[],
  items: ItemsPath,
  source: ContentSource,
  report: Log["report"],
): Generator<Value, void> {
  const ofDocuments = values[0]?.at.source;
  if (ofDocuments?.hasDocuments !== true) yield* membersAt(new At(source, []), values, items, report);
  else
    for (const [index = 0, document] of groupBy(values, ({ at }) => at.path[0]))
      yield* membersAt(new At(ofDocuments, [index]), document, items, report);
}

/** `at`: the place of the value that is one of the values, or the list of them. */
function membersAt(at: At, values: readonly Value[], items: ItemsPath, report: Log["report"]): Iterable<Value> {
  const [first] = values;
  const isOne = first?.at.path.length === at.path.length;
  const root = isOne ? first.data : values.map(({ data }) => data);
  if (root === undefined) return values;
  const owner = memberAt(root, items);
  if ("data" in owner) return membersOf(owner.data, items, at);
  report({ ...owner, at: at.inside(owner.at).spot() });
  return [unreadable(at.source, at.path)];
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

function* membersOf(owner: object, { names, isEach }: ItemsPath, at: At): Generator<Value, void> {
  if (Array.isArray(owner))
    for (const [index, data] of owner.entries()) yield { data, at: at.inside([...names, index]) };
  else if (!isEach) yield { data: owner, at: at.inside(names) };
  // Object.entries takes three times as long for an object with many members.
  else for (const name of Object.keys(owner)) yield { data: owner[name as never], at: at.inside([...names, name]) };
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
