// Words for the mistakes that the YAML library finds, where its own do not say what to do.
import { CST, type ErrorCode, type YAMLError } from "yaml";
import type { Span, TextProblem } from "./format.ts";

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

const tabs = { detail: "tabs are not allowed as indentation", hint: "Indent with spaces." };

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
  { code: "TAB_AS_INDENT", ...tabs },
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

/** The first of some errors; those behind it often follow from it. */
export function firstMistake(
  text: string,
  errors: readonly YAMLError[],
  tokens: readonly CST.Token[],
): TextProblem | undefined {
  // The longer of two at one place is the more specific one.
  const [first] = [...errors].sort(({ pos: a }, { pos: b }) => a[0] - b[0] || b[1] - a[1]);
  if (first === undefined) return undefined;
  const { code, message, pos } = first;
  const [start, end] = pos;
  const quote = code === "MISSING_CHAR" && message.startsWith("Missing closing") ? quoteTo(tokens, start) : undefined;
  if (quote !== undefined) {
    const lineEnd = text.indexOf("\n", quote);
    return mistake(
      { start: quote, end: lineEnd === -1 ? text.length : lineEnd },
      `the closing ${text[quote]} is missing`,
    );
  }
  const tab = tabBefore(text, start);
  if (tab !== undefined) return mistake({ start: tab, end: tab + 1 }, tabs.detail, tabs.hint);
  const known = rewordings.find((each) => (each.code ?? code) === code && (each.of?.test(message) ?? true));
  const detail = known?.detail ?? `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return mistake({ start, end: Math.max(start, Math.min(end, text.length)) }, detail, known?.hint);
}

/** The start of the quoted text that ends at an offset. */
function quoteTo(tokens: readonly CST.Token[], end: number): number | undefined {
  let start: number | undefined;
  for (const token of tokens) {
    if (token.type !== "document") continue;
    CST.visit(token, ({ key, value }) => {
      for (const each of [key, value])
        if (CST.isScalar(each) && /^["']/.test(each.source) && each.offset + each.source.length === end)
          start = each.offset;
    });
  }
  return start;
}

/** The offset of a tab in the indentation that ends at `end`. */
function tabBefore(text: string, end: number): number | undefined {
  const indent = /(?:^|\n)([^\S\n]*)$/.exec(text.slice(Math.max(0, end - 200), end))?.[1] ?? "";
  return /^ *\t/.test(indent) ? end - indent.length + indent.indexOf("\t") : undefined;
}

export const mistake = (span: Span, detail: string, hint?: string): TextProblem => ({
  code: "syntax",
  span,
  message: `This is not valid YAML: ${detail}.`,
  hint,
});
