// JSON (RFC 8259). JSON.parse is fast, but keeps the last of equal keys, rounds integers and reports no places. A scan of
// the text detects such keys and integers, and jsonc-parser finds the places in texts that have a fault. JSONC is read as JSON
// without its comments and trailing commas.

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Draft, Span } from "../../messages.ts";
import { endOfString } from "../../text/json-string.ts";
import { shown } from "../../text/quote.ts";
import { numberOf } from "../../values/number-of.ts";
import { onceFor } from "../../values/once.ts";
import {
  type ContentFormat,
  type Find,
  maxDepth,
  mistake,
  type ReportProblem,
  rootValues,
  tooDeep,
  unreadable,
} from "./format.ts";
import { withoutComments } from "./json-comments.ts";
import type { ContentSource, Value } from "./value.ts";

export const json = {
  contents: () => "its items into it; [] means none",
  read(text, source, report) {
    const read = readJson(text);
    const plain = read.value === undefined ? withoutComments(text) : undefined;
    const isJsonc = typeof plain === "string" && readJson(plain).value !== undefined;
    return valuesOf(read, source, (problem) => report(isJsonc ? { ...problem, option: 'format: "jsonc"' } : problem));
  },
  open: (text) => openJson(text),
} satisfies ContentFormat;

export const jsonc = {
  contents: json.contents,
  read(text, source, report) {
    const plain = withoutComments(text);
    return valuesOf(typeof plain === "string" ? readJson(plain) : { problems: [plain] }, source, report);
  },
  open(text) {
    const plain = withoutComments(text);
    return openJson(typeof plain === "string" ? plain : "");
  },
} satisfies ContentFormat;

function valuesOf({ value, problems }: ReadJson, source: ContentSource, report: ReportProblem): Iterable<Value> {
  problems.forEach(report);
  return value === undefined ? [unreadable(source)] : rootValues(withoutSchema(value), source);
}

/** A JSON object may name the schema for editors in `$schema`, which is not content. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema, ...content } = value;
  return typeof $schema === "string" ? content : value;
}

interface ReadJson {
  /** Undefined if the text is unreadable. */
  readonly value?: unknown;
  readonly problems: readonly Draft<Span>[];
}

/** The value of a text, with Infinity for integers that a double does not hold. */
export function readJson(text: string): ReadJson {
  const { names, tooDeepAt } = survey(text);
  if (tooDeepAt !== undefined) return { problems: [tooDeep(tooDeepAt)] };
  try {
    const parsed: unknown = JSON.parse(text);
    const namesLeft = namesIn(parsed);
    if (namesLeft === names) return { value: parsed, problems: [] };
    const value: unknown = Number.isNaN(namesLeft) ? JSON.parse(withSafeNumbers(text)) : parsed;
    return { value, problems: repeatedKeys(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [mistakeIn(text)] };
  }
}

/** The text with 1e999, which is how JSON writes Infinity, for integers that a double does not hold. */
function withSafeNumbers(text: string): string {
  const parts: string[] = [];
  const token = /"|-?\d[-+.\de]*/gi;
  let end = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [number] = match;
    // A regular expression for whole strings would need stack for each of their escapes.
    if (number === '"') token.lastIndex = endOfString(text, match.index) + 1;
    else if (!Number.isFinite(numberOf(number))) {
      parts.push(text.slice(end, match.index), "1e999");
      end = token.lastIndex;
    }
  }
  return [...parts, text.slice(end)].join("");
}

interface JsonLines {
  readonly values: readonly unknown[];
  /** Whether each line is known to be what JSON.stringify returns for its value. */
  readonly isCanonical: boolean;
}

/**
 * The values of the lines of a text from one offset to another; undefined if one of the lines is blank or has a fault, which
 * `readJson` then reports. Parsing lines together takes three quarters of the time of parsing each.
 */
export function readJsonLines(text: string, start: number, end: number): JsonLines | undefined {
  const { names, tooDeepAt, isByLine, isCanonical } = survey(text, start, end);
  if (tooDeepAt !== undefined || !isByLine) return undefined;
  try {
    // The line feeds stay, because strings must not contain them.
    const lines = text.slice(start, text[end - 1] === "\n" ? end - 1 : end).replaceAll("\n", ",\n");
    const values: readonly unknown[] = JSON.parse(`[${lines}]`);
    return namesIn(values) === names && values.length > 0 ? { values, isCanonical } : undefined;
  } catch {
    return undefined;
  }
}

interface Survey {
  /** The number of names in the text: its colons outside of strings. Values with fewer have lost a repeated one. */
  readonly names: number;
  readonly tooDeepAt: number | undefined;
  /** Whether each value ends on the line on which it starts, and no line has a comma outside of values. */
  readonly isByLine: boolean;
  /** Whether the text has no escapes, spaces, numbers or names that JSON.stringify would write in another way or order. */
  readonly isCanonical: boolean;
}

