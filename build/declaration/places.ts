// The places of faults in the modules of a declaration: from the call that a stack trace names, through the source map,
// to the option within the call.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import type { DeclarationCode, Diagnostic } from "../diagnostics.ts";
import { argumentsAt, type Member, memberIn, type Range } from "./scan.ts";
import { isObject } from "./schema.ts";

type Span = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** A part of a call: the option `filters`, or the field `name` of its `schema`. An empty path is the call itself. */
export interface DeclarationSpot {
  /** The stack trace of the call. */
  readonly site: string | undefined;
  readonly path: readonly string[];
  /** The option's name, or its value, which is the default. */
  readonly part?: "name" | "value";
  /** The argument of the call that has the options. The first, 0, by default. */
  readonly argument?: number;
}

/** Returns the possible places of an option, or of a part of it. */
export type At = (path: readonly string[], part?: DeclarationSpot["part"]) => readonly DeclarationSpot[];

export interface Places {
  /** The place of the innermost part that is written there. Undefined if no module of the declaration has the call. */
  find(spot: DeclarationSpot): Span | undefined;
  /** The start of the file. */
  readonly start: Span;
  /** The default export if there is one, else the start of the file. */
  readonly whole: Span;
}

/**
 * `script` is the name of the script in stack traces. `map` is its source map, with paths relative to the folder of
 * `config`. The places name files relative to `root`.
 */
export function openPlaces(config: string, script: string, map: string, root: string): Places {
  let source: SourceMap | undefined;
  const spanOf = (file: string, { start, end }: Range): Span => {
    const text = textOf(file);
    const [from, to] = [positionAt(text, start), positionAt(text, end)];
    return { file: path.relative(root, file), ...from, endLine: to.line, endColumn: to.column };
  };
  const start = { file: path.relative(root, config), line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    start,
    get whole() {
      const [found] = textOf(config).matchAll(/^export default\b/gm);
      return found === undefined ? start : spanOf(config, { start: found.index, end: found.index + found[0].length });
    },
    find(spot) {
      const frame = frameIn(spot.site, script);
      if (frame === undefined) return undefined;
      source ??= new SourceMap(JSON.parse(map));
      const entry = source.findEntry(frame.line, frame.column);
      if (!("originalSource" in entry)) return undefined;
      const file = path.resolve(path.dirname(config), entry.originalSource);
      const text = textOf(file);
      const call = offsetOf(text, entry.originalLine, entry.originalColumn);
      return spanOf(file, rangeOf(text, call, spot));
    },
  };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** The range of a part of the call at the offset `call`. */
function rangeOf(text: string, call: number, { path: steps, part, argument = 0 }: DeclarationSpot): Range {
  const name = /^[\w$.]*/.exec(text.slice(call))?.[0] ?? "";
  const whole = { start: call, end: call + name.length };
  let within: Member | undefined = argumentsAt(text, call)[argument];
  let found: Member | undefined;
  for (const step of steps) {
    within = within && memberIn(text, within.value, step);
    if (within === undefined) return found?.key ?? whole;
    found = within;
  }
  if (found === undefined) return whole;
  return part === "name" || isLong(text, found.value) ? found.key : found.value;
}

const isLong = (text: string, { start, end }: Range): boolean => text.slice(start, end).includes("\n");

/** The innermost frame of a script in a stack trace. Lines and columns count from 0. */
function frameIn(stack: string | undefined, script: string): { line: number; column: number } | undefined {
  const at = stack?.indexOf(`${script}:`) ?? -1;
  if (stack === undefined || at < 0) return undefined;
  const [, line, column] = /^(\d+):(\d+)/.exec(stack.slice(at + script.length + 1)) ?? [];
  return line === undefined ? undefined : { line: Number(line) - 1, column: Number(column) - 1 };
}

const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split("\n")
    .slice(0, line)
    .reduce((sum, { length }) => sum + length + 1, column);

function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The place of an option of a value that `defineApi`, `defineCollection` or `defineDocument` returned. */
export const spotOf = (
  { site }: Record<string, unknown>,
  path: readonly string[],
  part: DeclarationSpot["part"] = "value",
): DeclarationSpot => ({ site: typeof site === "string" ? site : undefined, path, part });

/** The places of an option of a collection: the `extend` that sets it, or the collection that is extended. */
export function spotsOf(
  declared: unknown,
  path: readonly string[],
  part?: DeclarationSpot["part"],
): readonly DeclarationSpot[] {
  if (!isObject(declared)) return [];
  const { extended } = declared;
  if (!isObject(extended)) return [spotOf(declared, path, part)];
  const [option, ...steps] = path;
  const own = option === "schema" ? ["fields", ...steps] : path;
  const held = own.slice(0, option === "schema" || option === "filters" ? 2 : 1);
  const isOwn = held.reduce<unknown>((value, step) => Object(value)[step], extended["more"]) !== undefined;
  const ownSpot = { ...spotOf(declared, isOwn ? own : [], part), argument: 1 };
  return isOwn ? [ownSpot] : [...spotsOf(extended["collection"], path, part), ownSpot];
}

/** Collects the faults of a declaration. */
export interface Report {
  readonly faults: readonly Diagnostic[];
  /** `at` are the possible places of the fault. The first known place counts. */
  add(code: DeclarationCode, at: readonly DeclarationSpot[], message: string, hint?: string): void;
}

export function openReport(places: Places): Report {
  const faults: Diagnostic[] = [];
  return {
    faults,
    add(code, at, message, hint) {
      const place = at.map(places.find).find((each) => each !== undefined) ?? places.whole;
      faults.push({ ...place, code, message, ...(hint === undefined ? {} : { hint }) });
    },
  };
}
