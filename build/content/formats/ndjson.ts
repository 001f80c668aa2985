// NDJSON: a JSON text on each line. Blank lines are skipped, and a line with a mistake does not hide the others.
import type { Span } from "../../messages.ts";
import {
  type ContentFormat,
  type Decoded,
  emptyText,
  type Find,
  isBlank,
  lineEnd,
  mistake,
  moved,
  type Problem,
  type ReportProblem,
  unreadable,
} from "./format.ts";
import { openJson, readJson, readJsonLines } from "./json.ts";
import { At, type ContentSource, type Value } from "./value.ts";

export const ndjson = {
  contents: () => "its items into it, one a line",
  read: (text, source, report) => readParts([{ text, problem: undefined }], source, report),
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

export function* readParts(
  parts: Iterable<Decoded>,
  source: ContentSource,
  report: ReportProblem,
): Generator<Value, void> {
  let line = 0;
  let isEmpty = true;
  /** The length of the parts before. */
  let before = 0;
  for (const { text, problem } of parts) {
    if (problem !== undefined) {
      report({ ...problem, at: moved(problem.at, before) });
      yield unreadable(source);
      return;
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
        isEmpty = false;
        start = end;
        continue;
      }
      while (start < end) {
        const content = text.slice(start, lineEnd(text, start));
        const place = line++;
        const offset = before + start;
        start += content.length + 1;
        if (isBlank(content)) continue;
        isEmpty = false;
        const { value, problems } = readJson(content);
        // The value continues on the next line, so the start of the next value is unknown.
        const isOpen = value === undefined && problems.some(({ at }) => isBlank(content.slice(at.start)));
        for (const problem of problems)
          report({ ...(isOpen ? unended(problem.at) : problem), at: moved(problem.at, offset) });
        yield { data: value, at: new At(source, [place]) };
        if (isOpen) return;
      }
      start = end;
    }
    before += text.length;
  }
  if (!isEmpty) return;
  report(emptyText(ndjson.contents()));
  yield unreadable(source);
}

const unended = (at: Span): Problem => mistake("NDJSON", at, "each value must end on the line on which it starts");

/** Lines are parsed together in pieces of this length, short enough to be garbage-collected soon. */
const usualLength = 1 << 16;
