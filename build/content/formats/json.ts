// JSON (RFC 8259) and NDJSON, one JSON text a line. Values come from JSON.parse, which is fast, says nothing about
// places and keeps the last of two equal keys. So the names in the text are counted and compared with those of the
// values: fewer of them means that a key stands twice. Only then, or where JSON.parse fails, is the text opened with a
// parser that knows places.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Path } from "../source.ts";
import { type Format, maxDepth, type Span, type TextProblem, unreadable, valuesOf } from "./format.ts";

export const json: Format = {
  label: "JSON",
  read(text) {
    const shape = measure(text);
    if (shape.tooDeepAt !== undefined) return unreadable(tooDeep(shape.tooDeepAt));
    const root = parseOr(text);
    if (root === failed) return unreadable(syntaxProblem(text, 0));
    return { values: valuesOf(root), problems: namesIn(root) < shape.names ? repeatedKeys(text, 0) : [], whole: true };
  },
  open(text) {
    const tree = treeOf(text);
    return (path, part) => spanAt(tree, path, part, 0);
  },
};

export const ndjson: Format = {
  label: "JSON",
  read(text) {
    const values: { path: Path; value: unknown }[] = [];
    const problems: TextProblem[] = [];
    let whole = true;
    let names = 0;
    const shape = measure(text);
    for (const [index, { line, start }] of linesOf(text).entries()) {
      if (line.trim() === "") continue;
      const deep = shape.tooDeepAt === undefined ? undefined : measure(line).tooDeepAt;
      const value = deep === undefined ? parseOr(line) : failed;
      if (value === failed) {
        problems.push(deep === undefined ? syntaxProblem(line, start) : tooDeep(start + deep));
        whole = false;
        continue;
      }
      names += namesIn(value);
      values.push({ path: [index], value });
    }
    if (names < shape.names) {
      for (const { line, start } of linesOf(text)) problems.push(...repeatedKeys(line, start));
    }
    return { values, problems, whole };
  },
  open(text) {
    const lines = linesOf(text);
    return ([index, ...path], part) => {
      const { line, start } = lines[Number(index)] ?? { line: text, start: 0 };
      return spanAt(treeOf(line), path, part, start);
    };
  },
};

function linesOf(text: string): { line: string; start: number }[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const at = { line, start };
    start += line.length + 1;
    return at;
  });
}

const failed = Symbol("not JSON");

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is wrong, and where, the parser that knows places says better: see syntaxProblem.
    return failed;
  }
}

/** Counts the names in a JSON text, which are its colons outside strings, and finds where it nests too deep. */
function measure(text: string): { names: number; tooDeepAt: number | undefined } {
  let names = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at);
        break;
      case 0x3a: // :
        names++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return { names, tooDeepAt: at };
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return { names, tooDeepAt: undefined };
}

/** The index of the quote that ends the string whose opening quote is at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function namesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let names = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const child of Object.values(value)) names += namesIn(child);
  return names;
}

const tooDeep = (at: number): TextProblem => ({ code: "too-deep", span: { start: at, end: at + 1 }, detail: "" });

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

const treeOf = (text: string): Node | undefined => parseTree(text, [], strict);

const complaints: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no JSON value; strings and keys stand in double quotes",
  InvalidNumberFormat: "this is no number",
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
  InvalidUnicode: "this string has a \\u that four hexadecimal digits do not follow",
  InvalidEscapeCharacter: "this string has a backslash before a character that needs none",
  InvalidCharacter: "this string holds a control character that is not escaped",
};

function syntaxProblem(text: string, start: number): TextProblem {
  const errors: ParseError[] = [];
  parseTree(text, errors, strict);
  const [first] = errors;
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const name = printParseErrorCode(first.error);
  const span = { start: start + first.offset, end: start + first.offset + first.length };
  return { code: "syntax", span, detail: complaints[name] ?? name };
}

function repeatedKeys(text: string, start: number): TextProblem[] {
  const problems: TextProblem[] = [];
  const visit = (node: Node | undefined): void => {
    const seen = new Set<unknown>();
    for (const child of node?.children ?? []) {
      const key = node?.type === "object" ? child.children?.[0] : undefined;
      if (key !== undefined) {
        if (seen.has(key.value)) {
          problems.push({ code: "duplicate-key", span: spanOf(key, start), detail: "" });
        }
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

function spanAt(tree: Node | undefined, path: Path, part: "key" | "value", start: number): Span {
  if (tree === undefined) return { start, end: start };
  let value = tree;
  let key: Node | undefined;
  for (const step of path) {
    const next = childAt(value, step);
    if (next === undefined) break;
    ({ key, value } = next);
  }
  return spanOf((part === "key" ? key : undefined) ?? value, start);
}

function childAt(node: Node, step: string | number): { key: Node | undefined; value: Node } | undefined {
  if (node.type === "array") {
    const value = node.children?.[Number(step)];
    return value && { key: undefined, value };
  }
  // JSON.parse keeps the last of equal keys, so the place is the last one's.
  const property = node.children?.findLast((each) => each.children?.[0]?.value === step);
  const [key, value] = property?.children ?? [];
  return value && { key, value };
}
