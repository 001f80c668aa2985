// NDJSON: a JSON text a line. Blank lines are left out, and a line with a mistake does not hide the others.
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
      for (const value of values ?? []) visit(value, [line++]);
      while (values === undefined && start < end) {
        const lineText = text.slice(start, lineEnd(text, start));
        if (!isBlank(lineText)) {
          const { value, problems: found } = readJson(lineText);
          for (const each of found) problems.push({ ...each, at: moved(each.at, start) });
          if (value !== undefined) visit(value, [line]);
          // Behind a value that goes on over the next line nothing shows where the next one starts.
          else if (found.some(({ at }) => isBlank(lineText.slice(at.start)))) {
            const { at } = problems.pop() ?? { at: { start, end } };
            problems.push(mistake("NDJSON", at, "each value must end on the line it starts on"));
            return { shape: "lines", problems, whole: false };
          } else whole = false;
        }
        line++;
        start += lineText.length + 1;
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

/** Lines are parsed together in pieces of this length, short enough to be garbage-collected soon. */
const usualLength = 1 << 16;
