// Faults of the content, as data.

/** A place in a file of the content. Lines and columns count from 1, columns in UTF-16 code units, as editors do. */
export interface Place {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Diagnostic extends Place {
  readonly endLine: number;
  readonly endColumn: number;
  /** `over-budget` and `previous-lost` concern the whole build. */
  readonly code: FaultCode | DeclarationCode | "over-budget" | "previous-lost";
  readonly message: string;
  readonly hint?: string;
}

/** The place of a fault that concerns the whole build: the file of the settings, even if it does not exist. */
export const wholeBuild = { file: "api.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** A value and the faults of its source. If there are any, the value is partial. */
export type Checked<T, Problem = Diagnostic> = readonly [value: T, problems: readonly Problem[]];

/** A function of a declaration failed: the `load` of a collection, or the `render` of a page. */
export class DeclarationError extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Faults of one file that are counted and not shown. */
export interface Omitted {
  readonly file: string;
  /** Absent: values that are refused, at least one fault each. */
  readonly code?: Diagnostic["code"] | undefined;
  readonly count: number;
}

/** Like `Checked`, if there may be more faults than anyone reads. */
export type Reported<T> = readonly [value: T, shown: readonly Diagnostic[], omitted: readonly Omitted[]];

export interface Wording {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The codes of faults of the content. They are permanent: programs look them up, count them and silence them. */
export const faultCodes = [
  "unknown-file",
  "ambiguous-file",
  "link",
  "no-file",
  "bad-name",
  "too-large",
  "unreadable",
  "invalid-utf8",
  "empty-file",
  "syntax",
  "too-deep",
  "yaml-version",
  "yaml-only",
  "several-documents",
  "too-many-aliases",
  "duplicate-key",
  "not-one",
  "unknown-field",
  "missing-field",
  "wrong-key",
  "wrong-type",
  "wrong-value",
  "not-unique",
  "alike",
  "no-such-item",
  "wrong-collection",
  "no-such-file",
  "no-such-deployment",
  "not-made",
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** The codes of faults of api.config.ts. */
export const declarationCodes = [
  "circular-keys",
  "circular-sources",
  "differing-words",
  "does-not-compile",
  "duplicate-name",
  "empty-api",
  "invalid-name",
  "missing-option",
  "no-declaration",
  "no-such-collection",
  "no-such-field",
  "no-such-module",
  "no-such-parameter",
  "not-a-schema",
  "reserved-name",
  "throws",
  "too-many-filters",
  "unknown-option",
  "unsuitable-field",
  "unsupported-schema",
  "wrong-option",
] as const;

export type DeclarationCode = (typeof declarationCodes)[number];
