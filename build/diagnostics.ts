// Everything that can be wrong with content, as a catalogue. A code is permanent: it may be looked up, counted and
// silenced by programs. A message is one full sentence; a hint says what to do about it. Only these functions word
// reports, and they get the text as it is written in the file, because its author wrote `3.10` and not 3.1.
import leven from "leven";
import { parseExact } from "./content/formats/exact.ts";

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
  /** `over-budget` is of the build as a whole and worded where it is found. */
  readonly code: FaultCode | "over-budget";
  readonly message: string;
  readonly hint?: string;
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
  "not-one": { readonly what: string; readonly held: string };
  "unknown-field": Guess & { readonly owner: string; readonly field: string; readonly known: readonly string[] };
  "missing-field": { readonly owner: string; readonly field: string; readonly expected: string };
  /** `accepts` tells whether another value would do in its place. */
  "wrong-type": Expectation & { readonly accepts: (value: unknown) => boolean };
  /** `accepts` tells whether another value would do in its place. */
  "wrong-value": Expectation & Guess & { readonly accepts: (value: unknown) => boolean };
  "not-unique": { readonly noun: string; readonly key: string; readonly value: string; readonly first: Place };
  "no-such-item": Guess & { readonly noun: string; readonly key: string; readonly value: string };
  "wrong-collection": {
    readonly value: string;
    readonly by: string;
    readonly implied: string;
    readonly impliedBy: string;
  };
  "no-collection": Guess;
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

type Catalogue = {
  readonly [Code in FaultCode]: (details: FaultDetails[Code], written: string) => Wording;
};

export const catalogue: Catalogue = {
  "unknown-file": ({ reason, hint }) => ({
    message: `${shown(reason, 300)}, so it is not content.`,
    hint: hint ?? "Move it out of the content folder, or start its name with a dot.",
  }),
  "outside-link": () => ({
    message: "This link leads out of the content folder.",
    hint: "Put the file itself here.",
  }),
  "dead-link": () => ({ message: "This link leads nowhere.", hint: "Remove it, or put the file itself here." }),
  "folder-link": () => ({
    message: "This is a link to a folder, and links to folders are not followed.",
    hint: "Link its files one by one, or move the folder here.",
  }),
  "no-file": () => ({
    message: "This is neither a file nor a folder, so it is not content.",
    hint: "Move it out of the content folder, or start its name with a dot.",
  }),
  "bad-name": () => ({
    message: "This name holds a control character, a line break or something that is not UTF-8.",
    hint: "Rename it.",
  }),
  "too-large": () => ({
    message: "This file is too large to be read: of NDJSON at most 2 GB are, of JSON and YAML at most 512 MB.",
    hint: "Split it into several files.",
  }),
  "invalid-utf8": () => ({ message: "The file is not UTF-8 text from here on.", hint: "Save it as UTF-8." }),
  "empty-file": () => ({
    message: "The file is empty.",
    hint: "Remove it, or write its items into it; [] means none.",
  }),
  syntax: ({ format, problem, hint }) => ({ message: `This is not valid ${format}: ${shown(problem, 200)}.`, hint }),
  "too-deep": () => ({
    message: "Lists and objects nest deeper here than any content does.",
    hint: "Check the brackets or the indentation before it.",
  }),
  "yaml-version": ({ version }) => ({
    message: `The file asks for YAML ${shown(version)}, but content is YAML 1.2, in which NO and times are text.`,
    hint: "Remove the %YAML line.",
  }),
  "yaml-only": ({ what, hint }) => ({
    message: `Content holds only what JSON can, and JSON has no ${shown(what)}.`,
    hint,
  }),
  "several-documents": () => ({
    message: "A second YAML document starts here, but a file holds one.",
    hint: "Write the items as one list, or in a file each.",
  }),
  "too-many-aliases": () => ({
    message: "The aliases of this file expand to far more than is written in it.",
    hint: "Write the values out.",
  }),
  "duplicate-key": (_, written) => ({
    message: `The key ${shown(written)} is repeated in this object.`,
    hint: "Keep one of the two.",
  }),
  "not-one": ({ what, held }) => ({
    message: `This file must hold a single ${what}, but holds ${held}.`,
    hint: "Keep one, without a list around it.",
  }),
  "unknown-field": ({ owner, field, meant, known }) => ({
    message: `${owner} has no field ${quote(field)}.`,
    hint: didYouMean(meant) ?? `Its fields are ${known.join(", ")}.`,
  }),
  "missing-field": ({ owner, field, expected }) => ({
    message: `${owner} must have the field ${field}.`,
    hint: `Its value must be ${shown(expected, 300)}.`,
  }),
  "wrong-type": ({ name, expected, value, accepts }, written) => ({
    message: `${name} must be ${shown(expected, 300)}, but is ${describe(value, written)}.`,
    hint: typeHint(value, accepts, written),
  }),
  "wrong-value": ({ name, expected, value, meant, accepts }, written) => ({
    message: `${name} must be ${shown(expected, 300)}, but is ${describe(value, written)}.`,
    hint: didYouMean(meant) ?? digitsHint(value, accepts, written),
  }),
  "not-unique": ({ noun, key, value, first }) => ({
    message: `The ${key} ${quote(value)} is taken by another ${noun}, at ${first.file}:${first.line}:${first.column}.`,
    hint: "Each needs its own; case makes no difference.",
  }),
  "no-such-item": ({ noun, key, value, meant }) => ({
    message: `There is no ${noun} with the ${key} ${quote(value)}.`,
    hint: didYouMean(meant) ?? "Add it, or name another.",
  }),
  "wrong-collection": ({ value, by, implied, impliedBy }) => ({
    message: `The ${by} says collection ${quote(value)}, but the ${impliedBy} says ${quote(implied)}.`,
    hint: by === "record" ? "Move the record, or leave its collection out." : "Rename one of the two.",
  }),
  "no-collection": ({ meant }) => ({
    message: "Neither this record nor its file's name or folder says which collection it belongs to.",
    hint: didYouMean(meant) ?? "Give it a collection, or name the file or its folder after one.",
  }),
  "no-such-deployment": ({ value, meant }) => ({
    message: `There is no deployment ${quote(value)}.`,
    hint: didYouMean(meant) ?? "Add it to deployments/, or name another.",
  }),
};

