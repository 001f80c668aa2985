// The interface of formats: a format reads the values of a text, and finds the place of a value, which only files with
// faults need.
import type { FileFormat, FileOptions } from "../../../src/declare/declare.ts";
import type { Draft, Part, Path, Span } from "../../messages.ts";

/** How a file is written: its format, with the options of the declaration. */
export interface Dialect extends Omit<FileOptions, "match"> {
  readonly format: FileFormat;
}

/** The fault of a text. `option`: what the declaration can say of such a file, such as `delimiter: ";"`. */
export interface Problem extends Draft<Span> {
  readonly option?: string;
}

/** One value, a list of values, or a value on each line. */
export type Shape = "one" | "list" | "lines";

export interface ReadOutcome {
  readonly shape: Shape;
  readonly problems: readonly Problem[];
  /** False if some values are unreadable, so that missing ones prove nothing. */
  readonly whole: boolean;
  /** The columns that the header of a table names which has no rows. */
  readonly columns?: readonly string[];
}

/**
 * The path is empty for the only value of a text, else the index in its list or the number of its line, from 0. `json`: the
 * text of the value, if it is known to be what JSON.stringify returns.
 */
export type Visit = (value: unknown, path: Path, json?: string) => void;

/** A path that leads to no value ends at its last known value. */
export type Find = (path: Path, part: Part) => Span;

/** A text, or a part of one, and the reason why it is unreadable. */
export interface Decoded {
  readonly text: string;
  readonly problem: Problem | undefined;
}

export interface ContentFormat {
  /** What to write into an empty file. */
  readonly contents: string;
  /** Visits the values of a text that is not blank, in order. */
  read(text: string, visit: Visit): ReadOutcome;
  /** Does the same for the parts of a text, each of whole lines, so that a long text is never one string. */
  readParts?(parts: Iterable<Decoded>, visit: Visit): ReadOutcome;
  /** Called for texts that can be read. */
  open(text: string): Find;
}

/** Deeper than any content, and far below the stack's limit. */
export const maxDepth = 64;

/** Whether a text contains only whitespace as defined by JSON and YAML, which is less than JavaScript's. */
export const isBlank = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** The end of a line without its line feed. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** Visits the elements of a list, or the only value. */
export function visitRoot(root: unknown, visit: Visit): Shape {
  if (!Array.isArray(root)) {
    visit(root, []);
    return "one";
  }
  for (const [index, value] of root.entries()) visit(value, [index]);
  return "list";
}

export const unreadable = (...problems: readonly Problem[]): ReadOutcome => ({
  shape: "one",
  problems,
  whole: false,
});

/** The fault of a text that breaks the rules of its format. */
export const mistake = (format: string, at: Span, detail: string, hint?: string): Draft<Span> => ({
  code: "syntax",
  at,
  text: `This is not valid ${format}: ${detail}.`,
  hint,
});

export const emptyText = (contents: string): Draft<Span> => ({
  code: "empty-file",
  at: { start: 0, end: 0 },
  text: "The file is empty.",
  hint: `Remove it, or write ${contents}.`,
});

export const tooDeep = (start: number): Draft<Span> => ({
  code: "too-deep",
  at: { start, end: start + 1 },
  text: "Lists and objects are nested too deeply here.",
  hint: "Check the brackets or the indentation before it.",
});

export const moved = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });
