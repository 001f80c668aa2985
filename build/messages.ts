// Messages about declaration, content, hosts and earlier builds, as data. One log is passed to every stage. It bounds its
// own work: it keeps a limited number of messages of each file and counts the others. Places and words are only found for
// messages that are shown, because they need the text of the file again.
import path from "node:path";
import type { Place } from "../src/model/place.ts";
import { type Code, codes, type Severity } from "./codes.ts";
import { slashed } from "./files/folders.ts";
import { escaped } from "./text/quote.ts";
import { compare } from "./values/compare.ts";

export interface Message extends Sentences {
  readonly severity: Severity;
  readonly code: Code;
  /** The file is relative to the working folder, with slashes. */
  readonly place: Place;
  /** The label of the encoding of the file, if it is not the usual one. */
  readonly encoding?: string;
}

/** `text` is one full sentence. `hint` says what to do. */
export interface Sentences {
  readonly text: string;
  readonly hint?: string | undefined;
}

/** Messages of one file that are counted and not shown. */
export interface Omitted {
  readonly file: string;
  /** Absent: errors that were not examined further, at least this number. */
  readonly code?: Code | undefined;
  readonly count: number;
}

export interface Messages {
  /** In the order of files, lines and columns. */
  readonly shown: readonly Message[];
  readonly omitted: readonly Omitted[];
}

/**
 * A message before its place and its words are found. `At` is a `Span` if the source of the text is not known yet.
 *
 * A wrong `size` in the second item of things.yaml: readers know the item's `At`, its source and its path `[1]`. `At.spot` adds
 * the path of the value: the `Spot` `[1, "size"]`. When messages are printed, the source is opened, finds the `Span` of the value
 * in its text, from one offset to another, and these become a `Place`, with line and column.
 */
export interface Draft<At = Place | Spot> {
  readonly code: Code;
  readonly at: At;
  readonly text: string | Wording;
  readonly hint?: string | undefined;
}

/**
 * `written` is the text at the place, since authors know `3.10` and not 3.1; empty if the value is not written there.
 * `placeOf` names the place of another value: `content/nodes.yaml:3:5`.
 */
export type Wording = (written: string, placeOf: (at: Spot) => string) => Sentences;

/** The words of a draft. */
export const sentencesOf = (
  { text, hint }: Pick<Draft, "text" | "hint">,
  ...context: Parameters<Wording>
): Sentences => (typeof text === "string" ? { text, hint } : text(...context));

/** The value or key at fault; a path that leads to no value ends at its last known one. */
export type Spot = { readonly source: Source } & (ValueSpot | Span);

interface ValueSpot {
  readonly path: Path;
  readonly part?: Part;
  /** Whether the faulty value is made from the one at the place, and not written there. */
  readonly made?: boolean;
  /** The item at fault, if its place does not show it: `release "nodejs/20"`. */
  readonly name?: string | undefined;
}

/** The keys and indices that lead to a value in a text. Line numbers of NDJSON, from 0, are the first index. */
export type Path = readonly (string | number)[];

/**
 * The part of a path to point at: its value, the key in front of the value, or its use. The use of a value is the alias of
 * YAML that repeats it, or the row of CSV without its column; otherwise it is the value.
 */
export type Part = "key" | "value" | "use";

/** A part of a text, in UTF-16 code units from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text in which values have places, such as a file of the content. */
export interface Source {
  /** Relative to the folder of the log. */
  readonly file: string;
  /** The label of its encoding, if it is not the usual one. */
  readonly encoding?: string | undefined;
  /** Reads the text again. */
  open(): (at: Spot) => WrittenText;
}

/** The place of a value, and its text there; empty if it is not written there. */
export interface WrittenText extends Omit<Place, "file"> {
  readonly written: string;
}

export interface Log {
  report(draft: Draft): void;
  /** Whether further messages of a file are only counted, so that their details are not needed. */
  isFull(file: string): boolean;
  /** Counts a refused value without details. */
  countRefused(file: string): void;
  /** The same log, for messages whose files are relative to a folder of this one. */
  below(folder: string): Log;
  /** The same log, for one of several APIs that read the same files. Equal messages of several APIs are one. */
  forApi(): Log;
  hasErrors(): boolean;
  messages(): Messages;
}

