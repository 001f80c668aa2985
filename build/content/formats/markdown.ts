// Markdown with YAML front matter: the fields between the first two lines `---`, and the text below as the field `body`.
import type { Draft, Span } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import {
  areElements,
  type ContentFormat,
  type Find,
  isBlank,
  lineEnd,
  mistake,
  moved,
  type Problem,
  unreadable,
} from "./format.ts";
import { At } from "./value.ts";
import { yaml } from "./yaml.ts";

/** The field of the text below the front matter. */
export const bodyField = "body";

export const markdown = {
  contents: () => "the fields between two lines ---, and the text below them",
  read(text, source, report) {
    const refused = (problem: Problem) => {
      report(problem);
      return [unreadable(source)];
    };
    const mistaken = foreignFront(text);
    if (mistaken !== undefined) return refused(mistaken);
    const { front, start, body } = partsOf(text);
    const unclosed = "the line --- that ends it is missing";
    if (front === undefined) return refused(mistake(format, { start: 0, end: 3 }, unclosed));
    const reportInFront = (problem: Problem) => report({ ...problem, at: moved(problem.at, start) });
    const values = hasFields(front)
      ? [...yaml.readOne(front, source, reportInFront)]
      : [{ data: {}, at: new At(source, []) }];
    const list = "it holds a list instead of the fields of one item";
    if (areElements(values)) return refused(mistake(format, { start, end: start + 1 }, list));
    const content = textIn(text, body);
    const added = content === "" ? {} : { [bodyField]: content };
    return values.map(({ data, at }) => {
      if (Object.hasOwn(Object(data), bodyField)) {
        const key = yaml.open(front)([bodyField], "key");
        reportInFront(mistake(format, key, "the field body is the text below it", "Give the field another name."));
      }
      return { data: typeof data === "object" && data !== null ? { ...data, ...added } : data, at };
    });
  },
  open(text): Find {
    const { front = "", start, body } = partsOf(text);
    const find = hasFields(front) ? yaml.open(front) : undefined;
    return (path, part) => {
      if (path[0] === bodyField && textIn(text, body) !== "") return firstLine(text, body);
      return find === undefined ? { start: 0, end: 0 } : moved(find(path, part), start);
    };
  },
} satisfies ContentFormat;

/** No two adjacent parts match the same characters. Otherwise a long line of blanks would take hours. */
const frontLine =
  /(?:---(?:[ \t]*[a-z]+)?|\+\+\+|;;;)[ \t]*(?:\r?\n|$)|---[ \t]+#|\{(?:\s*"[^"\n]*"\s*:|[ \t]*(?:\}[ \t]*)?(?:\r?\n|$))/iy;

/**
 * The line that starts front matter, including forms that are not read: TOML, JSON, and YAML that does not start the file.
 * They are refused, because they would be published as text, drafts included.
 */
export function frontLineIn(text: string): Span | undefined {
  // Editors and web pages leave invisible characters.
  const start = text.search(/[^\s\p{Cf}]/u);
  frontLine.lastIndex = start;
  return start !== -1 && frontLine.test(text) ? { start, end: lineEnd(text, start) } : undefined;
}

function foreignFront(text: string): Draft<Span> | undefined {
  const span = frontLineIn(text);
  if (span === undefined || yamlLine.test(text)) return undefined;
  const line = text.slice(span.start, span.end).trimEnd();
  if (line === "---") {
    const hint = "Remove everything before the line ---. A rule at the start of a text is written as ***.";
    return mistake(format, span, "it does not start the file", hint);
  }
  if (line.startsWith("{")) {
    const hint = "Put the object between two lines ---.";
    return mistake(format, span, "it starts with {, not with a line ---", hint);
  }
  const hint = "Write YAML between two lines ---.";
  return mistake(format, span, `it starts with ${shown(line, 20)}, not with a line ---`, hint);
}

const yamlLine = /^---[ \t]*(?:\r?\n|$)/;

const format = "YAML front matter";

interface Parts {
  /** The YAML, and its offset in the text; undefined if nothing closes it. */
  readonly front: string | undefined;
  readonly start: number;
  readonly body: Span;
}

function partsOf(text: string): Parts {
  const start = yamlLine.exec(text)?.[0].length;
  if (start === undefined) return { front: "", start: 0, body: { start: 0, end: text.length } };
  const close = /^---[ \t]*(?:\r?\n|\r?(?!\s|\S))/gm;
  close.lastIndex = start;
  const closed = close.exec(text);
  const front = closed === null ? undefined : text.slice(start, closed.index);
  return { front, start, body: { start: close.lastIndex, end: text.length } };
}

/** Whether the front matter is more than blanks and comments. */
const hasFields = (front: string): boolean => !isBlank(front.replaceAll(/^[ \t]*#.*$/gm, ""));

/** The text, without blank lines around it, with the line ends of YAML's texts. */
function textIn(text: string, { start, end }: Span): string {
  const content = text.slice(start, end).replaceAll("\r\n", "\n");
  const first = content.search(/[^ \t\n]/);
  return first === -1 ? "" : content.slice(content.lastIndexOf("\n", first) + 1).trimEnd();
}

function firstLine(text: string, { start, end }: Span): Span {
  const from = start + text.slice(start, end).search(/\S/);
  return { start: from, end: lineEnd(text, from) };
}
