// Markdown with front matter: the fields between the first two lines `---`, in YAML, or `+++`, in TOML, and the text below as
// the field `body`.
import type { Draft, Span } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import {
  areElements,
  type ContentFormat,
  type Find,
  hasContent,
  lineEnd,
  mistake,
  moved,
  type Problem,
  unreadable,
} from "./format.ts";
import { toml } from "./toml.ts";
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
    const { language, front, start, body } = partsOf(text);
    const { name, mark, read, open } = language;
    const unclosed = `the line ${mark} that ends it is missing`;
    if (front === undefined) return refused(mistake(name, { start: 0, end: mark.length }, unclosed));
    const reportInFront = (problem: Problem) => report({ ...problem, at: moved(problem.at, start) });
    const values = hasContent(front) ? [...read(front, source, reportInFront)] : [{ data: {}, at: new At(source, []) }];
    const list = "it holds a list or several documents instead of the fields of one item";
    if (areElements(values)) return refused(mistake(name, { start, end: start + 1 }, list));
    const content = textIn(text, body);
    const added = content === "" ? {} : { [bodyField]: content };
    return values.map(({ data, at }) => {
      if (Object.hasOwn(Object(data), bodyField)) {
        const key = open(front)([bodyField], "key");
        reportInFront(mistake(name, key, "the field body is the text below it", "Give the field another name."));
      }
      return { data: typeof data === "object" && data !== null ? { ...data, ...added } : data, at };
    });
  },
  open(text): Find {
    const { language, front = "", start, body } = partsOf(text);
    const find = hasContent(front) ? language.open(front) : undefined;
    return (path, part) => {
      if (path[0] === bodyField && textIn(text, body) !== "") return firstLine(text, body);
      return find === undefined ? { start: 0, end: 0 } : moved(find(path, part), start);
    };
  },
} satisfies ContentFormat;

/** Whether a file may have front matter in TOML. `lines`: its bytes in parts. */
export function mayHaveToml(lines: Iterable<Uint8Array>): boolean {
  const [start = new Uint8Array()] = lines;
  // UTF-16 has NULs.
  return /^[^+]{0,4}\0?\+\0?\+\0?\+/.test(Buffer.from(start.subarray(0, 12)).toString("latin1"));
}

/** No two adjacent parts match the same characters. Otherwise a long line of blanks would take hours. */
const frontLine =
  /(?:---(?:[ \t]*[a-z]+)?|\+\+\+|;;;)[ \t]*(?:\r?\n|$)|---[ \t]+#|\{(?:\s*"[^"\n]*"\s*:|[ \t]*(?:\}[ \t]*)?(?:\r?\n|$))/iy;

/**
 * The line that starts front matter, including forms that are not read: JSON, and front matter that does not start the file.
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
  if (span === undefined || firstMark.test(text)) return undefined;
  const line = text.slice(span.start, span.end).trimEnd();
  const language = languages.find(({ mark }) => mark === line);
  if (language !== undefined) {
    const rule = line === "---" ? " A rule at the start of a text is written as ***." : "";
    return mistake(
      language.name,
      span,
      "it does not start the file",
      `Remove everything before the line ${line}.${rule}`,
    );
  }
  const isJson = line.startsWith("{");
  const detail = `it starts with ${isJson ? "{" : shown(line, 20)}, not with a line ---`;
  return mistake(yamlFront.name, span, detail, `${isJson ? "Put the object" : "Write YAML"} between two lines ---.`);
}

const firstMark = /^(---|\+\+\+)[ \t]*(?:\r?\n|$)/;

const yamlFront = { name: "YAML front matter", mark: "---", read: yaml.read, open: yaml.open };

/** The languages of front matter, and the lines that start and end it. */
const languages = [yamlFront, { name: "TOML front matter", mark: "+++", read: toml.read, open: toml.open }];

interface Parts {
  readonly language: (typeof languages)[number];
  /** The front matter, and its offset in the text; undefined if nothing closes it. */
  readonly front: string | undefined;
  readonly start: number;
  readonly body: Span;
}

function partsOf(text: string): Parts {
  const [line, mark] = firstMark.exec(text) ?? [];
  const language = languages.find((candidate) => candidate.mark === mark);
  if (line === undefined || language === undefined)
    return { language: yamlFront, front: "", start: 0, body: { start: 0, end: text.length } };
  const start = line.length;
  const close = new RegExp(String.raw`^[${language.mark.charAt(0)}]{3}[ \t]*(?:\r?\n|\r?(?!\s|\S))`, "gm");
  close.lastIndex = start;
  const closed = close.exec(text);
  const front = closed === null ? undefined : text.slice(start, closed.index);
  return { language, front, start, body: { start: close.lastIndex, end: text.length } };
}

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
