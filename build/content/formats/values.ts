// A file as values with their places.
import { type Dialect, dialectIn, dialectOf } from "../../../src/model/files.ts";
import { type Draft, type Log, wholeFile } from "../../messages.ts";
import { type FileMatch, type PathsOutside, pathFor, withOption } from "../globs.ts";
import { areElements, emptyText, isBlank, type Problem, unreadable } from "./format.ts";
import { formats } from "./formats.ts";
import { membersIn } from "./members.ts";
import { mergeConflictIn } from "./merge-conflict.ts";
import { decode, decodeParts, type FileBytes, sourceOf } from "./source.ts";
import type { ContentSource, Value } from "./value.ts";

export interface ReadableFile extends FileBytes {
  readonly file: string;
  /** The rule by which a collection has the file, if there is one. */
  readonly match?: FileMatch | undefined;
  /** Undefined if the file is in the content folder. */
  readonly outside?: PathsOutside;
}

/**
 * The values of a file in order. A value that cannot be read is undefined, and the reason is reported. `isOfCollection`:
 * whether an option of the declaration may be about the file.
 */
export function valuesIn(file: ReadableFile, log: Log, isOfCollection = true): Iterable<Value> {
  const source = sourceIn(file);
  const { dialect } = source;
  const { items, encoding } = dialect;
  const format = formats[dialect.format.name];
  const report = ({ option, ...draft }: Problem): void => {
    const way = option !== undefined && isOfCollection && withOption(option, source);
    const hint = [draft.hint, way].filter(Boolean).join(" ") || undefined;
    log.report({ ...draft, hint, at: { source, ...draft.at } });
  };
  if (format.readParts !== undefined && items === undefined)
    return format.readParts(decodeParts(file, encoding), source, report);
  const { text, raw = text, problem } = decode(file.read(), encoding);
  // A cell of CSV may have such lines.
  const conflict = dialect.format.hasCells ? undefined : mergeConflictIn(text);
  const unsuitable = items !== undefined && dialect.format.hasLines ? itemsOfLines : undefined;
  const fault = problem ?? conflict ?? (isBlank(text) ? emptyText(format.contents(dialect)) : unsuitable);
  if (fault !== undefined) {
    report(fault);
    return [unreadable(source)];
  }
  if (dialect.format.isText) return format.read(raw, source, report);
  const values = format.read(text, source, report);
  return items === undefined ? values : membersIn([...values], items, source, log.report);
}

const itemsOfLines: Problem = {
  code: "no-items",
  at: { start: 0, end: 0 },
  text: "The option items names members of an object, but each line of this file is an item.",
  hint: "Give this file an entry of its own in the option files.",
};

export function sourceIn(readable: ReadableFile): ContentSource {
  const { file, read, match, outside } = readable;
  const path = match && pathFor(match.rule, file, outside);
  return sourceOf(file, dialectFor(readable), read, match, path);
}

export const dialectFor = ({ file, match }: ReadableFile): Dialect =>
  dialectOf(file, match?.rule.dialect) ?? dialectIn("json");

/** The only value of a file that must hold one. Its data is undefined if there is none, which is reported. */
export function readOne(file: ReadableFile, what: string, log: Log): Value {
  // The hint of the format is about a list of items.
  const hint = "Remove it, or write its fields into it.";
  const report = (draft: Draft) => log.report(draft.code === "empty-file" ? { ...draft, hint } : draft);
  const values = [...valuesIn(file, { ...log, report }, false)];
  const { data, at } = values[0] ?? unreadable(sourceIn(file));
  const one = { at, data: values.length > 1 ? undefined : data };
  const { hasDocuments, dialect } = at.source;
  const { hasLines } = dialect.format;
  const count = values.filter((value) => value.data !== undefined).length;
  if (hasLines ? count < 2 : !areElements(values)) return one;
  const list = values.length === 0 ? "an empty list" : hasDocuments ? "several documents" : "a list";
  const contents = hasLines ? `${count} lines` : list;
  const second = hasDocuments && values.find((value) => value.at.path[0] !== at.path[0]);
  log.report({
    code: "not-one",
    at: second ? second.at.spot() : wholeFile(file.file),
    text: `This file must hold a single ${what}, but holds ${contents}.`,
    hint: hasDocuments ? "Keep one." : "Keep one, without a list around it.",
  });
  return one;
}
