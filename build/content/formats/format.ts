// What a format has to do. Reading is the path of every build and gives values only; places are worked out when
// there is a fault to report, by opening the text a second time.
import type { FaultCode } from "../../diagnostics.ts";
import type { Path } from "../source.ts";

/** A part of a text, in UTF-16 code units from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Something wrong with the text itself, whose place the reading found out already. */
export interface TextProblem {
  readonly code: Extract<
    FaultCode,
    | "empty-file"
    | "syntax"
    | "duplicate-key"
    | "missing-hyphen"
    | "too-deep"
    | "yaml-version"
    | "yaml-only"
    | "several-documents"
    | "too-many-aliases"
  >;
  readonly span: Span;
  /** What the code does not say, without a full stop. */
  readonly detail?: string;
  readonly hint?: string | undefined;
}

/** How a text holds its values: as its only one, in a list, a line each, or in several YAML documents. */
export type Shape = "one" | "list" | "lines" | "documents";

export interface Reading {
  /** The values of the text: the elements of a list, the lines of NDJSON, or the only object. */
  readonly values: readonly { readonly path: Path; readonly value: unknown }[];
  readonly shape: Shape;
  readonly problems: readonly TextProblem[];
  /** False where a part of the text could not be read, so that nothing follows from what is missing. */
  readonly whole: boolean;
}

/** What of a path to point at: its value, the key in front of it, or the alias through which it is used. */
export type Part = "key" | "value" | "use";

export interface Located {
  readonly span: Span;
  /** Where the text of the value is written: not at its span where that is a YAML alias. */
  readonly origin: Span;
}

export interface Format {
  readonly label: string;
  /** `lines` are the numbers in the file of the text's lines, where it has only some of them. */
  read(text: string, lines?: readonly number[]): Reading;
  /** For texts that could be read. A path that leads nowhere ends at its last known value. */
  open(text: string): (path: Path, part: Part) => Located;
}

/** Deeper than any content, far less than a stack. */
export const maxDepth = 64;

/** Whether a text holds nothing but what JSON and YAML call whitespace, which is less than what JavaScript does. */
export const isBlank = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** The elements of a list, or the only value. */
export const valuesOf = (root: unknown): Pick<Reading, "values" | "shape"> =>
  Array.isArray(root)
    ? { values: root.map((value, index) => ({ path: [index], value })), shape: "list" }
    : { values: [{ path: [], value: root }], shape: "one" };

export const unreadable = (...problems: readonly TextProblem[]): Reading => ({
  values: [],
  shape: "one",
  problems,
  whole: false,
});
