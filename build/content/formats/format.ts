// What a format has to do. Reading is the path of every build and gives values only; places are worked out when
// there is a fault to report, by opening the text a second time.
import type { FaultCode } from "../../diagnostics.ts";
import type { Path } from "../source.ts";

export type FormatName = "yaml" | "json" | "ndjson";

/** A part of a text, in UTF-16 code units from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Something wrong with the text itself, whose place the reading found out already. */
export interface TextProblem {
  readonly code: Extract<
    FaultCode,
    "empty-file" | "syntax" | "duplicate-key" | "too-deep" | "yaml-version" | "several-documents" | "too-many-aliases"
  >;
  readonly span: Span;
  /** What the parser says, without a full stop; empty where the code says it all. */
  readonly detail: string;
}

export interface Reading {
  /** The values of the text: the elements of a list, the lines of NDJSON, or the only object. */
  readonly values: readonly { readonly path: Path; readonly value: unknown }[];
  readonly problems: readonly TextProblem[];
  /** False where a part of the text could not be read, so that nothing follows from what is missing. */
  readonly whole: boolean;
}

export interface Format {
  readonly label: string;
  read(text: string): Reading;
  /** Finds the span of a value, or of the key in front of it. A path that leads nowhere ends at its last known value. */
  open(text: string): (path: Path, part: "key" | "value") => Span;
}

/** Deeper than any content, far less than a stack. */
export const maxDepth = 64;

/** The elements of a list, or the only value. */
export const valuesOf = (root: unknown): Reading["values"] =>
  Array.isArray(root) ? root.map((value, index) => ({ path: [index], value })) : [{ path: [], value: root }];

export const unreadable = (problem: TextProblem): Reading => ({ values: [], problems: [problem], whole: false });
