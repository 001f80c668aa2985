// Where things are in a JSON text, and what is wrong with one that JSON.parse refuses.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Path } from "../source.ts";
import type { Located, Part, Span, TextProblem } from "./format.ts";

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** For texts that JSON.parse accepts. */
export const treeOf = (text: string): Node | undefined => parseTree(text, [], strict);

const complaints: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not a JSON value; strings and keys must be in double quotes",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a key in double quotes is expected here",
  ValueExpected: "a value is expected here",
  ColonExpected: "a colon is expected here",
  CommaExpected: "a comma is expected here",
  CloseBraceExpected: "the closing } is missing",
  CloseBracketExpected: "the closing ] is missing",
  EndOfFileExpected: "something follows the value",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "this string does not end on its line",
  UnexpectedEndOfNumber: "this number is not complete",
  InvalidUnicode: "a \\u in this string is not followed by four hexadecimal digits",
  InvalidEscapeCharacter: "this string has a backslash before a character that needs none",
  InvalidCharacter: "this string holds a control character that is not escaped",
};

const hints: Readonly<Record<string, string>> = {
  EndOfFileExpected: "Write several items as a list, or one a line in a file named .ndjson.",
};

/** The first thing wrong with a text that JSON.parse refuses. What follows may be its echo. */
export function syntaxProblem(text: string, start: number): TextProblem {
  const first = firstError(text);
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const name = printParseErrorCode(first.error);
  const end = Math.min(first.offset + first.length, text.length);
  const span = { start: start + first.offset, end: start + end };
  const stranger = name === "InvalidSymbol" ? text.slice(first.offset).match(/^[^\p{ASCII}]/u)?.[0] : undefined;
  const detail = stranger === undefined ? complaints[name] : `the character ${codePoint(stranger)} is outside a string`;
  return { code: "syntax", span, detail: detail ?? name, hint: hints[name] };
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, strict);
  } catch (error) {
    // The parser is recursive and goes on after an error, where brackets are not counted reliably.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors[0];
}

/** `U+201C`, because the character may be invisible. */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** `start` is where the text starts in its file. */
export function repeatedKeys(text: string, start: number): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const visit = (node: Node | undefined): void => {
    const seen = new Set<unknown>();
    for (const child of node?.children ?? []) {
      const key = node?.type === "object" ? child.children?.[0] : undefined;
      if (key !== undefined) {
        if (seen.has(key.value)) problems.push({ code: "duplicate-key", span: spanOf(key, start) });
        seen.add(key.value);
      }
      visit(child);
    }
  };
  visit(treeOf(text));
  return problems;
}

const spanOf = (node: Node, start: number): Span => ({
  start: start + node.offset,
  end: start + node.offset + node.length,
});

/** `start` is where the tree's text starts in its file. */
export function placesIn(tree: Node | undefined, start: number): (path: Path, part: Part) => Located {
  const childOf = children();
  return (path, part) => {
    let value = tree;
    let key: Node | undefined;
    for (const step of path) {
      const next = value && childOf(value, step);
      if (next === undefined) break;
      ({ key, value } = next);
    }
    const node = (part === "key" ? key : undefined) ?? value;
    const span = node === undefined ? { start, end: start } : spanOf(node, start);
    return { span, origin: span };
  };
}

interface Child {
  readonly key: Node | undefined;
  readonly value: Node;
}

/** Caches the members of objects, because an object may have many and be asked for each of them. */
function children(): (node: Node, step: string | number) => Child | undefined {
  const known = new Map<Node, ReadonlyMap<unknown, Child>>();
  return (node, step) => {
    if (node.type === "array") {
      const value = node.children?.[Number(step)];
      return value && { key: undefined, value };
    }
    const members = known.get(node) ?? membersOf(node);
    known.set(node, members);
    return members.get(step);
  };
}

/** Like JSON.parse, a map keeps the last of equal keys. */
const membersOf = (node: Node): ReadonlyMap<unknown, Child> =>
  new Map(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }): [unknown, Child][] =>
      key !== undefined && value !== undefined ? [[key.value, { key, value }]] : [],
    ),
  );