/** The place of a message about a file as a whole. */
export const wholeFile = (file: string): Place => ({ file, line: 1, column: 1, endLine: 1, endColumn: 1 });

/** The place of a message about the whole build: the file of the settings, even if it does not exist. */
export const wholeBuild = wholeFile("api.yaml");

/** The place of a message that is about no file, such as one about a published build that cannot be read. */
export const noFile = wholeFile("");

/** Whether a message has a place that readers can open. */
export const isInFile = ({ file }: Place): boolean => file !== noFile.file;

/** The place of a message about the declaration, if its line is unknown. */
export const inDeclaration = wholeFile("api.config.ts");

/** The most messages of a severity that are kept of each file, and the most that are shown: more than anyone reads. */
const maxMessages = 1_000;

/** This many messages of each file precede the further ones of any file, so that no file hides the faults of another. */
const fairShare = 200;

/** The messages of one severity about one file. */
interface FileLog {
  /** In the order in which they were found. */
  readonly kept: Kept[];
  /** Those that are not kept, by code. Those without a code are refused values. */
  readonly counted: Map<Code | undefined, number>;
}

interface Kept extends Draft {
  readonly folder: string;
}

export function openLog(): Log {
  /** The messages of each API. */
  const all: ApiLog[] = [];
  let errors = 0;
  return logFor("", new ApiLog());

  function logFor(folder: string, log: ApiLog): Log {
    if (!all.includes(log)) all.push(log);
    // Every item asks whether its file is full, and joining paths takes time.
    let last = { file: "", path: pathIn(folder, "") };
    const pathOf = (file: string): string => {
      if (file !== last.file) last = { file, path: pathIn(folder, file) };
      return last.path;
    };
    return {
      report(draft) {
        if (codes[draft.code].severity === "error") errors++;
        log.add(pathOf(fileOf(draft)), { ...draft, folder });
      },
      isFull: (file) => log.error.size > 0 && (log.error.get(pathOf(file))?.kept.length ?? 0) >= maxMessages,
      countRefused(file) {
        errors++;
        log.count("error", pathOf(file), undefined);
      },
      below: (inner) => logFor(path.join(folder, inner), log),
      forApi: () => logFor(folder, new ApiLog()),
      hasErrors: () => errors > 0,
      messages: () => messagesOf(all),
    };
  }
}

/** The messages of one API, by severity and file. */
class ApiLog {
  readonly error = new Map<string, FileLog>();
  readonly warning = new Map<string, FileLog>();

  add(file: string, draft: Kept): void {
    const { severity } = codes[draft.code];
    const { kept } = this.#of(severity, file);
    if (kept.length < maxMessages) kept.push(draft);
    else this.count(severity, file, draft.code);
  }

  count(severity: Severity, file: string, code: Code | undefined): void {
    const { counted } = this.#of(severity, file);
    counted.set(code, (counted.get(code) ?? 0) + 1);
  }

  #of(severity: Severity, file: string): FileLog {
    const log = this[severity].get(file) ?? { kept: [], counted: new Map() };
    this[severity].set(file, log);
    return log;
  }
}

/** The path of a file relative to the working folder, with slashes. */
const pathIn = (folder: string, file: string): string =>
  file === noFile.file ? file : slashed(path.join(folder, file));

const fileOf = ({ at }: Draft): string => ("source" in at ? at.source.file : at.file);

type MessageOf = (kept: Kept) => Message;

