// Faults of the content, as data. content/faults/kinds.ts words them.

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
  /**
   * `over-budget` and `previous-lost` concern the whole build; the code that finds them words them, and so do the checks
   * of a declaration.
   */
  readonly code: FaultCode | DeclarationCode | "over-budget" | "previous-lost";
  readonly message: string;
  readonly hint?: string;
  readonly cause?: Cause;
}

/** The place of a fault that concerns the whole build: the file of the settings, even if it does not exist. */
export const wholeBuild = { file: "api.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Shared by faults with the same cause, so that one sentence can report all of them. */
export interface Cause {
  /**
   * Completes "332 …" without a full stop: `words are not in the vocabulary zone`. Faults have the same cause if this
   * is equal.
   */
  readonly several: string;
  /** The value that distinguishes the faults, as displayed. */
  readonly value?: string | undefined;
  /** A hint for this value only, shown in brackets. */
  readonly aside?: string | undefined;
  /** A hint for all of the faults, if their hints differ. */
  readonly hint?: string | undefined;
}

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

/** Faults of one code in one file that are counted and not shown. */
export interface Omitted {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly code: Diagnostic["code"];
  readonly count: number;
}

/** Like `Checked`, if there may be more faults than anyone reads. */
export type Reported<T> = readonly [value: T, shown: readonly Diagnostic[], omitted: readonly Omitted[]];

export interface Wording {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly cause?: Cause | undefined;
}

/** The details that the report of each fault needs. */
export interface FaultDetails {
  "unknown-file": { readonly reason: string; readonly hint?: string | undefined };
  "ambiguous-file": { readonly operations: readonly string[] };
  "outside-link": Nothing;
  "dead-link": Nothing;
  "folder-link": Nothing;
  "no-file": Nothing;
  "bad-name": Nothing;
  "too-large": Nothing;
  "invalid-utf8": Nothing;
  "empty-file": { readonly format: "yaml" | "json" | "ndjson" | "csv" | "markdown" };
  syntax: { readonly format: string; readonly problem: string; readonly hint?: string | undefined };
  "too-deep": Nothing;
  "yaml-version": { readonly version: string };
  "yaml-only": { readonly what: string; readonly hint: string | undefined };
  "several-documents": Nothing;
  "too-many-aliases": Nothing;
  "duplicate-key": Nothing;
  "missing-hyphen": Nothing;
  "wrapped-items": { readonly nouns: string; readonly key: string };
  "not-one": { readonly what: string; readonly held: string };
  /** `isBody`: whether it is the text below the front matter of Markdown. */
  "unknown-field": Guess & {
    readonly owner: string;
    readonly field: string;
    readonly known: readonly string[];
    readonly isBody?: boolean;
  };
  /** `isBody`: whether there is no text below the front matter of Markdown. */
  "missing-field": Several & {
    readonly owner: string;
    readonly field: string;
    readonly expected: string;
    readonly isBody: boolean;
  };
  /** The key of a record. `expected` and `accepts` as for a value. */
  "wrong-key": {
    readonly owner: string;
    readonly key: string;
    readonly expected: string;
    readonly accepts: (key: unknown) => boolean;
  };
  /** `accepts` returns whether another value would be valid in its place. */
  "wrong-type": Expectation & { readonly accepts: (value: unknown) => boolean };
  /** `accepts` returns whether another value would be valid in its place. */
  "wrong-value": Expectation &
    Guess & {
      readonly accepts: (value: unknown) => boolean;
      /** The vocabulary of api.yaml that lists the accepted words. */
      readonly vocabulary: string | undefined;
    };
  "not-unique": {
    readonly noun: string;
    readonly nouns: string;
    readonly key: string;
    readonly value: string;
    readonly first: Place;
  };
  /** `request` is what would list both, if a slug does. */
  alike: {
    readonly field: string;
    readonly value: string;
    readonly other: string;
    readonly request: string | undefined;
    readonly first: Place;
  };
  /** `add` is a file that could hold the item. */
  "no-such-item": Guess & {
    readonly noun: string;
    readonly key: string;
    readonly value: string;
    readonly add: string | undefined;
  };
  /** The nouns of one item and of several that it fits, and the noun of several that the file holds. */
  "wrong-resource": {
    readonly nouns: string;
    readonly fits: string;
    readonly severalFit: string;
    readonly place: string;
  };
  /** `noun` is the noun of the items, and `by` as well if an item says so. */
  "wrong-collection": {
    readonly noun: string;
    readonly nouns: string;
    readonly field: string;
    readonly value: string;
    readonly by: string;
    readonly implied: string;
    readonly impliedBy: string;
  };
  /** `missing` is the item that the file's path names, and a file that could hold it. */
  "no-collection": Guess & {
    readonly noun: string;
    readonly field: string;
    /** The noun of the item that is named by the path or the field. */
    readonly target: string;
    readonly missing: { readonly noun: string; readonly name: string; readonly add: string } | undefined;
  };
  /** The key of api.yaml that names a file. */
  "no-such-file": Guess & { readonly key: string; readonly value: string };
  "no-such-deployment": Guess & { readonly value: string };
  /** The result of a function of the declaration, and the message and the place of its error. */
  "not-made": { readonly what: string; readonly reason: string; readonly hint: string | undefined };
}

export type FaultCode = keyof FaultDetails;

/** The codes of faults of api.config.ts. */
export type DeclarationCode =
  | "circular-keys"
  | "circular-sources"
  | "differing-words"
  | "does-not-compile"
  | "duplicate-name"
  | "empty-api"
  | "invalid-name"
  | "missing-option"
  | "no-declaration"
  | "no-such-collection"
  | "no-such-field"
  | "no-such-module"
  | "no-such-parameter"
  | "not-a-schema"
  | "reserved-name"
  | "throws"
  | "too-many-filters"
  | "unknown-option"
  | "unsuitable-field"
  | "unsupported-schema"
  | "wrong-option";

type Nothing = Readonly<Record<string, never>>;

interface Guess {
  /** The name that was probably meant. */
  readonly meant: string | undefined;
}

interface Several {
  /** The noun of several owners; undefined if the owner is not a whole item. */
  readonly owners: string | undefined;
}

interface Expectation extends Several {
  /** The start of the sentence, a field as a reader would point at it: `fields[2].name`. */
  readonly name: string;
  /** Completes "must be …", or is a message of the declaration: it starts with "must", or is a sentence. */
  readonly expected: string;
  readonly value: unknown;
}
