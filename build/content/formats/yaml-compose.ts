// From text to the nodes of YAML documents, and what is wrong with the text.
import { Composer, CST, type Document, type ErrorCode, Parser, type YAMLError } from "yaml";
import { maxDepth, type Span, type TextProblem } from "./format.ts";
import { quoteBefore } from "./yaml-quotes.ts";

export interface Composed {
  /** None where the text nests too deep. */
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly TextProblem[];
  /** False where nothing can be said of what the documents hold. */
  readonly readable: boolean;
}

const options = {
  version: "1.2",
  // Of all tags, those remain that JSON's types have.
  resolveKnownTags: false,
  // The library compares each key with all others; readDocument finds repeated ones faster.
  uniqueKeys: false,
} as const;

export function composeYaml(text: string): Composed {
  const mark = markIn(text);
  if (mark !== undefined) return { documents: [], problems: [mark], readable: false };
  const tokens: CST.Token[] = [];
  const problems: TextProblem[] = [];
  for (const token of new Parser().parse(text)) {
    // The composer is recursive and dies with its stack, so the tokens, whose parser is not, are measured first.
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

/** The library passes over a byte order mark at the start of some lines. That of the file is not part of the text. */
function markIn(text: string): TextProblem | undefined {
  const start = text.search(/^\ufeff/m);
  if (start === -1) return undefined;
  const detail = "a byte order mark is allowed only at the start of the file";
  return { code: "syntax", span: { start, end: start + 1 }, detail, hint: "Remove the invisible character." };
}

/** Where the text opens one list or object too many inside others. */
function tooDeepAt({ value }: CST.Document): number | undefined {
  let level = [value].filter(CST.isCollection);
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap(({ items }) => items.flatMap((item) => [item.key, item.value].filter(CST.isCollection)));
  }
  return level[0]?.offset;
}

/** Without the directive, its file is read as YAML 1.2, so that what else is wrong with it is found too. */
function foreignVersion({ source, offset }: CST.Directive): TextProblem | undefined {
  const version = source.match(/^%YAML[ \t]+(\S+)/)?.[1];
  if (version === undefined || version === "1.2") return undefined;
  return { code: "yaml-version", span: { start: offset, end: offset + source.length }, detail: version };
}

/** Mistakes inside a single value, after which the parser goes on as if nothing had happened. */
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
 * The mistakes that are not the echo of an earlier one, and the unknown tags. Once the parser is lost, as after a bracket
 * too many, it takes everything for a mistake: then only the first one counts.
 */
function sortOut(errors: readonly YAMLError[]): readonly [syntax: readonly YAMLError[], tags: readonly YAMLError[]] {
  const tags = errors.filter(({ code }) => code === "TAG_RESOLVE_FAILED");
  const others = errors.filter(({ code }) => code !== "TAG_RESOLVE_FAILED").sort(byPlace);
  const lost = others.findIndex(({ code }) => !local.has(code));
  const syntax = lost === -1 ? others : others.slice(0, lost + 1);
  return [syntax.filter(({ pos }, index) => pos[0] !== syntax[index - 1]?.pos[0]), tags];
}

/** Of two at one place, the one that covers more of the text knows more about it. */
const byPlace = ({ pos: a }: YAMLError, { pos: b }: YAMLError): number => a[0] - b[0] || b[1] - a[1];

/** A quote that is not closed is told where it opens: the parser is lost only where the next quote, or the text, ends. */
function openQuote(text: string, tokens: readonly CST.Token[], { code, pos }: YAMLError): TextProblem | undefined {
  const start = local.has(code) ? undefined : quoteBefore(text, tokens, pos[0]);
  if (start === undefined) return undefined;
  const lineEnd = text.indexOf("\n", start);
  const span = { start, end: lineEnd === -1 ? text.length : lineEnd };
  return { code: "syntax", span, detail: `the closing ${text[start]} is missing` };
}

/** `-id: nod_1` is a key, and no element of a list. */
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
  /** Undefined where several codes have the message. */
  readonly code?: ErrorCode;
  /** The message, where the code has several. */
  readonly of?: RegExp;
  /** Where the library does not say it clearly. */
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
  // In a block collection the code is BAD_INDENT, else MISSING_CHAR.
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

/** Where a tab is in the indentation that ends here. A line may be long and have many mistakes, so it is not searched. */
function tabBefore(text: string, end: number): number | undefined {
  let start = end;
  while (/[^\S\n]/.test(text.charAt(start - 1))) start--;
  const indent = text.slice(start, end);
  const isIndent = start === 0 || text[start - 1] === "\n";
  return isIndent && /^ *\t/.test(indent) ? start + indent.indexOf("\t") : undefined;
}
