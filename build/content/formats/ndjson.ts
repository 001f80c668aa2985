// NDJSON: a JSON text a line. A file may be longer than a string, so it is decoded in pieces of whole lines, and a place
// is a line and a span in it.
import { decode } from "../decode.ts";
import type { Path } from "../source.ts";
import { conflictAt, conflictLine, type Find, isBlank, type Part, type TextProblem, type Visit } from "./format.ts";
import { openJson, readJson, readJsonLines } from "./json.ts";

/** Lines count from 0; the span is one of the line. */
export interface LineProblem extends TextProblem {
  readonly line: number;
}

interface ReadLines {
  readonly problems: readonly LineProblem[];
  /** False if a line is unreadable. */
  readonly whole: boolean;
}

/** Visits the values of the lines that are not blank. */
export function readLines(bytes: Uint8Array, visit: Visit): ReadLines {
  const problems: LineProblem[] = [];
  let whole = true;
  /** Whether a value goes on behind the line that it starts on, which is one mistake and not one for each line. */
  let goesOn = false;
  for (const { first, text: piece, lines, problem } of piecesOf(bytes)) {
    if (problem !== undefined) return { problems: [...problems, problem], whole: false };
    const values = goesOn ? undefined : readJsonLines(piece);
    if (values !== undefined) {
      for (const [index, value] of values.entries()) visit(value, [first + index]);
      continue;
    }
    let next = first;
    for (const text of lines) {
      const line = next++;
      if (isBlank(text) || (goesOn && !/^[[{]/.test(text))) continue;
      if (conflictLine.test(text)) {
        if (text.startsWith("<")) problems.push({ ...conflictAt(0), line });
        whole = false;
        continue;
      }
      const { value, problems: found, isReadable } = readJson(text, "NDJSON");
      if (isReadable) visit(value, [line]);
      else whole = false;
      goesOn = !isReadable && found.some(({ span }) => isBlank(text.slice(span.start)));
      for (const each of found) problems.push({ ...each, ...(goesOn ? overLines : {}), line });
    }
  }
  return { problems, whole };
}

/** What to write into an empty file. */
export const contentsOfLines = "its items into it, one a line";

const overLines = {
  message: "This is not valid NDJSON: each value ends on the line it starts on.",
  hint: "End it on its line, or name a file of values over several lines .json.",
};

/** Finds values by their lines and the paths in them. */
export function openLines(bytes: Uint8Array): (line: number) => { readonly text: string; readonly find: Find } {
  const pieces = [...piecesOf(bytes)].map(({ first, start, end }) => ({ first, start, end }));
  let opened = pieceAt(bytes, 0, 0, 0);
  const finds = new Map<number, Find>();
  return (line) => {
    if (opened.lines[line - opened.first] === undefined) {
      const { first, start, end } = pieces.findLast((each) => each.first <= line) ?? opened;
      opened = pieceAt(bytes, first, start, end);
    }
    const text = opened.lines[line - opened.first] ?? "";
    const find = (path: Path, part: Part) => {
      const known = finds.get(line) ?? openJson(text);
      finds.set(line, known);
      return known(path, part);
    };
    return { text, find };
  };
}

/** Some lines of a file. */
interface Piece {
  /** The number of the first line. */
  readonly first: number;
  readonly text: string;
  readonly lines: readonly string[];
  /** The bytes of the file that hold them. */
  readonly start: number;
  readonly end: number;
  /** Undefined if they are UTF-8. */
  readonly problem: LineProblem | undefined;
}

function* piecesOf(bytes: Uint8Array): Generator<Piece> {
  let first = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start + usualLength) + 1 || bytes.length;
    const piece = pieceAt(bytes, first, start, end);
    yield piece;
    first += piece.lines.length;
    start = end;
  }
}

/** Short, so that pieces are soon garbage-collected. */
const usualLength = 1 << 16;

function pieceAt(bytes: Uint8Array, first: number, start: number, end: number): Piece {
  const { text, problem } = decode(bytes.subarray(start, end));
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const before = text.slice(0, problem?.span.start ?? 0).split("\n");
  const column = before.at(-1)?.length ?? 0;
  const line = first + before.length - 1;
  const placed = problem && { ...problem, line, span: { start: column, end: column + 1 } };
  return { first, text, lines, start, end, problem: placed };
}