/** Warnings take the room that errors leave. */
function messagesOf(logs: readonly ApiLog[]): Messages {
  const shown: Message[] = [];
  const omitted: Omitted[] = [];
  const messageOf = messageReader();
  for (const severity of ["error", "warning"] as const) {
    const ofApis = logs.map((log) => log[severity]);
    const names = [...new Set(ofApis.flatMap((log) => [...log.keys()]))].sort(compare);
    const files = names.map((file) =>
      together(
        ofApis.flatMap((log) => log.get(file) ?? []),
        messageOf,
      ),
    );
    const rooms = roomsFor(
      files.map(({ kept }) => kept.length),
      maxMessages - shown.length,
    );
    for (const [index, { kept, counted }] of files.entries()) {
      const file = names[index] ?? "";
      const room = rooms[index] ?? 0;
      shown.push(...distinct(kept.slice(0, room), messageOf).values());
      const counts = new Map(counted);
      for (const { code } of kept.slice(room)) counts.set(code, (counts.get(code) ?? 0) + 1);
      for (const [code, count] of counts) omitted.push({ file, code, count });
    }
  }
  shown.sort(byPlace);
  omitted.sort((one, other) => compare(one.file, other.file));
  return { shown, omitted };
}

/** The messages of several APIs about one file: each once. */
function together(logs: readonly FileLog[], messageOf: MessageOf): FileLog {
  const [first, ...others] = logs;
  if (first !== undefined && others.length === 0) return first;
  const drafts = logs.flatMap((log) => log.kept);
  const messages = distinct(drafts, messageOf);
  const kept = drafts.filter((draft) => messages.has(draft));
  const counted = new Map<Code | undefined, number>();
  for (const log of logs) {
    for (const [code, count] of totals(log.counted)) {
      // Another API may have kept what this one only counted.
      const least = count - (kept.length - log.kept.length);
      if (least > (counted.get(code) ?? 0)) counted.set(code, least);
    }
  }
  return { kept, counted };
}

/** Which errors two APIs have in common is unknown once they are only counted, so their codes say nothing. */
function totals(counted: FileLog["counted"]): FileLog["counted"] {
  const counts = new Map<Code | undefined, number>();
  for (const [code, count] of counted) {
    const known = code !== undefined && codes[code].severity === "warning" ? code : undefined;
    counts.set(known, (counts.get(known) ?? 0) + count);
  }
  return counts;
}

/** The messages of drafts. Equal ones at one place are one. */
function distinct(drafts: readonly Kept[], messageOf: MessageOf): ReadonlyMap<Kept, Message> {
  const keys = new Set<string>();
  const messages = new Map<Kept, Message>();
  for (const draft of drafts) {
    const message = messageOf(draft);
    const { place, code, text } = message;
    const key = `${place.line}:${place.column} ${code} ${text}`;
    if (!keys.has(key)) messages.set(draft, message);
    keys.add(key);
  }
  return messages;
}

/** Files, lines, columns, then codes. */
const byPlace = ({ place, code }: Message, { place: other, code: otherCode }: Message): number =>
  compare(place.file, other.file) || place.line - other.line || place.column - other.column || compare(code, otherCode);

/** How many messages of each file are shown. */
function roomsFor(counts: readonly number[], room: number): readonly number[] {
  let left = room;
  const take = (count: number): number => {
    const share = Math.min(count, left);
    left -= share;
    return share;
  };
  const first = counts.map((count) => take(Math.min(count, fairShare)));
  return first.map((share, index) => share + take((counts[index] ?? 0) - share));
}

/** Finds places and words. Each source is opened once. */
function messageReader(): MessageOf {
  const opened = new Map<Source, ReturnType<Source["open"]>>();
  const writtenAt = (at: Spot): WrittenText => {
    const open = opened.get(at.source) ?? at.source.open();
    opened.set(at.source, open);
    return open(at);
  };
  return (draft) => {
    const { code, at, folder } = draft;
    const { written, ...range } = "source" in at ? writtenAt(at) : { ...at, written: "" };
    const placeOf = (spot: Spot): string => {
      const { line, column } = writtenAt(spot);
      return `${pathIn(folder, spot.source.file)}:${line}:${column}`;
    };
    const words = sentencesOf(draft, written, placeOf);
    const name = "path" in at ? at.name : undefined;
    const encoding = "source" in at ? at.source.encoding : undefined;
    return {
      severity: codes[code].severity,
      code,
      place: { ...range, file: pathIn(folder, fileOf(draft)) },
      text: name === undefined ? words.text : `${words.text.replace(/\.$/, "")} (${escaped(name)}).`,
      ...(words.hint !== undefined && { hint: words.hint }),
      ...(encoding !== undefined && { encoding }),
    };
  };
}
