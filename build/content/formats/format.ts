// The interface of formats: a format reads the values of a text, and finds the place of a value, which only files with
// faults need.
import type { Dialect } from "../../../src/model/files.ts";
import type { Draft, Part, Path, Span } from "../../messages.ts";
import { At, type ContentSource, type Value } from "./value.ts";

/** The fault of a text. `option`: what the declaration can say of such a file, such as `delimiter: ";"`. */
export interface Problem extends Draft<Span> {
  readonly option?: string;
}

/** Reports a fault of a text that is being read. */
export type ReportProblem = (problem: Problem) => void;

/** A path that leads to no value ends at its last known value. */
export type Find = (path: Path, part: Part) => Span;

/** A text, or a part of one, and the reason why it is unreadable. */
export interface Decoded {
  readonly text: string;
  /** The same with its lone carriage returns, if it has some. */
  readonly raw?: string;
  readonly problem: Problem | undefined;
}

export interface ContentFormat {
  /** What to write into an empty file. */
  contents(dialect: Dialect): string;
  /**
   * Returns the values of a text that is not blank, in order. They share no part with one another. A value that cannot be
   * read is `unreadable`, and `report` gets the reason.
   */
  read(text: string, source: ContentSource, report: ReportProblem): Iterable<Value>;
  /** Does the same for the parts of a text, each of whole lines, so that a long text is never one string. */
  readParts?(parts: Iterable<Decoded>, source: ContentSource, report: ReportProblem): Iterable<Value>;
  /** Called for texts that can be read. */
  open(text: string, dialect: Dialect): Find;
}

/** Deeper than any content, and far below the stack's limit. */
export const maxDepth = 64;

/** Whether a text contains only whitespace as defined by JSON and YAML, which is less than JavaScript's. */
export const isBlank = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** Whether a text of YAML or TOML is more than blanks and comments. */
export const hasContent = (text: string): boolean => /^[ \t]*[^ \t\r\n#]/m.test(text);

/** The end of a line without its line feed. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** The elements of a list, or the only value. `path`: that of the list or the value. */
export function* rootValues(root: unknown, source: ContentSource, path: Path = []): Generator<Value, void> {
  if (!Array.isArray(root)) yield { data: root, at: new At(source, path) };
  else for (const [index, data] of root.entries()) yield { data, at: new At(source, [...path, index]) };
}

/** Whether the values of a text are the elements of a list, or of several documents. */
export const areElements = ([first]: readonly Value[]): boolean => first === undefined || first.at.path.length > 0;

/** In place of a value that cannot be read. `path`: empty if all of the text cannot be read. */
export const unreadable = (source: ContentSource, path: Path = []): Value => ({
  data: undefined,
  at: new At(source, path),
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