function survey(text: string, start = 0, end = text.length): Survey {
  let names = 0;
  let depth = 0;
  let isByLine = true;
  let isCanonical = !text.slice(start, end).includes("\\");
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const first = text.charCodeAt(at + 1);
      at = endOfString(text, at);
      // Objects have the names that are numbers before the others.
      if (isDigit(first) && text.charCodeAt(at + 1) === 0x3a) isCanonical = false;
    } else if (code === 0x3a) names++;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return { names, tooDeepAt: at, isByLine, isCanonical };
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c) isByLine &&= depth !== 0;
    else if (code === 0x0a) isByLine &&= depth === 0;
    else if (code <= 0x20) isCanonical = false;
    else if (isDigit(code) || code === 0x2d) {
      const from = at;
      while (isDigit(text.charCodeAt(at + 1))) at++;
      const isShort = code !== 0x2d && at - from < 15;
      if (isShort && !isInNumber(text.charCodeAt(at + 1))) continue;
      while (isInNumber(text.charCodeAt(at + 1))) at++;
      const literal = text.slice(from, at + 1);
      isCanonical &&= String(Number(literal)) === literal;
    }
  }
  return { names, tooDeepAt: undefined, isByLine, isCanonical };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Whether a code unit may follow the first one of a number: a digit, a sign, a point or an E. */
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;

/** The number of names in a value; NaN if it has an integer that a double may not hold. */
function namesIn(value: unknown): number {
  if (typeof value === "number") return isExact(value) ? 0 : Number.NaN;
  if (typeof value !== "object" || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const element of value) names += namesIn(element);
    return names;
  }
  for (const name in value) {
    const part: unknown = value[name as never];
    names++;
    if (typeof part === "object") names += namesIn(part);
    else if (typeof part === "number" && !isExact(part)) names = Number.NaN;
  }
  return names;
}

const isExact = (value: number): boolean => value % 1 !== 0 || Number.isSafeInteger(value);

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** The first mistake of a text that JSON.parse rejects, as jsonc-parser calls it. */
function mistakeIn(text: string): Draft<Span> {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, strict);
  } catch (error) {
    // The parser is recursive. It continues after errors, where the survey does not limit the depth.
    if (!(error instanceof RangeError)) throw error;
  }
  const [first] = errors;
  if (first === undefined) throw new Error(`JSON.parse refuses what jsonc-parser accepts: ${text.slice(0, 200)}`);
  const name = printParseErrorCode(first.error).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`);
  const span = { start: first.offset, end: Math.min(first.offset + first.length, text.length) };
  return mistake("JSON", span, name.toLowerCase());
}

function repeatedKeys(text: string, node = parseTree(text, [], strict)): readonly Draft<Span>[] {
  const seen = new Set<unknown>();
  return (node?.children ?? []).flatMap((child) => {
    const key = node?.type === "object" ? child.children?.[0] : undefined;
    const repeated = key !== undefined && seen.has(key.value) ? [repeatedKey(text, spanOf(key))] : [];
    seen.add(key?.value);
    return [...repeated, ...repeatedKeys(text, child)];
  });
}

export const repeatedKey = (text: string, span: Span): Draft<Span> => ({
  code: "duplicate-key",
  at: span,
  text: `The key ${shown(text.slice(span.start, span.end))} is repeated in this object.`,
  hint: "Keep one of the two.",
});

export const openJson = (text: string): Find => openTree(parseTree(text, [], strict));

/** Finds the values of a tree of objects, lists and other values. */
export function openTree(root: Node | undefined): Find {
  return (path, part) => {
    let node = root;
    for (const step of path) {
      const child: Node | undefined =
        typeof step === "number" ? node?.children?.[step] : node && membersOf(node).get(step);
      if (child === undefined) break;
      node = child;
    }
    const property = node?.parent?.type === "property" ? node.parent : undefined;
    const target = part === "key" ? (property?.children?.[0] ?? node) : node;
    return target === undefined ? { start: 0, end: 0 } : spanOf(target);
  };
}

/** The values of an object by their keys. Thousands of faults may be in it. The last of equal keys counts, as in JSON.parse. */
const membersOf = onceFor(({ children = [] }: Node): ReadonlyMap<string, Node> => {
  const values = new Map<string, Node>();
  for (const { type, children: [key, value] = [] } of children) {
    if (type === "property" && key !== undefined && value !== undefined) values.set(key.value, value);
  }
  return values;
});

const spanOf = ({ offset, length }: Node): Span => ({ start: offset, end: offset + length });
