// JSON (RFC 8259) and NDJSON, one JSON text per line. JSON.parse is fast, but reports no places and keeps the last of
// equal keys. So the names in the text are counted: if the values have fewer, a key is repeated. In that case, and if
// JSON.parse fails, a slower parser with places opens the text.
import { unread } from "../source.ts";
import { parseExact } from "./exact.ts";
import {
  type ContentFormat,
  isBlank,
  maxDepth,
  rootValues,
  type TextProblem,
  type TextReading,
  unreadable,
} from "./format.ts";
import { partsIn, placesIn, repeatedKeys, syntaxProblems, treeOf } from "./json-tree.ts";

export const json: ContentFormat = {
  label: "JSON",
  read(text) {
    const parsed = parseText(text);
    if (!parsed.ok) return readParts(text, parsed.problems);
    return { ...rootValues(parsed.value), problems: parsed.repeats ? repeatedKeys(text, 0) : [], whole: true };
  },
  open(text) {
    return placesIn(treeOf(text), 0);
  },
};

export const ndjson: ContentFormat = {
  label: "NDJSON",
  read(text, lines) {
    const values: TextReading["values"][number][] = [];
    const problems: TextProblem[] = [];
    let whole = true;
    let unfinished = false;
    for (const { index, line, start } of linesIn(text)) {
      // The file has other, readable lines between this one and the one before it.
      if (lines !== undefined && lines[index - 1] !== (lines[index] ?? 0) - 1) unfinished = false;
      // A value over several lines, as in an indented JSON file, is one mistake and not one for each line.
      if (unfinished && !/^[[{]/.test(line)) continue;
      const parsed = parseText(line, start);
      unfinished = !parsed.ok && parsed.unfinished;
      if (parsed.ok) {
        values.push({ path: [index], value: parsed.value });
        if (parsed.repeats) for (const repeat of repeatedKeys(line, start)) problems.push(repeat);
      } else {
        const [first] = parsed.problems;
        problems.push(unfinished ? { ...first, ...goesOn } : first);
        whole = false;
      }
    }
    return { values, shape: "lines", problems, whole };
  },
  open(text) {
    const lines = new Map([...linesIn(text)].map((each) => [each.index, each]));
    const opened = new Map<unknown, ReturnType<typeof placesIn>>();
    return ([index, ...path], part) => {
      const { line, start } = lines.get(Number(index)) ?? { line: "", start: 0 };
      const find = opened.get(index) ?? placesIn(treeOf(line), start);
      opened.set(index, find);
      return find(path, part);
    };
  },
};

const goesOn = {
  detail: "each value ends on the line it starts on",
  hint: "End it on its line, or name a file of values over several lines .json.",
};

/** The lines that are not blank. */
function* linesIn(text: string): Generator<{ index: number; line: string; start: number }> {
  let start = 0;
  for (let index = 0; start < text.length; index++) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (!isBlank(line)) yield { index, line, start };
    start += line.length + 1;
  }
}

type ParsedText =
  | { readonly ok: true; readonly value: unknown; readonly repeats: boolean }
  /** `unfinished`: the text ends inside its value. */
  | { readonly ok: false; readonly problems: Problems; readonly unfinished: boolean };

type Problems = readonly [TextProblem, ...TextProblem[]];

/** The elements of a list that are readable by themselves, or the members of an object up to the first problem. */
function readParts(text: string, problems: Problems): TextReading {
  const parts = problems.some(({ code }) => code === "too-deep") ? [] : partsIn(text);
  const read = parts.flatMap(({ step, start, end }) => {
    const part = text.slice(start, end);
    const parsed = parseText(part, start);
    return parsed.ok
      ? [{ step, end, value: parsed.value, repeats: parsed.repeats ? repeatedKeys(part, start) : [] }]
      : [];
  });
  const nothing = { ...unreadable(), problems: [...problems, ...read.flatMap(({ repeats }) => repeats)] };
  if (typeof parts[0]?.step === "string") {
    const before = read.filter(({ end }) => end <= problems[0].span.start);
    const known = Object.fromEntries(before.map(({ step, value }) => [step, value]));
    return { ...nothing, values: [{ path: [], value: { ...known, [unread]: true } }] };
  }
  const elements = read.filter(({ value }) => typeof value === "object");
  if (elements.length === 0) return nothing;
  return { ...nothing, shape: "list", values: elements.map(({ step, value }) => ({ path: [step], value })) };
}

/** `start` is the offset of the text in its file. */
function parseText(text: string, start = 0): ParsedText {
  const { names, tooDeepAt } = measure(text);
  if (tooDeepAt !== undefined) {
    const span = { start: start + tooDeepAt, end: start + tooDeepAt + 1 };
    return { ok: false, problems: [{ code: "too-deep", span }], unfinished: false };
  }
  try {
    const value: unknown = parseExact(text);
    return { ok: true, value, repeats: namesIn(value) < names };
  } catch {
    // The parser with places describes mistakes better.
    const problems = syntaxProblems(text, start);
    return { ok: false, problems, unfinished: problems[0].span.start >= start + endOf(text) };
  }
}

/** The offset at which the whitespace at the end of a text starts. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end--;
  return end;
}

/**
 * Counts the names in a JSON text (its colons outside of strings) and finds the offset at which it nests too deeply.
 */
function measure(text: string): { names: number; tooDeepAt: number | undefined } {
  let names = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at);
        break;
      case 0x3a: // :
        names++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return { names, tooDeepAt: at };
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return { names, tooDeepAt: undefined };
}

/** The index of the quote that closes the string opened at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function namesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let names = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const child of Object.values(value)) names += namesIn(child);
  return names;
}
