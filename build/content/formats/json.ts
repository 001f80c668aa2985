// JSON (RFC 8259). JSON.parse is fast, but keeps the last of equal keys, rounds numbers and reports no places. So one scan
// of the text finds what it does not say, and jsonc-parser opens the texts that have a fault.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { endOfString } from "../../json.ts";
import { shown } from "../../text/quote.ts";
import { exactNumber, parseExact } from "./exact.ts";
import {
  type ContentFormat,
  type Find,
  located,
  maxDepth,
  type Span,
  type TextProblem,
  tooDeep,
  unreadable,
  visitRoot,
} from "./format.ts";

export const json: ContentFormat = {
  label: "JSON",
  contents: "its items into it; [] means none",
  read(text, visit) {
    const { value, problems, isReadable } = readJson(text);
    if (!isReadable) return unreadable(...problems);
    return { shape: visitRoot(withoutSchema(value), visit), problems, whole: true };
  },
  open: (text) => openJson(text),
};

/** A JSON object may name the schema for editors in `$schema`, which is not content. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema, ...content } = value;
  return typeof $schema === "string" ? content : value;
}

interface ReadJson {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  readonly isReadable: boolean;
}

/** The value of a text; numbers that a double does not represent are Infinity, which no schema accepts. */
export function readJson(text: string, label = json.label): ReadJson {
  const { names, isExact, tooDeepAt } = survey(text);
  if (tooDeepAt !== undefined) return { value: undefined, problems: [tooDeep(tooDeepAt)], isReadable: false };
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (!isExact) value = parseExact(text);
  } catch {
    // The parser with places describes mistakes better.
    return { value, problems: [mistakeIn(text, label)], isReadable: false };
  }
  return { value, problems: namesIn(value) < names ? repeatedKeys(text) : noProblems, isReadable: true };
}

const noProblems: readonly TextProblem[] = [];

/**
 * The values of lines, one a line; undefined if there is anything to say about one of them, which `readJson` says then.
 * Parsing some lines together takes three quarters of the time of parsing each.
 */
export function readJsonLines(text: string): readonly unknown[] | undefined {
  const { names, isExact, tooDeepAt, isByLine } = survey(text);
  if (!isExact || tooDeepAt !== undefined || !isByLine) return undefined;
  try {
    // The line feeds stay, because strings must not contain them.
    const values: readonly unknown[] = JSON.parse(`[${text.replace(/\n$/, "").replaceAll("\n", ",\n")}]`);
    return namesIn(values) < names ? undefined : values;
  } catch {
    return undefined;
  }
}

interface Survey {
  /** The number of names in the text: its colons outside of strings. Values with fewer have lost a repeated one. */
  readonly names: number;
  readonly isExact: boolean;
  readonly tooDeepAt: number | undefined;
  /** Whether each value ends on the line it starts on, and no line has a comma outside of values. */
  readonly isByLine: boolean;
}

function survey(text: string): Survey {
  let [names, depth, isExact, isByLine] = [0, 0, true, true];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) names++;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return { names, isExact, tooDeepAt: at, isByLine };
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c) isByLine &&= depth !== 0;
    else if (code === 0x0a) isByLine &&= depth === 0;
    else if (code >= 0x30 && code <= 0x39) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at++;
      if (isExact && mayBeInexact(text, start, at)) isExact = Number.isFinite(exactNumber(text.slice(start, at + 1)));
    }
  }
  return { names, isExact, tooDeepAt: undefined, isByLine };
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === 0x2d;

/** Numbers of a few digits without an exponent are exact. */
function mayBeInexact(text: string, start: number, last: number): boolean {
  if (last - start >= 15) return true;
  for (let at = start; at <= last; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

function namesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) for (const each of value) names += namesIn(each);
  else {
    for (const name in value) {
      const each: unknown = value[name as never];
      names += typeof each === "object" ? 1 + namesIn(each) : 1;
    }
  }
  return names;
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

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

/** The first mistake of a text that JSON.parse rejects. */
function mistakeIn(text: string, label: string): TextProblem {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, strict);
  } catch (error) {
    // The parser is recursive, and continues after errors, when brackets are not counted reliably.
    if (!(error instanceof RangeError)) throw error;
  }
  const [first] = errors;
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const { offset: start, length } = first;
  const name = printParseErrorCode(first.error);
  const stranger = name === "InvalidSymbol" ? /^\P{ASCII}/u.exec(text.slice(start, start + 2))?.[0] : undefined;
  const detail = stranger === undefined ? complaints[name] : `the character ${codePoint(stranger)} is outside a string`;
  const span = { start, end: Math.min(start + length, text.length) };
  const message = `This is not valid ${label}: ${detail ?? name}.`;
  const isSecond = name === "EndOfFileExpected";
  return { code: "syntax", span, message, hint: isSecond ? severalHint : undefined };
}

const severalHint = "Write several items as a list, or one a line in a file named .ndjson.";

/** `U+201C`, because the character may be invisible. */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function repeatedKeys(text: string): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const visit = (node: Node | undefined): void => {
    const seen = new Set<unknown>();
    for (const child of node?.children ?? []) {
      const key = node?.type === "object" ? child.children?.[0] : undefined;
      if (key !== undefined && seen.has(key.value)) problems.push(repeatedKey(text, spanOf(key)));
      seen.add(key?.value);
      visit(child);
    }
  };
  visit(parseTree(text, [], strict));
  return problems;
}

export const repeatedKey = (text: string, span: Span): TextProblem => ({
  code: "duplicate-key",
  span,
  message: `The key ${shown(text.slice(span.start, span.end))} is repeated in this object.`,
  hint: "Keep one of the two.",
});

const spanOf = ({ offset, length }: Node): Span => ({ start: offset, end: offset + length });

/** Finds the values of a text that JSON.parse accepts. */
export function openJson(text: string): Find {
  const root = parseTree(text, [], strict);
  const known = new Map<Node, ReadonlyMap<unknown, Node>>();
  /** A member, which has a key and a value, or an element. */
  const childOf = (node: Node, step: string | number): Node | undefined => {
    if (node.type === "array") return node.children?.[Number(step)];
    // Like JSON.parse, this keeps the last of equal keys.
    const members = known.get(node) ?? new Map(node.children?.map((each) => [each.children?.[0]?.value, each]));
    known.set(node, members);
    return members.get(step);
  };
  return (path, part) => {
    let value = root;
    let key: Node | undefined;
    for (const step of path) {
      const child = value && childOf(value, step);
      if (child === undefined) break;
      [key, value] = child.type === "property" ? (child.children ?? []) : [undefined, child];
    }
    const node = (part === "key" ? key : undefined) ?? value;
    return located(node === undefined ? { start: 0, end: 0 } : spanOf(node));
  };
}
