// What is wrong with content, as data. catalogue.ts words it.

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
  /** `over-budget` and `previous-lost` are of the build as a whole and worded where they are found. */
  readonly code: FaultCode | "over-budget" | "previous-lost";
  readonly message: string;
  readonly hint?: string;
  readonly cause?: Cause;
}

/** What faults of one cause have in common, so that many of them can be told in one sentence. */
export interface Cause {
  /** Completes "332 …" without a full stop: `zones are not in the vocabulary zone`. Faults with the same have one cause. */
  readonly several: string;
  /** What tells the faults apart, as it is shown. */
  readonly value?: string | undefined;
  /** What to do about this value alone, to be told in brackets. */
  readonly aside?: string | undefined;
  /** What to do about all of them, where each has another hint. */
  readonly hint?: string | undefined;
}

/** A value together with all that is wrong with what it was made from; with faults the value is partial. */
export type Checked<T, Problem = Diagnostic> = readonly [value: T, problems: readonly Problem[]];

/** Faults of one code in one file that are counted and not shown. */
export interface Omitted {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly code: Diagnostic["code"];
  readonly count: number;
}

/** Like `Checked`, where there may be more to report than anyone reads. */
export type Reported<T> = readonly [value: T, shown: readonly Diagnostic[], omitted: readonly Omitted[]];

export interface Wording {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly cause?: Cause | undefined;
}

/** What each fault's report has to be told. */
export interface FaultDetails {
  "unknown-file": { readonly reason: string; readonly hint?: string | undefined };
  "outside-link": Nothing;
  "dead-link": Nothing;
  "folder-link": Nothing;
  "no-file": Nothing;
  "bad-name": Nothing;
  "too-large": Nothing;
  "invalid-utf8": Nothing;
  "empty-file": Nothing;
  syntax: { readonly format: string; readonly problem: string; readonly hint?: string | undefined };
  "too-deep": Nothing;
  "yaml-version": { readonly version: string };
  "yaml-only": { readonly what: string; readonly hint: string | undefined };
  "several-documents": Nothing;
  "too-many-aliases": Nothing;
  "duplicate-key": Nothing;
  "missing-hyphen": Nothing;
  "wrapped-items": { readonly noun: string; readonly key: string };
  "not-one": { readonly what: string; readonly held: string };
  "unknown-field": Guess & { readonly owner: string; readonly field: string; readonly known: readonly string[] };
  "missing-field": { readonly owner: string; readonly field: string; readonly expected: string };
  /** `accepts` tells whether another value would do in its place. */
  "wrong-type": Expectation & { readonly accepts: (value: unknown) => boolean };
  /** `accepts` tells whether another value would do in its place. */
  "wrong-value": Expectation &
    Guess & {
      readonly accepts: (value: unknown) => boolean;
      /** The vocabulary of api.yaml that lists the words there are. */
      readonly vocabulary: string | undefined;
    };
  "not-unique": { readonly noun: string; readonly key: string; readonly value: string; readonly first: Place };
  /** `add` is a file that would hold the item. */
  "no-such-item": Guess & {
    readonly noun: string;
    readonly key: string;
    readonly value: string;
    readonly add: string | undefined;
  };
  "wrong-resource": { readonly noun: string; readonly fits: string; readonly place: string };
  "wrong-collection": {
    readonly value: string;
    readonly by: string;
    readonly implied: string;
    readonly impliedBy: string;
  };
  /** `missing` is the item that the path of the file names, and a file that would hold it. */
  "no-collection": Guess & {
    readonly missing: { readonly noun: string; readonly name: string; readonly add: string } | undefined;
  };
  "no-such-deployment": Guess & { readonly value: string };
}

export type FaultCode = keyof FaultDetails;

type Nothing = Readonly<Record<string, never>>;

interface Guess {
  /** What was probably meant. */
  readonly meant: string | undefined;
}

interface Expectation {
  /** The start of the sentence, a field as a reader would point at it: `fields[2].name`. */
  readonly name: string;
  /** Completes "must be …". */
  readonly expected: string;
  readonly value: unknown;
}
