// Items within the value of a file: the members of a list or of an object to which a path of names leads. Every format that
// has one value can have them; their places are those of the members.
import { isObject, ownField } from "../../../src/model/fields.ts";
import type { Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { type ContentFormat, type Problem, unreadable, type Visit } from "./format.ts";

/** The names of the members that lead to the items. */
export const pathOfItems = (items: string | undefined): readonly string[] =>
  items === undefined ? [] : items.split(".").filter((name) => name !== "*");

/** `hasLines`: whether each line of the format is an item. */
export function membersWith(format: ContentFormat, items: string, hasLines: boolean): ContentFormat {
  const path = pathOfItems(items);
  const isOfAll = items.endsWith("*");
  return {
    contents: format.contents,
    open: (text) => format.open(text),
    read(text, visit) {
      if (hasLines) return unreadable(ofLines);
      const roots: unknown[] = [];
      const outcome = format.read(text, (value, [index = 0]) => {
        roots[Number(index)] = value;
      });
      // The format visits the elements of a list, and nothing if it cannot read the text.
      const root = outcome.shape === "list" ? roots : roots[0];
      if (root === undefined) return outcome;
      const found = visitMembers(root, path, isOfAll, visit);
      if (typeof found === "string") return { ...outcome, shape: found };
      const at = format.open(text)(found.path, "value");
      const problem: Problem = { ...found.draft, at };
      return { ...outcome, problems: [...outcome.problems, problem], whole: false };
    },
  };
}

const ofLines: Problem = {
  code: "no-items",
  at: { start: 0, end: 0 },
  text: "The option items names members of an object, but each line of this file is an item.",
  hint: "Give this file an entry of its own in the option files.",
};

/** Visits the members, and returns their shape or the place that has none. */
function visitMembers(root: unknown, path: readonly string[], isOfAll: boolean, visit: Visit) {
  let value = root;
  for (const [index, name] of path.entries()) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return noMembers(value, path, index);
    value = ownField(value, name);
  }
  if (Array.isArray(value)) {
    // A format leaves out the elements that it cannot read.
    for (const [index, element] of value.entries()) if (element !== undefined) visit(element, [...path, index]);
    return "list";
  }
  if (!isObject(value)) return noMembers(value, path, path.length);
  if (!isOfAll) {
    visit(value, path);
    return "one";
  }
  // Object.entries takes three times as long for an object with many members.
  for (const name of Object.keys(value)) visit(value[name], [...path, name]);
  return "list";
}

function noMembers(value: unknown, path: Path, index: number) {
  const name = String(path[index] ?? "");
  const names = isObject(value) ? Object.keys(value) : [];
  const what = Array.isArray(value) ? "a list" : "no object";
  const text = isObject(value)
    ? `The option items names ${quote(name)}, which is not a member here.`
    : `The option items names members, but this is ${what}.`;
  const others = names.length === 0 ? undefined : `The members are ${listed(names)}.`;
  return {
    path: path.slice(0, index),
    draft: { code: "no-items", text, hint: nearest(name, names) ?? others } as const,
  };
}
