// Words for the mistakes that the YAML library finds, where its own do not say what to do.
import { CST, Lexer, type YAMLError } from "yaml";
import { mistake, type Span, type TextProblem } from "./format.ts";

export const yamlMistake = (span: Span, detail: string, hint?: string): TextProblem =>
  mistake("YAML", span, detail, hint);

const quotes = "Put a value that holds such characters in quotes.";
const tabs = "tabs are not allowed as indentation";

/** What the library's message starts with, a clearer description than it, and a hint. */
const rewordings: readonly (readonly [message: RegExp, detail?: string | undefined, hint?: string])[] = [
  [/^Plain value cannot start/, undefined, quotes],
  [/^(?:Alias|Anchor) cannot be an empty/, "a plain value cannot start with * or &", quotes],
  [/^Nested mappings/, "a second colon follows the first one here", quotes],
  [/^Tabs/, tabs, "Indent with spaces."],
  [
    /^Implicit keys need/,
    "a key and its colon must be on one line, and this text goes on over the next",
    "Write a colon and a space after the key, or indent the next line like this one.",
  ],
  [
    /^Implicit map keys/,
    "a colon is missing after this key",
    "Write a colon and a space after it, or indent it if it goes on with the value above.",
  ],
  [/^Sequence item/, "this line is neither an element of the list above nor inside one", "Check its indentation."],
  [/^All mapping items/, "the keys of an object must start in the same column", "Check its indentation."],
  [/^Flow (?:map|sequence) .*must/, "the closing bracket is missing, or the lines before it are not indented"],
  [/^Block collections are not allowed within/, "a comma or a closing bracket is missing before this"],
  [/^Unexpected scalar at/, "something follows a value that has ended"],
  [/^Unexpected .*on same line/, "a list with hyphens must start on a line of its own"],
  [/^Unexpected .*in YAML stream/, "this is not expected here"],
];

/** The first of some errors; those behind it often follow from it. */
export function firstMistake(text: string, errors: readonly YAMLError[]): TextProblem | undefined {
  // The longer of two at one place is the more specific one.
  const [first] = [...errors].sort(({ pos: a }, { pos: b }) => a[0] - b[0] || b[1] - a[1]);
  if (first === undefined) return undefined;
  const [start, end] = first.pos;
  const quote = first.message.startsWith("Missing closing") ? quoteTo(text, start) : undefined;
  if (quote !== undefined)
    return yamlMistake({ start: quote, end: lineEnd(text, quote) }, `the closing ${text[quote]} is missing`);
  const tab = tabBefore(text, start);
  if (tab !== undefined) return yamlMistake({ start: tab, end: tab + 1 }, tabs, "Indent with spaces.");
  const [, detail, hint] = rewordings.find(([message]) => message.test(first.message)) ?? [];
  const own = `${first.message.charAt(0).toLowerCase()}${first.message.slice(1)}`;
  return yamlMistake({ start, end: Math.max(start, Math.min(end, text.length)) }, detail ?? own, hint);
}

/** The start of the quoted text that ends at an offset. */
function quoteTo(text: string, end: number): number | undefined {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (at + token.length === end && /^["']/.test(token)) return at;
    // Other tokens than these three are parts of the text.
    if (![CST.DOCUMENT, CST.FLOW_END, CST.SCALAR].includes(token)) at += token.length;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** The offset of a tab in the indentation that ends at `end`. */
function tabBefore(text: string, end: number): number | undefined {
  const indent = /(?:^|\n)([^\S\n]*)$/.exec(text.slice(Math.max(0, end - 200), end))?.[1] ?? "";
  return /^ *\t/.test(indent) ? end - indent.length + indent.indexOf("\t") : undefined;
}
