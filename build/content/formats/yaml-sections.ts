// Reads the elements of a YAML list one by one, if mistakes in the text make the parser lose track: valid elements are
// read, and each of the others is reported. Also finds missing hyphens.

import { type Path, unread } from "../source.ts";
import { type Located, type Part, type Span, type TextProblem, type TextReading, unreadable } from "./format.ts";
import { composeYaml } from "./yaml-compose.ts";
import { placesIn } from "./yaml-places.ts";
import { readDocument } from "./yaml-values.ts";

/** A part of a text that should be one list element. */
interface Section {
  readonly start: number;
  readonly lines: readonly string[];
  /** Whether it starts with a hyphen. */
  readonly hasHyphen: boolean;
}

/** Whether the text is, or should be, a list with hyphens. */
export const isList = (text: string): boolean => sectionsOf(text).length > 0;

/** Undefined if the text is not a list, or its elements by themselves have no mistakes. */
export function readSections(text: string): TextReading | undefined {
  const values: TextReading["values"][number][] = [];
  const problems: TextProblem[] = [];
  for (const [index, section] of sectionsOf(text).entries()) {
    const { composed, shift } = compose(section);
    const [document] = composed.documents;
    if (!section.hasHyphen) problems.push(missingHyphen(section));
    for (const problem of composed.problems) problems.push({ ...problem, span: moved(problem.span, shift) });
    if (!composed.readable || document === undefined) continue;
    const read = readDocument(document, text.length);
    for (const problem of read.problems) problems.push({ ...problem, span: moved(problem.span, shift) });
    const value = section.hasHyphen && Array.isArray(read.value) ? read.value[0] : read.value;
    if (value !== unread) values.push({ path: [index], value });
  }
  return problems.length === 0 ? undefined : { ...unreadable(), problems, shape: "list", values };
}

/** The places of the values that `readSections` returns. */
export function sectionPlaces(text: string): (path: Path, part: Part) => Located {
  const sections = sectionsOf(text);
  const opened = new Map<unknown, ReturnType<typeof finderOf>>();
  return ([index, ...path], part) => {
    const section = sections[Number(index)];
    if (section === undefined) return { span: nowhere, origin: nowhere };
    const find = opened.get(index) ?? finderOf(section);
    opened.set(index, find);
    return find(path, part);
  };
}

const nowhere: Span = { start: 0, end: 0 };

function finderOf(section: Section): (path: Path, part: Part) => Located {
  const { composed, shift, text } = compose(section);
  const find = placesIn(composed.documents, text.length);
  return (path, part) => {
    const { span, origin } = find(section.hasHyphen ? [0, ...path] : path, part);
    return { span: moved(span, shift), origin: moved(origin, shift) };
  };
}

const moved = ({ start, end }: Span, shift: number): Span => ({ start: start + shift, end: end + shift });

/** `shift` converts an offset in the section to one in the text. */
function compose({ start, lines, hasHyphen }: Section) {
  const [first = "", ...others] = lines;
  const indent = hasHyphen ? 0 : indentOf(others) - indentOf([first]);
  // Only the first key lacks its hyphen: the others have the indentation that follows a hyphen.
  const pad = Math.max(0, Number.isFinite(indent) ? indent : 0);
  const text = `${" ".repeat(pad)}${lines.join("\n")}`;
  return { text, composed: composeYaml(text), shift: start - pad };
}

function missingHyphen({ start, lines: [first = ""] }: Section): TextProblem {
  const from = start + first.search(/[^ ]/);
  return { code: "missing-hyphen", span: { start: from, end: start + first.indexOf(":") } };
}

/** Anchors and aliases make list elements depend on each other. */
const ties = /(?:^|[\s[{,])[&*][\w-]/m;

const element = /^ *-(?: |$)/;
const key = /^ *([\w.-]+):(?: |$)/;
const keyOfList = /^ *[\w.-]+:\s*(?:#.*)?$/;
const passedOver = /^\s*(?:#.*)?$|^(?:---|\.\.\.)\s*$/;

function sectionsOf(text: string): readonly Section[] {
  if (ties.test(text)) return [];
  const lines = text.split("\n");
  const indent = indentOf(lines);
  const isRoot = (line: string) => !passedOver.test(line) && indentOf([line]) === indent;
  if (!lines.some((line) => isRoot(line) && element.test(line)) || hasListInKey(lines, isRoot)) return [];
  const sections: { start: number; lines: string[]; hasHyphen: boolean }[] = [];
  let keys = new Set<string | undefined>();
  let start = 0;
  for (const line of lines) {
    const last = sections.at(-1);
    const isElement = isRoot(line) && element.test(line);
    const name = isRoot(line) ? key.exec(line)?.[1] : undefined;
    const isOther = name !== undefined && (last === undefined || last.hasHyphen || keys.has(name));
    if (isElement || isOther) {
      sections.push({ start, lines: [line], hasHyphen: isElement });
      keys = new Set();
    } else if (last !== undefined && !/^(?:---|\.\.\.)/.test(line)) last.lines.push(line);
    keys.add(name);
    start += line.length + 1;
  }
  return sections;
}

/** Whether a key has a list in the same column as its value, so that the text is an object. */
const hasListInKey = (lines: readonly string[], isRoot: (line: string) => boolean): boolean => {
  const own = lines.filter((line) => !passedOver.test(line));
  return own.some(
    (line, at) => isRoot(line) && element.test(line) && isRoot(own[at - 1] ?? "") && keyOfList.test(own[at - 1] ?? ""),
  );
};

/** The least indentation of lines that are not blank; Infinity if all are blank. */
const indentOf = (lines: readonly string[]): number =>
  lines.reduce(
    (least, line) => (passedOver.test(line) ? least : Math.min(least, line.search(/[^ ]/))),
    Number.POSITIVE_INFINITY,
  );
