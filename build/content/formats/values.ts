// A file as values with their places.
import { dialectIn, dialectOf } from "../../../src/model/files.ts";
import { type Draft, type Log, wholeFile } from "../../messages.ts";
import { type FileMatch, withOption } from "../globs.ts";
import { emptyText, isBlank, type Reading, type ReadOutcome, readAll, unreadableText } from "./format.ts";
import { formats } from "./formats.ts";
import { readMembers } from "./members.ts";
import { decode, decodeParts, type FileBytes, sourceOf } from "./source.ts";
import { At, type ContentSource, type Value } from "./value.ts";

export interface ReadableFile extends FileBytes {
  readonly file: string;
  /** The rule by which a collection has the file, if there is one. */
  readonly match?: FileMatch | undefined;
}

/** The values of a file that can be read, in order. Faults of the file are reported after them. */
export function* valuesIn(file: ReadableFile, log: Log): Reading {
  const source = sourceIn(file);
  const outcome = yield* readingOf(file, source);
  for (const { option, ...draft } of outcome.problems) {
    const ways = option === undefined ? [draft.hint] : [draft.hint, withOption(option, source)];
    log.report({
      ...draft,
      hint: ways.filter((way) => way !== undefined).join(" ") || undefined,
      at: { source, ...draft.at },
    });
  }
  return outcome;
}

export function sourceIn({ file, read, match }: ReadableFile): ContentSource {
  return sourceOf(file, dialectOf(file, match?.rule.options) ?? dialectIn("json"), read, match);
}

function* readingOf(file: ReadableFile, source: ContentSource): Reading {
  const { dialect } = source;
  const { items, encoding } = dialect;
  const format = formats[dialect.format.name];
  if (format.readParts !== undefined && items === undefined)
    return yield* format.readParts(decodeParts(file, encoding), source);
  const { text, problem } = decode(file.read(), encoding);
  const fault = problem ?? (isBlank(text) ? emptyText(format.contents(dialect)) : undefined);
  if (fault !== undefined) return unreadableText(fault);
  return yield* items === undefined ? format.read(text, source) : readMembers(format, items, text, source);
}

/** The only value of a file that must hold one. Its data is undefined if there is none, which is reported. */
export function readOne(file: ReadableFile, what: string, log: Log): Value & Pick<ReadOutcome, "whole"> {
  // The hint of the format is about a list of items.
  const hint = "Remove it, or write its fields into it.";
  const report = (draft: Draft) => log.report(draft.code === "empty-file" ? { ...draft, hint } : draft);
  const { values, shape, whole } = readAll(valuesIn(file, { ...log, report }));
  const { data, at } = values[0] ?? { data: undefined, at: new At(sourceIn(file), []) };
  const one = { at, whole, data: values.length > 1 ? undefined : data };
  if (shape !== "list" && values.length < 2) return one;
  const list = values.length === 0 ? "an empty list" : "a list";
  const contents = shape === "list" ? list : `${values.length} lines`;
  log.report({
    code: "not-one",
    at: wholeFile(file.file),
    text: `This file must hold a single ${what}, but holds ${contents}.`,
    hint: "Keep one, without a list around it.",
  });
  return one;
}
