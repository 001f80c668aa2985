// Composes a text to YAML documents and reports its syntax errors.
import { Composer, CST, type Document, type ErrorCode, Parser, type YAMLError } from "yaml";
import { maxDepth, type Span, type TextProblem } from "./format.ts";
import { quoteBefore } from "./yaml-quotes.ts";

export interface Composed {
  /** Empty if the text nests too deeply. */
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly TextProblem[];
  /** False if the documents' values are unknown. */
  readonly readable: boolean;
}

const options = {
  version: "1.2",
  // Only the tags of JSON's types are resolved.
  resolveKnownTags: false,
  // The library compares each key with all others; readDocument finds repeated keys faster.
  uniqueKeys: false,
} as const;

export function composeYaml(text: string): Composed {
  const mark = markIn(text);
  if (mark !== undefined) return { documents: [], problems: [mark], readable: false };
  const tokens: CST.Token[] = [];
  const problems: TextProblem[] = [];
  for (const token of new Parser().parse(text)) {
    // The composer is recursive and overflows the stack, so the depth of the tokens is checked first; their parser is
    // not recursive.
    const deep = token.type === "document" ? tooDeepAt(token) : undefined;
    if (deep !== undefined) {
      return { documents: [], problems: [{ code: "too-deep", span: { start: deep, end: deep + 1 } }], readable: false };
    }
    const version = token.type === "directive" ? foreignVersion(token) : undefined;
    if (version === undefined) tokens.push(token);
    else problems.push(version);
  }
  const documents = [...new Composer(options).compose(tokens)];
  const [syntax, tags] = sortOut(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]));
  for (const error of syntax)
    problems.push(openQuote(text, tokens, error) ?? bareHyphen(text, error) ?? problemOf(text, error));
  for (const { pos } of tags) problems.push(tagProblem(text, { start: pos[0], end: pos[1] }));
  return { documents, problems, readable: syntax.length === 0 };
}

/**
 * A byte order mark inside the text. The library skips it at the start of some lines. The file's mark is not part of
 * the text.
 */
function markIn(text: string): TextProblem | undefined {
  const start = text.search(/^\ufeff/m);
  if (start === -1) return undefined;
  const detail = "a byte order mark is allowed only at the start of the file";
  return { code: "syntax", span: { start, end: start + 1 }, detail, hint: "Remove the invisible character." };
}

/** The offset at which the text nests too deeply. */
function tooDeepAt({ value }: CST.Document): number | undefined {
  let level = [value].filter(CST.isCollection);
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap(({ items }) => items.flatMap((item) => [item.key, item.value].filter(CST.isCollection)));
  }
  return level[0]?.offset;
}

/**
 * A %YAML directive of another version is reported. The file is read as YAML 1.2, so that its other faults are found
 * too.
 */
function foreignVersion({ source, offset }: CST.Directive): TextProblem | undefined {
  const version = source.match(/^%YAML[ \t]+(\S+)/)?.[1];
  if (version === undefined || version === "1.2") return undefined;
  return { code: "yaml-version", span: { start: offset, end: offset + source.length }, detail: version };
}

/** Mistakes inside a single value, after which the parser recovers. */
const local: ReadonlySet<ErrorCode> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAB_AS_INDENT",
]);

/**
 * The mistakes that do not follow from an earlier one, and the unknown tags. Once the parser is lost, as after a
 * superfluous bracket, it reports everything as a mistake, so only the first one counts.
 */
function sortOut(errors: readonly YAMLError[]): readonly [syntax: readonly YAMLError[], tags: readonly YAMLError[]] {
  const tags = errors.filter(({ code }) => code === "TAG_RESOLVE_FAILED");
  const others = errors.filter(({ code }) => code !== "TAG_RESOLVE_FAILED").sort(byPlace);
  const lost = others.findIndex(({ code }) => !local.has(code));
  const syntax = lost === -1 ? others : others.slice(0, lost + 1);
  return [syntax.filter(({ pos }, index) => pos[0] !== syntax[index - 1]?.pos[0]), tags];
}

/** Orders errors by place. The one with the longer span comes first, because it is more specific. */
const byPlace = ({ pos: a }: YAMLError, { pos: b }: YAMLError): number => a[0] - b[0] || b[1] - a[1];

/** Reports an unclosed quote at its start: the parser is lost only at the next quote or at the end of the text. */
function openQuote(text: string, tokens: readonly CST.Token[], { code, pos }: YAMLError): TextProblem | undefined {
  const start = local.has(code) ? undefined : quoteBefore(text, tokens, pos[0]);
  if (start === undefined) return undefined;
  const lineEnd = text.indexOf("\n", start);
  const span = { start, end: lineEnd === -1 ? text.length : lineEnd };
  return { code: "syntax", span, detail: `the closing ${text[start]} is missing` };
}

