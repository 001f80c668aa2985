// Markdown with YAML front matter: the item between the first two lines `---`, and the text behind it as the field `body`.
import { type ContentFormat, isBlank, located, moved, type Span, type TextProblem, unreadable } from "./format.ts";
import { yaml } from "./yaml.ts";

/** The field of the text below the front matter. */
export const bodyField = "body";

export const markdown: ContentFormat = {
  label: "YAML front matter",
  contents: "the fields between two lines ---, and the text below them",
  read(text, visit) {
    const { front, start, body, unclosed } = partsOf(text);
    if (unclosed !== undefined) return unreadable(unclosed);
    const content = textIn(text, body);
    const added = content === "" ? {} : { [bodyField]: content };
    if (isEmpty(front)) {
      visit(added, []);
      return { shape: "one", problems: [], whole: true };
    }
    const values: unknown[] = [];
    const { shape, problems, whole } = yaml.read(front, (value) => values.push(value));
    const found = problems.map((problem) => ({ ...problem, span: moved(problem.span, start) }));
    if (shape === "list") return unreadable(...found, mistake({ start, end: start + 1 }, list));
    for (const value of values) visit(isObject(value) ? { ...value, ...added } : value, []);
    const isTwice = values.some((value) => Object.hasOwn(Object(value), bodyField));
    return { shape, problems: isTwice ? [...found, bodyTwice(front, start)] : found, whole };
  },
  open(text) {
    const { front, start, body } = partsOf(text);
    const find = isEmpty(front) ? undefined : yaml.open(front);
    return (path, part) => {
      if (path[0] === bodyField && hasBody(text)) return located(firstLine(text, body));
      const { span, origin } = find?.(path, part) ?? located({ start: -start, end: -start });
      return located(moved(span, start), moved(origin, start));
    };
  },
};

/** Whether the text starts with the line that opens the front matter. */
export const hasFront = (text: string): boolean => opening.test(text);

/** Whether there is text below the front matter. */
export const hasBody = (text: string): boolean => textIn(text, partsOf(text).body) !== "";

const opening = /^---[ \t]*\r?\n/;

interface Parts {
  /** The YAML, and its offset in the text. */
  readonly front: string;
  readonly start: number;
  readonly body: Span;
  readonly unclosed?: TextProblem;
}

function partsOf(text: string): Parts {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return { front: "", start: 0, body: { start: 0, end: text.length } };
  const close = /^---[ \t]*(?:\r?\n|\r?(?!\s|\S))/gm;
  close.lastIndex = start;
  const closed = close.exec(text);
  if (closed === null) {
    const unclosed = mistake({ start: 0, end: 3 }, "the line --- that ends it is missing");
    return { front: "", start: 0, body: { start: 0, end: 0 }, unclosed };
  }
  const body = { start: closed.index + closed[0].length, end: text.length };
  return { front: text.slice(start, closed.index), start, body };
}

/** Whether the front matter has no fields: it is blank, or comments only. */
const isEmpty = (front: string): boolean => isBlank(front.replaceAll(/^[ \t]*#.*$/gm, ""));

/** The text, without blank lines around it, with the line ends of YAML's texts. */
const textIn = (text: string, { start, end }: Span): string =>
  text
    .slice(start, end)
    .replaceAll("\r\n", "\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();

function firstLine(text: string, { start, end }: Span): Span {
  const from = start + text.slice(start, end).search(/\S/);
  const lineEnd = text.indexOf("\n", from);
  return { start: from, end: lineEnd === -1 ? end : lineEnd };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const list = "it holds a list, and not the fields of one item";

function bodyTwice(front: string, start: number): TextProblem {
  const { span } = yaml.open(front)([bodyField], "key");
  const hint = "Write it below the front matter, or give the field another name.";
  return mistake(moved(span, start), "the field body is the text below it", hint);
}

const mistake = (span: Span, detail: string, hint?: string): TextProblem => ({
  code: "syntax",
  span,
  message: `This is not valid ${markdown.label}: ${detail}.`,
  hint,
});
