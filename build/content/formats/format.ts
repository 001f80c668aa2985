// The interface of formats. Every build reads values only. Places are found by opening the text again if there is a
// fault to report.
import type { FaultCode } from "../../diagnostics.ts";
import type { Path } from "../source.ts";

/** A part of a text, in UTF-16 code units from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A fault of the text itself, whose place the reader knows already. */
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
  /** A detail that the code does not express, without a full stop. */
  readonly detail?: string;
  readonly hint?: string | undefined;
}

/** The structure of a text: one value, a list, a value on each line, or several YAML documents. */
export type Shape = "one" | "list" | "lines" | "documents";

export interface TextReading {
  /** The values of the text: the elements of a list, the lines of NDJSON, or the only object. */
  readonly values: readonly { readonly path: Path; readonly value: unknown }[];
  readonly shape: Shape;
  readonly problems: readonly TextProblem[];
  /** False if a part of the text is unreadable, so that missing values prove nothing. */
  readonly whole: boolean;
}

/** The part of a path to point at: its value, the key in front of the value, or the alias through which it is used. */
export type Part = "key" | "value" | "use";

export interface Located {
  readonly span: Span;
  /** The place of the value's text, which differs from the span if the span is a YAML alias. */
  readonly origin: Span;
}

export interface ContentFormat {
  readonly label: string;
  /** `lines` are the line numbers in the file, if the text has only some of its lines. */
  read(text: string, lines?: readonly number[]): TextReading;
  /** For readable texts. A path that leads to no value ends at its last known value. */
  open(text: string): (path: Path, part: Part) => Located;
}

/** Deeper than any content, and far below the stack's limit. */
export const maxDepth = 64;

/** Whether a text contains only whitespace as defined by JSON and YAML, which is less than JavaScript's. */
export const isBlank = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** The elements of a list, or the only value. */
export const rootValues = (root: unknown): Pick<TextReading, "values" | "shape"> =>
  Array.isArray(root)
    ? { values: root.map((value, index) => ({ path: [index], value })), shape: "list" }
    : { values: [{ path: [], value: root }], shape: "one" };

export const unreadable = (...problems: readonly TextProblem[]): TextReading => ({
  values: [],
  shape: "one",
  problems,
  whole: false,
});