/** `-id: nod_1` is a key and not a list element. */
function bareHyphen(text: string, { code, pos: [at] }: YAMLError): TextProblem | undefined {
  if (local.has(code)) return undefined;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const [whole, indent = "", key = ""] = /^( *)-([a-z_]\w*):\s/i.exec(text.slice(lineStart, lineStart + 100)) ?? [];
  if (whole === undefined) return undefined;
  const start = lineStart + indent.length;
  const detail = "a space is missing after the hyphen";
  return { code: "syntax", span: { start, end: start + 1 }, detail, hint: `Write - ${key}: and so on.` };
}

function tagProblem(text: string, span: Span): TextProblem {
  return {
    code: "yaml-only",
    span,
    detail: `tags such as ${text.slice(span.start, span.end)}`,
    hint: "Leave the tag out.",
  };
}

const quotes = "Put a value that holds such characters in quotes.";

interface Rewording {
  /** Undefined if the message occurs with several codes. */
  readonly code?: ErrorCode;
  /** Matches the message, if the code has several. */
  readonly of?: RegExp;
  /** A clearer description than the library's. */
  readonly detail?: string;
  readonly hint?: string;
}

const rewordings: readonly Rewording[] = [
  { code: "BAD_SCALAR_START", hint: quotes },
  { code: "BAD_ALIAS", of: /^Alias .*empty/, detail: "a plain value cannot start with *", hint: quotes },
  { code: "BAD_ALIAS", of: /^Anchor .*empty/, detail: "a plain value cannot start with &", hint: quotes },
  {
    code: "BLOCK_AS_IMPLICIT_KEY",
    of: /^Nested/,
    detail: "a second colon follows the first one here",
    hint: quotes,
  },
  { code: "TAB_AS_INDENT", detail: "tabs are not allowed as indentation", hint: "Indent with spaces." },
  {
    code: "MULTILINE_IMPLICIT_KEY",
    detail: "a key and its colon must be on one line, and this text goes on over the next",
    hint: "Write a colon and a space after the key, or indent the next line like this one.",
  },
  {
    code: "MISSING_CHAR",
    of: /^Implicit map keys/,
    detail: "a colon is missing after this key",
    hint: "Write a colon and a space after it, or indent it if it goes on with the value above.",
  },
  {
    code: "MISSING_CHAR",
    of: /^Sequence item/,
    detail: "this line is neither an element of the list above nor inside one",
    hint: "Check its indentation.",
  },
  // The code is BAD_INDENT in a block collection and MISSING_CHAR elsewhere.
  { of: /^Flow map .*must/, detail: "the closing } is missing, or the lines before it are not indented" },
  { of: /^Flow sequence .*must/, detail: "the closing ] is missing, or the lines before it are not indented" },
  {
    code: "BAD_INDENT",
    of: /^All mapping items/,
    detail: "the keys of an object must start in the same column",
    hint: "Check its indentation.",
  },
  { code: "UNEXPECTED_TOKEN", of: /^Unexpected scalar at/, detail: "something follows a value that has ended" },
  { code: "UNEXPECTED_TOKEN", of: /on same line/, detail: "a list with hyphens must start on a line of its own" },
  { code: "UNEXPECTED_TOKEN", of: /in YAML stream/, detail: "this is not expected here" },
  { code: "BLOCK_IN_FLOW", detail: "a comma or a closing bracket is missing before this" },
];

function problemOf(text: string, { code, message, pos: [start, end] }: YAMLError): TextProblem {
  const tab = tabBefore(text, start);
  const known = rewordings.find((each) =>
    tab === undefined
      ? (each.code ?? code) === code && (each.of?.test(message) ?? true)
      : each.code === "TAB_AS_INDENT",
  );
  const detail = known?.detail ?? message.charAt(0).toLowerCase() + message.slice(1);
  const whole = { start, end: Math.max(start, Math.min(end, text.length)) };
  const span = tab === undefined ? whole : { start: tab, end: tab + 1 };
  return { code: "syntax", span, detail, hint: known?.hint };
}

/**
 * The offset of a tab in the indentation that ends at `end`. It does not search the line, which may be long and have
 * many mistakes.
 */
function tabBefore(text: string, end: number): number | undefined {
  let start = end;
  while (/[^\S\n]/.test(text.charAt(start - 1))) start--;
  const indent = text.slice(start, end);
  const isIndent = start === 0 || text[start - 1] === "\n";
  return isIndent && /^ *\t/.test(indent) ? start + indent.indexOf("\t") : undefined;
}
