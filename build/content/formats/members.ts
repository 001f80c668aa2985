// Items within the value of a file: the members of a list or of an object to which a path of names leads. Every format that
// has one value can have them; their places are those of the members.
import { isObject, ownField } from "../../../src/model/fields.ts";
import type { ItemsPath } from "../../../src/model/files.ts";
import type { Draft, Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { type ContentFormat, type Problem, type Reading, readAll, type Shape, unreadableText } from "./format.ts";
import { At, type ContentSource, type Value } from "./value.ts";

/** Reads the items of a text that is not blank, as a format does. */
export function* readMembers(format: ContentFormat, items: ItemsPath, text: string, source: ContentSource): Reading {
  if (source.dialect.format.hasLines) return unreadableText(ofLines);
  const { values, ...outcome } = readAll(format.read(text, source));
  const roots: unknown[] = [];
  for (const { data, at } of values) roots[Number(at.path[0] ?? 0)] = data;
  // The format has the elements of a list, and nothing if it cannot read the text.
  const root = outcome.shape === "list" ? roots : roots[0];
  if (root === undefined) return outcome;
  const found = yield* membersIn(root, items, source);
  if (typeof found === "string") return { ...outcome, shape: found };
  const problem: Problem = { ...found, at: format.open(text, source.dialect)(found.at, "value") };
  return { ...outcome, problems: [...outcome.problems, problem], whole: false };
}

const ofLines: Problem = {
  code: "no-items",
  at: { start: 0, end: 0 },
  text: "The option items names members of an object, but each line of this file is an item.",
  hint: "Give this file an entry of its own in the option files.",
};

/** The members. Returns their shape, or the fault of the value that has none. */
function* membersIn(
  root: unknown,
  { names: path, isEach }: ItemsPath,
  source: ContentSource,
): Generator<Value, Shape | Draft<Path>> {
  let value = root;
  for (const [index, name] of path.entries()) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return noMembers(value, path, index);
    value = ownField(value, name);
  }
  if (Array.isArray(value)) {
    // A format leaves out the elements that it cannot read.
    for (const [index, element] of value.entries())
      if (element !== undefined) yield { data: element, at: new At(source, [...path, index]) };
    return "list";
  }
  if (!isObject(value)) return noMembers(value, path, path.length);
  if (!isEach) {
    yield { data: value, at: new At(source, path) };
    return "one";
  }
  // Object.entries takes three times as long for an object with many members.
  for (const name of Object.keys(value)) yield { data: value[name], at: new At(source, [...path, name]) };
  return "list";
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
