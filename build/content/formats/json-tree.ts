// The places of values in a JSON text, and the mistakes of a text that JSON.parse rejects.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Path } from "../source.ts";
import type { Located, Part, Span, TextProblem } from "./format.ts";

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** The tree of a text that JSON.parse accepts. */
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

/** Mistakes inside a single value, or a superfluous comma, after which the parser recovers. */
const local: ReadonlySet<string> = new Set([
  ...["InvalidCommentToken", "InvalidCharacter", "InvalidEscapeCharacter", "InvalidUnicode", "InvalidNumberFormat"],
]);

/**
 * The mistakes of a text that JSON.parse rejects, at least one. Once the parser is lost, further errors are omitted.
 */
export function syntaxProblems(text: string, start: number): readonly [TextProblem, ...TextProblem[]] {
  const { errors: found } = tryTree(text);
  // The second of two errors at one place follows from the first, and so does anything missing at the end.
  const errors = found.filter(
    ({ offset }, at) => at === 0 || (offset !== found[at - 1]?.offset && offset < text.length),
  );
  const lost = errors.findIndex((error) => !isLocal(text, error));
  const [first, ...others] = lost === -1 ? errors : errors.slice(0, lost + 1);
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const problemOf = (error: ParseError) => openQuote(text, start, error) ?? syntaxProblem(text, start, error);
  return [problemOf(first), ...others.map(problemOf)];
}

const isLocal = (text: string, { error, offset }: ParseError): boolean =>
  local.has(printParseErrorCode(error)) || /^\s*[\]}]/.test(text.slice(offset, offset + 100));

function syntaxProblem(text: string, start: number, error: ParseError): TextProblem {
  const name = printParseErrorCode(error.error);
  const end = Math.min(error.offset + error.length, text.length);
  const span = { start: start + error.offset, end: start + end };
  const stranger = name === "InvalidSymbol" ? text.slice(error.offset).match(/^[^\p{ASCII}]/u)?.[0] : undefined;
  const detail = stranger === undefined ? complaints[name] : `the character ${codePoint(stranger)} is outside a string`;
  return { code: "syntax", span, detail: detail ?? name, hint: hints[name] };
}

/** `"nod_1, "pop": …`: the opening quote of the next string has closed this one, whose start is the mistake. */
function openQuote(text: string, start: number, { error, offset }: ParseError): TextProblem | undefined {
  if (printParseErrorCode(error) !== "InvalidSymbol" || text[offset - 1] !== '"') return undefined;
  const open = text.lastIndexOf('"', offset - 2);
  const held = open === -1 ? "" : text.slice(open + 1, offset - 1);
  if (!/[,:[{]\s*$/.test(held) || held.includes("\n")) return undefined;
  const span = { start: start + open, end: start + offset - 1 };
  return { code: "syntax", span, detail: 'the closing " of this string is missing' };
}

/**
 * The parts of a text that JSON.parse rejects: the elements of its list, or the values of its object, with their
 * indices or keys. They may contain mistakes.
 */
export function partsIn(text: string): readonly (Span & { readonly step: string | number })[] {
  const { root } = tryTree(text);
  if (root?.type === "array") return (root.children ?? []).map((child, step) => ({ ...spanOf(child, 0), step }));
  if (root?.type !== "object") return [];
  return (root.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    typeof key?.value === "string" && value !== undefined ? [{ ...spanOf(value, 0), step: key.value }] : [],
  );
}

function tryTree(text: string): { readonly root: Node | undefined; readonly errors: readonly ParseError[] } {
  const errors: ParseError[] = [];
  try {
    return { root: parseTree(text, errors, strict), errors };
  } catch (error) {
    // The parser is recursive, and continues after errors, when brackets are not counted reliably.
    if (!(error instanceof RangeError)) throw error;
    return { root: undefined, errors };
  }
}

/** `U+201C`, because the character may be invisible. */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** `start` is the offset of the text in its file. */
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

/** `start` is the offset of the tree's text in its file. */
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

/** Caches the members of objects, because large objects are asked for each of their members. */
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

/** Like JSON.parse, keeps the last of equal keys. */
const membersOf = (node: Node): ReadonlyMap<unknown, Child> =>
  new Map(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }): [unknown, Child][] =>
      key !== undefined && value !== undefined ? [[key.value, { key, value }]] : [],
    ),
  );
