// The commonest mistakes of YAML in plain words. The other messages are the library's.
import { CST, Lexer, type YAMLError } from "yaml";
import type { Draft, Span } from "../../messages.ts";
import { lineEnd, mistake } from "./format.ts";

interface Words {
  /** Matches a message of the library. */
  readonly message: RegExp;
  /** What is wrong, as a clause. `$1` is the first group of the message. */
  readonly text: string;
  readonly hint: string;
}

const usualHint = "Check the indentation, and put a value that holds special characters in quotes.";
const quoteHint = "Put the value in quotes.";

const words: readonly Words[] = [
  {
    message: /^Implicit keys need to be on a single line/,
    text: "the value goes on in the next line, which has a colon",
    hint: "Indent the keys of an object alike, or put the value in quotes.",
  },
  {
    message: /^Implicit map keys need to be followed by map values/,
    text: "this key has no colon",
    hint: "Write a colon and a space after it, or put a string of several lines in quotes.",
  },
  { message: /^Nested mappings are not allowed/, text: "the value holds a colon before a space", hint: quoteHint },
  { message: /^Plain value cannot start with .*(\S)$/, text: "a value starts with $1", hint: quoteHint },
  {
    message: /^Invalid escape sequence (.*)$/,
    text: "$1 has no meaning in double quotes",
    hint: "Write \\\\ for a backslash, or use single quotes.",
  },
  { message: /^Missing closing (.)quote/, text: "a closing $1 is missing", hint: "Write it at the end of the text." },
];

/** The first of the errors that the library finds. Later ones often follow from it. */
export function firstMistake(text: string, errors: readonly YAMLError[]): Draft<Span> | undefined {
  // If two errors start at one place, the longer one is more specific.
  const [first] = [...errors].sort(({ pos: a }, { pos: b }) => a[0] - b[0] || b[1] - a[1]);
  if (first === undefined) return undefined;
  const [start, end] = first.pos;
  const quote = first.message.startsWith("Missing closing") ? quoteTo(text, start) : undefined;
  const indent = /(?:^|\n)([^\S\n]*)$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? "";
  if (quote === undefined && /^ *\t/.test(indent)) {
    const tab = start - indent.length + indent.indexOf("\t");
    return mistake("YAML", { start: tab, end: tab + 1 }, "a line is indented with a tab", "Indent it with spaces.");
  }
  const span =
    quote === undefined ? { start, end: Math.min(end, text.length) } : { start: quote, end: lineEnd(text, quote) };
  return inWords(first.message, span);
}

function inWords(message: string, span: Span): Draft<Span> {
  const found = words.find((one) => one.message.test(message));
  if (found === undefined) {
    return mistake("YAML", span, `${message.charAt(0).toLowerCase()}${message.slice(1)}`, usualHint);
  }
  const [, part = ""] = found.message.exec(message) ?? [];
  return mistake(
    "YAML",
    span,
    found.text.replace("$1", () => part),
    found.hint,
  );
}

/** The start of the quoted text that ends at an offset without a closing quote. */
function quoteTo(text: string, end: number): number | undefined {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (at + token.length === end && /^["']/.test(token)) return at;
    // Other tokens than these three are parts of the text.
    if (![CST.DOCUMENT, CST.FLOW_END, CST.SCALAR].includes(token)) at += token.length;
  }
  return undefined;
}
