// NDJSON: a JSON text on each line. Blank lines are skipped, and a line with a mistake does not hide the others.
import type { Draft, Span } from "../../messages.ts";
import {
  type ContentFormat,
  type Decoded,
  emptyText,
  type Find,
  isBlank,
  lineEnd,
  mistake,
  moved,
  type Reading,
  unreadableText,
} from "./format.ts";
import { openJson, readJson, readJsonLines } from "./json.ts";
import { At, type ContentSource } from "./value.ts";

export const ndjson = {
  contents: () => "its items into it, one a line",
  read: (text, source) => readParts([{ text, problem: undefined }], source),
  readParts,
  open(text) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    const finds = new Map<number, Find>();
    return ([line, ...path], part) => {
      const start = starts[Number(line)] ?? 0;
      const find = finds.get(start) ?? openJson(text.slice(start, lineEnd(text, start)));
      finds.set(start, find);
      return moved(find(path, part), start);
    };
  },
} satisfies ContentFormat;

export function* readParts(parts: Iterable<Decoded>, source: ContentSource): Reading {
  const problems: Draft<Span>[] = [];
  let line = 0;
  let values = 0;
  let whole = true;
  /** The length of the parts before. */
  let before = 0;
  for (const { text, problem } of parts) {
    if (problem !== undefined) {
      problems.push({ ...problem, at: moved(problem.at, before) });
      return { shape: "lines", problems, whole: false };
    }
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf("\n", start + usualLength) + 1 || text.length;
      const together = readJsonLines(text, start, end);
      if (together !== undefined) {
        for (const data of together.values) {
          const next = lineEnd(text, start);
          const json = together.isCanonical ? text.slice(start, next) : undefined;
          yield { data, at: new At(source, [line++]), json };
          start = next + 1;
        }
        values += together.values.length;
        start = end;
        continue;
      }
      while (start < end) {
        const content = text.slice(start, lineEnd(text, start));
        const { value, problems: ofLine } = isBlank(content) ? blankLine : readJson(content);
        for (const found of ofLine) problems.push({ ...found, at: moved(found.at, before + start) });
        if (value !== undefined) {
          yield { data: value, at: new At(source, [line]) };
          values++;
        } else if (ofLine.some(({ at }) => isBlank(content.slice(at.start)))) {
          // The value continues on the next line, so the start of the next value is unknown.
          const at = problems.pop()?.at ?? { start: before + start, end: before + end };
          problems.push(mistake("NDJSON", at, "each value must end on the line on which it starts"));
          return { shape: "lines", problems, whole: false };
        } else if (ofLine.length > 0) whole = false;
        line++;
        start += content.length + 1;
      }
      start = end;
    }
    before += text.length;
  }
  return values === 0 && problems.length === 0
    ? unreadableText(emptyText(ndjson.contents()))
    : { shape: "lines", problems, whole };
}

const blankLine: ReturnType<typeof readJson> = { problems: [] };

/** Lines are parsed together in pieces of this length, short enough to be garbage-collected soon. */
const usualLength = 1 << 16;
