// JSON (RFC 8259). JSON.parse is fast, but keeps the last of equal keys, rounds numbers and reports no places. So one scan
// of the text finds what it does not say, and jsonc-parser opens the texts that have a fault.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { endOfString } from "../../json.ts";
import { quote, shown } from "../../text/quote.ts";
import { exactNumber, parseExact } from "./exact.ts";
import {
  type Child,
  type ContentFormat,
  type Find,
  maxDepth,
  mistake,
  pathFinder,
  type Span,
  type TextProblem,
  tooDeep,
  unreadable,
  visitRoot,
} from "./format.ts";

export const json: ContentFormat = {
  contents: "its items into it; [] means none",
  read(text, visit) {
    const { value, problems } = readJson(text);
    if (value === undefined) return unreadable(...problems);
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
  /** Undefined if the text is unreadable. */
  readonly value?: unknown;
  readonly problems: readonly TextProblem[];
}

/** The value of a text; numbers that a double does not represent are Infinity, which no schema accepts. */
export function readJson(text: string, format = "JSON"): ReadJson {
  const { names, isExact, tooDeepAt } = survey(text);
  if (tooDeepAt !== undefined) return { problems: [tooDeep(tooDeepAt)] };
  try {
    const parsed: unknown = JSON.parse(text);
    const value = isExact ? parsed : parseExact(text);
    return { value, problems: namesIn(value) < names ? repeatedKeys(text) : [] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [mistakeIn(text, format)] };
  }
}

/**
 * The values of the lines of a text from one offset to another; undefined if there is anything to say about one of them,
 * which `readJson` says then. Parsing lines together takes three quarters of the time of parsing each.
 */
export function readJsonLines(text: string, start: number, end: number): readonly unknown[] | undefined {
  const { names, isExact, tooDeepAt, isByLine } = survey(text, start, end);
  if (!isExact || tooDeepAt !== undefined || !isByLine) return undefined;
  try {
    // The line feeds stay, because strings must not contain them.
    const lines = text.slice(start, text[end - 1] === "\n" ? end - 1 : end).replaceAll("\n", ",\n");
    const values: readonly unknown[] = JSON.parse(`[${lines}]`);
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

function survey(text: string, start = 0, end = text.length): Survey {
  let [names, depth, isExact, isByLine] = [0, 0, true, true];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) names++;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return { names, isExact, tooDeepAt: at, isByLine };
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c) isByLine &&= depth !== 0;
    else if (code === 0x0a) isByLine &&= depth === 0;
    else if (code >= 0x30 && code <= 0x39) {
      const first = at;
      let hasSigns = false;
      for (let next = text.charCodeAt(at + 1); isOfNumber(next); next = text.charCodeAt(++at + 1))
        hasSigns ||= next > 0x39 || next < 0x2e;
      // Numbers of a few digits without an exponent are exact.
      if (isExact && (hasSigns || at - first >= 15)) isExact = Number.isFinite(exactNumber(text.slice(first, at + 1)));
    }
  }
  return { names, isExact, tooDeepAt: undefined, isByLine };
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === 0x2d;

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

/** The first mistake of a text that JSON.parse rejects, with what jsonc-parser calls it unless that says too little. */
function mistakeIn(text: string, format: string): TextProblem {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, strict);
  } catch (error) {
    // The parser is recursive, and continues after errors, when brackets are not counted reliably.
    if (!(error instanceof RangeError)) throw error;
  }
  const [first] = errors;
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const span = { start: first.offset, end: Math.min(first.offset + first.length, text.length) };
  const name = printParseErrorCode(first.error);
  if (name === "InvalidSymbol") {
    const what = quote(text.slice(span.start, span.end));
    return mistake(format, span, `${what} is no value; strings and keys must be in double quotes`);
  }
  const several = "Write several items as a list, or one a line in a file named .ndjson.";
  if (name === "EndOfFileExpected") return mistake(format, span, "something follows the value", several);
  return mistake(format, span, name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase());
}

function repeatedKeys(text: string, node = parseTree(text, [], strict)): readonly TextProblem[] {
  const known = new Set<unknown>();
  return (node?.children ?? []).flatMap((child) => {
    const key = node?.type === "object" ? child.children?.[0] : undefined;
    const repeated = key !== undefined && known.has(key.value) ? [repeatedKey(text, spanOf(key))] : [];
    known.add(key?.value);
    return [...repeated, ...repeatedKeys(text, child)];
  });
}

export const repeatedKey = (text: string, span: Span): TextProblem => ({
  code: "duplicate-key",
  span,
  message: `The key ${shown(text.slice(span.start, span.end))} is repeated in this object.`,
  hint: "Keep one of the two.",
});

/** Finds the values of a text that JSON.parse accepts. Like JSON.parse, it keeps the last of equal keys. */
export function openJson(text: string): Find {
  const root = parseTree(text, [], strict);
  const find = pathFinder(childrenOf);
  return (path, part) => {
    if (root === undefined) return { start: 0, end: 0 };
    const { key, value } = find(root, path).at(-1) ?? { value: root };
    return spanOf((part === "key" ? key : undefined) ?? value);
  };
}

const spanOf = ({ offset, length }: Node): Span => ({ start: offset, end: offset + length });

function* childrenOf({ type, children = [] }: Node): Generator<readonly [string | number, Child<Node>]> {
  for (const [index, child] of children.entries()) {
    const [key, value] = child.children ?? [];
    if (type === "array") yield [index, { value: child }];
    else if (key !== undefined && value !== undefined) yield [key.value, { key, value }];
  }
}