/** `Did you mean "lhr1"?`, where one of the known words is near enough to be a slip of the word. */
export const nearest = (word: string, known: readonly string[]): string | undefined => didYouMean(closest(word, known));

const didYouMean = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : `Did you mean ${quote(word)}?`;

/** Among more words than these, one or another is near to any. */
const fewEnough = 1000;

/** The known word that is near enough for the word to be a slip of it: few letters differ, and never all of them. */
export function closest(word: string, known: readonly string[]): string | undefined {
  if (known.length > fewEnough) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.min(4, Math.max(1, Math.floor((word.length + 1) / 3)), word.length - 1) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const other = candidate.toLowerCase();
    const distance = isSwap(lower, other) ? 1 : leven(lower, other, { maxDistance: least });
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Whether two neighbours have changed places, which is one slip and not two. */
function isSwap(word: string, other: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const swapped = word[at] === other[at + 1] && word[at + 1] === other[at];
  return at < word.length && swapped && word.slice(at + 2) === other.slice(at + 2);
}

/** In quotes, with everything escaped that a terminal would not show. */
const quote = (text: string): string => escaped(JSON.stringify(clipped(text, 60)));

/** Short enough for a report, with everything escaped that a terminal would not show. */
export const shown = (text: string, length = 60): string => escaped(clipped(text, length));

const clipped = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;

/** With what a terminal would obey, or not show, as an escape of JSON. */
export const escaped = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

/** A value as its author wrote it, with its type where that is the surprise. */
function describe(value: unknown, written: string): string {
  if (value === null) return "empty (null)";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "an object";
  return `the ${typeof value} ${shown(written)}`;
}

/** Says so where quotes are all that is missing, or all that is too much. */
function typeHint(value: unknown, accepts: (value: unknown) => boolean, written: string): string | undefined {
  if (typeof value === "string") {
    const bare = literal.test(value) ? parseExact(value) : value;
    return bare !== value && accepts(bare) ? `Leave the quotes out: ${value}.` : undefined;
  }
  const quotable = typeof value === "number" || typeof value === "boolean";
  return quotable && accepts(written) ? `Put it in quotes: "${written}".` : undefined;
}

/** A boolean or number of JSON. */
const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?)$/i;

/** Says what to write where only the digits that JSON cannot carry are wrong with a number. */
const digitsHint = (value: unknown, accepts: (value: unknown) => boolean, written: string): string | undefined =>
  value === Number.POSITIVE_INFINITY && accepts(Number(written))
    ? `JSON numbers do not hold all these digits: write ${Number(written)}.`
    : undefined;
