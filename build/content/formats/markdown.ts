// Markdown with YAML front matter: the item between the first two lines `---`, and the text behind it as the field `body`.
import { type ContentFormat, isBlank, type Located, type Span, type TextProblem, type TextReading } from "./format.ts";
import { yaml } from "./yaml.ts";

/** The field of the text behind the front matter. */
export const bodyField = "body";

export const markdown: ContentFormat = {
  label: "YAML front matter",
  read(text) {
    const { front, start, body, unclosed } = partsOf(text);
    if (unclosed !== undefined) return { values: [], shape: "one", problems: [unclosed], whole: false };
    const { values, problems, whole, shape } = isEmpty(front) ? noFront : yaml.read(front);
    const moved = problems.map((problem) => ({ ...problem, span: shifted(problem.span, start) }));
    const [first = { path: [], value: undefined }] = values;
    if (shape !== "one") return { values: [], shape: "one", problems: [...moved, noObject(start)], whole: false };
    const content = textIn(text, body);
    const value = content === "" || !isObject(first.value) ? first.value : { ...first.value, [bodyField]: content };
    const twice = Object.hasOwn(Object(first.value), bodyField) ? [bodyTwice(front, start)] : [];
    return { values: value === undefined ? [] : [{ path: [], value }], shape, problems: [...moved, ...twice], whole };
  },
  open(text) {
    const { front, start, body } = partsOf(text);
    const find = isEmpty(front) ? () => none : yaml.open(front);
    return (path, part): Located => {
      if (path[0] === bodyField && hasBody(text)) {
        const span = firstLine(text, body);
        return { span, origin: span };
      }
      const { span, origin } = find(path, part);
      return { span: shifted(span, start), origin: shifted(origin, start) };
    };
  },
};

/** Whether the text starts with the line that opens the front matter. */
export const hasFront = (text: string): boolean => opening.test(text);

/** Whether there is text below the front matter. */
export const hasBody = (text: string): boolean => textIn(text, partsOf(text).body) !== "";

const opening = /^---[ \t]*\r?\n/;

const none: Located = { span: { start: 0, end: 0 }, origin: { start: 0, end: 0 } };

const noFront: TextReading = { values: [{ path: [], value: {} }], shape: "one", problems: [], whole: true };

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
  if (closed !== null)
    return {
      front: text.slice(start, closed.index),
      start,
      body: { start: closed.index + closed[0].length, end: text.length },
    };
  const detail = "the line --- that ends it is missing";
  const unclosed = { code: "syntax", span: { start: 0, end: 3 }, detail } as const;
  return { front: "", start: 0, body: { start: 0, end: 0 }, unclosed };
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

const shifted = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const noObject = (start: number): TextProblem => ({
  code: "syntax",
  span: { start, end: start + 1 },
  detail: "it holds a list, and not the fields of one item",
});

function bodyTwice(front: string, start: number): TextProblem {
  const { span } = yaml.open(front)([bodyField], "key");
  const hint = "Write it below the front matter, or give the field another name.";
  return { code: "syntax", span: shifted(span, start), detail: "the field body is the text below it", hint };
}
