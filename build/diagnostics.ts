// Everything that can be wrong with content, as a catalogue. A code is permanent: it may be looked up, counted and
// silenced by programs. A message is one full sentence; a hint says what to do about it. Only these functions word
// reports, and they are given the text as it is written in the file, for `3.10` is not 3.1 to the one who wrote it.
import leven from "leven";

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
  readonly code: FaultCode;
  readonly message: string;
  readonly hint?: string;
}

/** A value together with all that is wrong with what it was made from; with faults the value is partial. */
export type Checked<T, Problem = Diagnostic> = readonly [value: T, problems: readonly Problem[]];

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
  "invalid-utf8": Nothing;
  "empty-file": Nothing;
  syntax: { readonly format: string; readonly problem: string };
  "too-deep": Nothing;
  "yaml-version": { readonly version: string };
  "several-documents": Nothing;
  "too-many-aliases": Nothing;
  "duplicate-key": Nothing;
  "not-one": { readonly what: string; readonly count: number };
  "unknown-field": { readonly owner: string; readonly field: string; readonly known: readonly string[] };
  "missing-field": { readonly owner: string; readonly field: string; readonly expected: string };
  "wrong-type": Expectation & { readonly type: string };
  "wrong-value": Expectation & { readonly known: readonly string[] };
  "not-unique": { readonly noun: string; readonly key: string; readonly value: string; readonly first: Place };
  "no-such-item": Sought & { readonly noun: string; readonly key: string };
  "wrong-collection": { readonly value: string; readonly implied: string; readonly by: string };
  "no-collection": { readonly name: string; readonly known: readonly string[] };
  "no-such-deployment": Sought;
}

export type FaultCode = keyof FaultDetails;

type Nothing = Readonly<Record<string, never>>;

interface Sought {
  readonly value: string;
  readonly known: readonly string[];
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
    message: `${reason}, so it is not content.`,
    hint: hint ?? "Move it out of the content folder, or start its name with a dot.",
  }),
  "outside-link": () => ({
    message: "This link leads out of the content folder.",
    hint: "Put the file itself here.",
  }),
  "dead-link": () => ({ message: "This link leads nowhere." }),
  "folder-link": () => ({
    message: "This is a link to a folder, and links to folders are not followed.",
    hint: "Link its files one by one, or move the folder here.",
  }),
  "invalid-utf8": () => ({ message: "The file is not UTF-8 from here on.", hint: "Save it as UTF-8." }),
  "empty-file": () => ({
    message: "The file is empty.",
    hint: "Remove it, or write [] if it is to hold no items.",
  }),
  syntax: ({ format, problem }) => ({ message: `This is not valid ${format}: ${problem}.` }),
  "too-deep": () => ({ message: "Lists and objects nest deeper here than any content does." }),
  "yaml-version": ({ version }) => ({
    message: `The file asks for YAML ${version}, which reads NO as false and times as dates; content is YAML 1.2.`,
    hint: "Remove the %YAML line.",
  }),
  "several-documents": () => ({
    message: "A second YAML document starts here, and a file holds one.",
    hint: "Write the items as one list, or in a file each.",
  }),
  "too-many-aliases": () => ({
    message: "The aliases of this file expand to far more than is written in it.",
    hint: "Write the values out.",
  }),
  "duplicate-key": (_, written) => ({
    message: `The key ${written} stands twice in this object.`,
    hint: "Keep one of the two.",
  }),
  "not-one": ({ what, count }) => ({ message: `This file must hold one ${what}, but holds ${count} of them.` }),
  "unknown-field": ({ owner, field, known }) => ({
    message: `${owner} has no field ${quote(field)}.`,
    hint: nearest(field, known) ?? (known.length > 0 ? `Its fields are ${known.join(", ")}.` : undefined),
  }),
  "missing-field": ({ owner, field, expected }) => ({
    message: `${owner} must have the field ${field}.`,
    hint: `Its value must be ${expected}.`,
  }),
  "wrong-type": ({ name, expected, value, type }, written) => ({
    message: `${name} must be ${expected}, but is ${describe(value, written)}.`,
    hint: typeHint(value, type, written),
  }),
  "wrong-value": ({ name, expected, value, known }, written) => ({
    message: `${name} must be ${expected}, but is ${describe(value, written)}.`,
    hint: typeof value === "string" ? nearest(value, known) : undefined,
  }),
  "not-unique": ({ noun, key, value, first }) => ({
    message: `The ${key} ${quote(value)} is taken by another ${noun}, at ${first.file}:${first.line}:${first.column}.`,
    hint: "Each needs its own; capitals alone do not tell two apart.",
  }),
  "no-such-item": ({ noun, key, value, known }) => ({
    message: `There is no ${noun} with the ${key} ${quote(value)}.`,
    hint: nearest(value, known),
  }),
  "wrong-collection": ({ value, implied, by }) => ({
    message: `The record is of the collection ${quote(value)}, but its ${by} says ${quote(implied)}.`,
    hint: "Move the record, or leave its collection out.",
  }),
  "no-collection": ({ name, known }) => ({
    message: "Neither this record, nor its file's name or folder, says of which collection it is.",
    hint: nearest(name, known) ?? "Give it a collection, or name the file or its folder after one.",
  }),
  "no-such-deployment": ({ value, known }) => ({
    message: `There is no deployment ${quote(value)}.`,
    hint: nearest(value, known),
  }),
};

/** `Did you mean "lhr1"?`, where one of the known words is near enough to be a slip of the word. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowance = Math.max(1, Math.floor(word.length * 0.4));
  let best: string | undefined;
  let least = allowance + 1;
  for (const candidate of known) {
    const distance = leven(word.toLowerCase(), candidate.toLowerCase(), { maxDistance: least });
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best === undefined ? undefined : `Did you mean ${quote(best)}?`;
}

const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** A value as its author wrote it, with its type where that is the surprise. */
function describe(value: unknown, written: string): string {
  if (value === null) return "empty (null)";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `the ${typeof value} ${written}`;
}

function typeHint(value: unknown, type: string, written: string): string | undefined {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return `Put it in quotes: "${written}".`;
  }
  const bare = type === "boolean" ? /^(?:true|false)$/ : /^\d+$/;
  const quoted = typeof value === "string" && (type === "boolean" || type === "number" || type === "int");
  return quoted && bare.test(value) ? `Leave the quotes out: ${value}.` : undefined;
}
