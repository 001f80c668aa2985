// What each format can do: read the values of a text, which every build needs, and find the place of a value, which
// only the files with faults need.
import type { FaultCode } from "../../diagnostics.ts";
import type { Path } from "../source.ts";

/** A part of a text, in UTF-16 code units from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A fault of the text itself. */
export interface TextProblem {
  readonly code: FaultCode;
  readonly span: Span;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** One value, a list of values, or a value a line. */
export type Shape = "one" | "list" | "lines";

export interface Outcome {
  readonly shape: Shape;
  readonly problems: readonly TextProblem[];
  /** False if some values are unreadable, so that missing ones prove nothing. */
  readonly whole: boolean;
}

/** The path is empty for the only value of a text, else the index in its list or the number of its line, from 0. */
export type Visit = (value: unknown, path: Path) => void;

/** The part of a path to point at: its value, the key in front of the value, or the alias through which it is used. */
export type Part = "key" | "value" | "use";

export interface Located {
  readonly span: Span;
  /** The place of the value's text, which differs from the span if the span is a YAML alias. */
  readonly origin: Span;
}

/** A path that leads to no value ends at its last known value. */
export type Find = (path: Path, part: Part) => Located;

export interface ContentFormat {
  readonly label: string;
  /** What to write into an empty file. */
  readonly contents: string;
  /** Visits the values of a text that is not blank, in order. */
  read(text: string, visit: Visit): Outcome;
  open(text: string): Find;
}

/** Deeper than any content, and far below the stack's limit. */
export const maxDepth = 64;

/** Whether a text contains only whitespace as defined by JSON and YAML, which is less than JavaScript's. */
export const isBlank = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** Visits the elements of a list, or the only value. */
export function visitRoot(root: unknown, visit: Visit): Shape {
  if (!Array.isArray(root)) {
    visit(root, []);
    return "one";
  }
  for (const [index, value] of root.entries()) visit(value, [index]);
  return "list";
}

export const unreadable = (...problems: readonly TextProblem[]): Outcome => ({ shape: "one", problems, whole: false });

export const located = (span: Span, origin: Span = span): Located => ({ span, origin });

export const moved = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** The lines that git leaves in a file that it cannot merge. */
export const conflictLine = /^(?:<{7}|={7}|>{7})(?: |\r?$)/;

/** The first line of a conflict that git left in a text, if it left one. */
export function conflictIn(text: string): TextProblem | undefined {
  const start = text.startsWith("<<<<<<< ") ? 0 : text.indexOf("\n<<<<<<< ") + 1;
  const isConflict = start > 0 || text.startsWith("<<<<<<< ");
  return isConflict && /^>{7} /m.test(text.slice(start)) ? conflictAt(start) : undefined;
}

export const conflictAt = (start: number): TextProblem => ({
  code: "syntax",
  span: { start, end: start + 7 },
  message: "This line starts a conflict that git could not merge.",
  hint: "Keep what is right, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.",
});

export const tooDeep = (start: number): TextProblem => ({
  code: "too-deep",
  span: { start, end: start + 1 },
  message: "Lists and objects nest deeper here than any content does.",
  hint: "Check the brackets or the indentation before it.",
});
