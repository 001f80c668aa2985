// NDJSON: a JSON text on each line. Blank lines are skipped, and a line with a mistake does not hide the others.
import type { Draft, Span } from "../../messages.ts";
import { type ContentFormat, type Find, isBlank, lineEnd, mistake, moved } from "./format.ts";
import { openJson, readJson, readJsonLines } from "./json.ts";

export const ndjson: ContentFormat = {
  contents: "its items into it, one a line",
  read(text, visit) {
    const problems: Draft<Span>[] = [];
    let line = 0;
    let whole = true;
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf("\n", start + usualLength) + 1 || text.length;
      const values = readJsonLines(text, start, end);
      if (values !== undefined) {
        for (const value of values) visit(value, [line++]);
        start = end;
        continue;
      }
      while (start < end) {
        const content = text.slice(start, lineEnd(text, start));
        const { value, problems: ofLine } = isBlank(content) ? blankLine : readJson(content);
        for (const problem of ofLine) problems.push({ ...problem, at: moved(problem.at, start) });
        if (value !== undefined) visit(value, [line]);
        else if (ofLine.some(({ at }) => isBlank(content.slice(at.start)))) {
          // The value continues on the next line, so the start of the next value is unknown.
          const { at } = problems.pop() ?? { at: { start, end } };
          problems.push(mistake("NDJSON", at, "each value must end on the line on which it starts"));
          return { shape: "lines", problems, whole: false };
        } else if (ofLine.length > 0) whole = false;
        line++;
        start += content.length + 1;
      }
      start = end;
    }
    return { shape: "lines", problems, whole };
  },
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
};

const blankLine: ReturnType<typeof readJson> = { problems: [] };

/** Lines are parsed together in pieces of this length, short enough to be garbage-collected soon. */
const usualLength = 1 << 16;
