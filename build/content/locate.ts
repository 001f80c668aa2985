// From faults to diagnostics: each file with faults is opened once to find the places of what they are about.
import { LineCounter } from "yaml";
import type { Diagnostic, Place } from "../diagnostics.ts";
import type { Fault, Spot } from "./fault.ts";
import type { Located } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import { compare } from "./order.ts";
import type { Source } from "./source.ts";

/**
 * In the order of files, lines and columns. A fault in a value with several YAML aliases is reported once, at its first
 * use.
 */
export function locate(faults: readonly Fault[]): readonly Diagnostic[] {
  const opened = new Map<Source, OpenSource>();
  const open = (source: Source): OpenSource => {
    const known = opened.get(source) ?? openSource(source);
    opened.set(source, known);
    return known;
  };
  const placeOf = (source: Source, at: Spot): Place => {
    const { find, positionOf } = open(source);
    return { file: source.file, ...positionOf(find(at).span.start) };
  };
  const reports = faults.map(({ code, source, at, wording }): Report => {
    const { find, positionOf } = open(source);
    const { span, origin } = find(at);
    const { line: endLine, column: endColumn } = positionOf(span.end);
    const { message, hint } = wording(source.text.slice(origin.start, origin.end), placeOf);
    const where = { file: source.file, ...positionOf(span.start), endLine, endColumn };
    const diagnostic = { ...where, code, message, ...(hint === undefined ? {} : { hint }) };
    return { diagnostic, identity: JSON.stringify([source.file, origin.start, code, message]) };
  });
  return withoutRepeats(reports.sort((a, b) => byPlace(a.diagnostic, b.diagnostic)));
}

interface Report {
  readonly diagnostic: Diagnostic;
  /** Equal for one fault found in several ways. */
  readonly identity: string;
}

function withoutRepeats(reports: readonly Report[]): readonly Diagnostic[] {
  const firsts = new Map<string, Diagnostic>();
  for (const { identity, diagnostic } of reports) {
    if (!firsts.has(identity)) firsts.set(identity, diagnostic);
  }
  return [...firsts.values()];
}

interface OpenSource {
  readonly find: (at: Spot) => Located;
  readonly positionOf: (offset: number) => Position;
}

function openSource({ format, text, lines }: Source): OpenSource {
  let find: ReturnType<(typeof formats)[typeof format]["open"]> | undefined;
  return {
    find: (at) => {
      if ("start" in at) return { span: at, origin: at };
      find ??= formats[format].open(text);
      return find(at.path, at.part ?? "value");
    },
    positionOf: positionsIn(text, lines),
  };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines end at a line feed; a carriage return before it is the last character of its line. */
function positionsIn(text: string, numbers?: readonly number[]): (offset: number) => Position {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: (numbers?.[line - 1] ?? line - 1) + 1, column: col };
  };
}

const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code);
