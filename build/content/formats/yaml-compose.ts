// From text to the nodes of YAML documents, and what is wrong with the text.
import { Composer, CST, type Document, Parser, type YAMLError } from "yaml";
import { maxDepth, type Span, type TextProblem } from "./format.ts";

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
  for (const error of syntax) problems.push(problemOf(text, error));
  for (const { pos } of tags) problems.push(tagProblem(text, { start: pos[0], end: pos[1] }));
  return { documents, problems, readable: syntax.length === 0 };
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

/** Mistakes inside a single value, behind which the parser goes on as if nothing had been. */
const local: ReadonlySet<string> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAB_AS_INDENT",
]);

/**
 * The mistakes that are none of an earlier one's echoes, and the unknown tags. Where the parser has lost its thread, a
 * single bracket too many makes everything behind it a mistake: then the first one is told.
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

function tagProblem(text: string, span: Span): TextProblem {
  return {
    code: "yaml-only",
    span,
    detail: `tags such as ${text.slice(span.start, span.end)}`,
    hint: "Leave the tag out.",
  };
}

const quotes = "Put a value that holds such characters in quotes.";

/** What the library says, in its words or clearer ones, and what to do about it. */
const rewordings: readonly (readonly [RegExp, detail: string | undefined, hint?: string])[] = [
  [/^Plain value cannot start with/, undefined, quotes],
  [/^Alias cannot be an empty string/, "a plain value cannot start with *", quotes],
  [/^Anchor cannot be an empty string/, "a plain value cannot start with &", quotes],
  [/^Nested mappings are not allowed/, "a second colon follows the first one here", quotes],
  [/^Missing closing "quote/, 'the closing " is missing'],
  [/^Missing closing 'quote/, "the closing ' is missing"],
  [/^Tabs are not allowed/, undefined, "Indent with blanks."],
  [
    /^Implicit keys need to be on a single line/,
    "a key and its colon stand on one line, and this text goes on over the next",
    "Write a colon and a blank behind the key, or indent the next line like this one.",
  ],
  [
    /^Implicit map keys need to be followed/,
    "a colon is missing behind this key",
    "Write a colon and a blank behind it, or indent it if it goes on with the value above.",
  ],
  [
    /^Sequence item without - indicator/,
    "this line is neither an element of the list above nor inside one",
    "Check its indentation.",
  ],
  [/^All mapping items must start/, "the keys of an object start in the same column", "Check its indentation."],
  [/^Flow map .*must/, "the closing } is missing, or the lines before it are not indented"],
  [/^Flow sequence .*must/, "the closing ] is missing, or the lines before it are not indented"],
  [/^Unexpected scalar at node end/, "something follows a value that has ended"],
  [/^Unexpected block-seq-ind on same line with key/, "a list in hyphens starts on a line of its own"],
  [/^Unexpected \S+ token in YAML stream/, "this is not expected here"],
  [/^Block collections are not allowed within flow/, "a comma or a closing bracket is missing before this"],
];

function problemOf(text: string, { message, pos: [start, end] }: YAMLError): TextProblem {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const indent = text.slice(line, start);
  const tab = /^ *\t\s*$/.test(indent) ? line + indent.indexOf("\t") : undefined;
  const said = tab === undefined ? message : "Tabs are not allowed as indentation";
  const [, detail, hint] = rewordings.find(([pattern]) => pattern.test(said)) ?? [];
  const whole = { start, end: Math.max(start, Math.min(end, text.length)) };
  const span = tab === undefined ? whole : { start: tab, end: tab + 1 };
  return { code: "syntax", span, detail: detail ?? said.charAt(0).toLowerCase() + said.slice(1), hint };
}
