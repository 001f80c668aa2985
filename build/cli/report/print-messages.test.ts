import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createColors } from "picocolors";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Message, noFile, type Omitted } from "../../messages.ts";
import {
  annotated,
  annotation,
  countText,
  envelopeOf,
  errorsText,
  fold,
  type Group,
  messageText,
  printMessages,
  reportErrors,
} from "./print-messages.ts";

const plain = createColors(false);
const place = { file: "content/nodes/a.yaml", line: 3, column: 4, endLine: 3, endColumn: 6 };
const error: Message = { severity: "error", code: "wrong-value", place, text: "Wrong." };
const warning: Message = { severity: "warning", code: "sunset", place, text: "It has passed." };
const more = (count: number): readonly Omitted[] =>
  Array.from({ length: count }, (_, index) => ({ file: `content/nodes/${index}.yaml`, code: "syntax", count: 2_000 }));

it.each([
  ["windows-1252", Buffer.from("id: a\ncity: Orl\xe9ans\n", "latin1")],
  [undefined, Buffer.from("\ufeffid: a\ncity: Orléans\n", "utf16le")],
  [undefined, Buffer.from("\ufeffid: a\ncity: Orléans\n")],
])("shows the lines of a file in its encoding: %s", (encoding, bytes) => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-messages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "a.yaml");
  writeFileSync(file, bytes);
  const message = {
    ...error,
    place: { file, line: 2, column: 7, endLine: 2, endColumn: 14 },
    ...(encoding && { encoding }),
  };
  const text = errorsText({ shown: [message], omitted: [] });
  expect(stripVTControlCharacters(text)).toContain("> 2 | city: Orléans\n    |       ^^^^^^^");
});

describe("a report of more errors than are shown", () => {
  it("says how many there are, in how many files", () => {
    expect(countText({ shown: [error], omitted: [] })).toBe("1 fault in 1 file");
    const omitted: readonly Omitted[] = [{ file: place.file, code: "syntax", count: 1_998 }, ...more(2)];
    expect(countText({ shown: [error, error], omitted })).toBe(
      "2 faults, and 5,998 more that are not shown, in 3 files",
    );
    expect(countText({ shown: [error], omitted: [{ file: place.file, count: 7 }] })).toBe(
      "1 fault, and at least 7 more that are not shown, in 1 file",
    );
  });

  it("counts no warnings as errors", () => {
    const omitted: readonly Omitted[] = [{ file: "api.config.ts", code: "sunset", count: 8 }];
    const elsewhere = { ...warning, place: { ...place, file: "api.config.ts" } };
    expect(countText({ shown: [elsewhere, error], omitted })).toBe("1 fault in 1 file");
  });

  it("gives programs the same", () => {
    expect(envelopeOf({ shown: [{ ...error, hint: "Fix." }, warning], omitted: more(1) })).toEqual({
      messages: [
        { severity: "error", code: "wrong-value", text: "Wrong.", hint: "Fix.", ...place },
        { severity: "warning", code: "sunset", text: "It has passed.", ...place },
      ],
      omitted: [{ file: "content/nodes/0.yaml", code: "syntax", count: 2_000 }],
    });
  });
});

const at = (line: number, more: Partial<Message> = {}): Message => ({
  ...error,
  place: { ...place, line, endLine: line },
  ...more,
});
const zone = (line: number, value: string): Message => at(line, { text: `zone is ${value}.`, hint: `Fix ${value}.` });
const lineFor = (group: Group | undefined) =>
  group && messageText(group, { colors: plain, width: undefined, linesOf: () => [] });

describe("messages whose texts differ in quoted values and numbers only", () => {
  it("are the first of them and the other values, and those that follow from them alone", () => {
    const zones = [zone(1, '"a"'), zone(2, '"b \\" c"'), at(4), zone(3, '"a"')];
    const groups = fold(zones);
    expect(groups.map((group) => lineFor(group))).toEqual([
      'content/nodes/a.yaml:1:4 wrong-value zone is "a". Fix "a". 2 more like it: "b \\" c".',
      "content/nodes/a.yaml:4:4 wrong-value Wrong.",
    ]);
    expect(countText({ shown: zones, omitted: [] })).toBe("4 faults of 2 kinds in 1 file");
    expect(countText({ shown: zones, omitted: [] }, true)).toBe("4 faults in 1 file");
  });

  it("are not those with another hint, which may be the repair", () => {
    const [one, ...others] = [1, 2, 3, 4].map((line) => zone(line, '"a"'));
    expect(fold([at(1, { text: 'zone is "b".', hint: "Write c." }), ...(one ? [one] : []), ...others])).toHaveLength(2);
  });

  it("are reported one by one if they are two", () => {
    expect(fold([zone(1, '"a"'), zone(2, '"a"')])).toHaveLength(2);
  });

  it("say in how many files they are", () => {
    const inFile = (line: number) =>
      at(line, { place: { ...place, line, file: `${line}.yaml` }, text: `It is ${line}.` });
    const [group] = fold([1, 2, 3].map(inFile));
    expect(lineFor(group)).toBe("1.yaml:1:4 wrong-value It is 1. 2 more like it, in 3 files.");
  });

  it("list a few of many values", () => {
    const [group] = fold(Array.from({ length: 2_000 }, (_, index) => zone(index + 1, `"v${index}"`)));
    expect(lineFor(group)).toMatch(/ 1,999 more like it: "v1", .*, "v10" and 1,989 more\.$/);
  });
});

/** What a function prints on standard error, a text a write. */
function printedBy(print: () => void): readonly string[] {
  const printed: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  print();
  write.mockRestore();
  return printed;
}

const kinds = (count: number, more: Partial<Message> = {}): readonly Message[] =>
  Array.from({ length: count }, (_, index) => at(index + 1, { text: `Wrong ${"x".repeat(index)}.`, ...more }));

it("prints fifty in full, and counts the rest", () => {
  const printed = printedBy(() => expect(reportErrors({ shown: kinds(60), omitted: [] }, { format: "text" })).toBe(1));
  expect(printed).toHaveLength(51);
  expect(printed.at(-1)).toBe("✗ 60 faults in 1 file. 10 of them are not shown: use --all to see each fault.\n");
});

it("counts the warnings that it does not show", () => {
  const shown = kinds(51).map(({ text }) => ({ ...warning, text }));
  expect(printedBy(() => printMessages({ shown, omitted: [] })).at(-1)).toBe(
    "! Not shown: 1 more warning. Use --all to see each warning.\n",
  );
  expect(printedBy(() => printMessages({ shown, omitted: [] }, { all: true }))).toHaveLength(51);
});

it("prints errors before warnings, which hide none of them", () => {
  const warnings = kinds(60).map(({ text }) => ({ ...warning, text }));
  const printed = printedBy(() => printMessages({ shown: [...warnings, ...kinds(2)], omitted: [] }));
  expect(printed).toHaveLength(52);
  expect(printed.map((line) => / (?:sunset|wrong-value) /.exec(line)?.[0].trim())).toEqual([
    ...Array(2).fill("wrong-value"),
    ...Array(48).fill("sunset"),
    undefined,
    undefined,
  ]);
  expect(printed.slice(-2)).toEqual([
    "✗ 2 faults in 1 file.\n",
    "! Not shown: 12 more warnings. Use --all to see each warning.\n",
  ]);
});

it("marks a warning as one", () => {
  expect(lineFor([warning])).toBe("content/nodes/a.yaml:3:4 sunset (warning) It has passed.");
});

it("has no place in a message that is about no file", () => {
  const lost: Message = { ...warning, code: "previous-unread", place: noFile };
  expect(lineFor([lost])).toBe("previous-unread (warning) It has passed.");
  const { severity, code, text } = lost;
  expect(envelopeOf({ shown: [lost], omitted: [] }).messages).toEqual([{ severity, code, text }]);
  expect(annotation(lost)).toBe("::warning title=previous-unread::It has passed.");
  expect(countText({ shown: [{ ...lost, severity: "error" }], omitted: [] })).toBe("1 fault");
});

describe("annotations of GitHub", () => {
  it("escape what GitHub would read as something else", () => {
    const odd = at(2, { text: "50%\r\n::x", hint: "Fix." });
    expect(annotation(odd, "data/a,b:c.yaml")).toBe(
      "::error file=data/a%2Cb%3Ac.yaml,line=2,col=4,endColumn=6,title=wrong-value::50%25%0D%0A::x Fix.",
    );
    expect(annotation({ ...error, place: { ...place, endLine: 9 } }, "a.yaml")).toBe(
      "::error file=a.yaml,line=3,endLine=9,col=4,title=wrong-value::Wrong.",
    );
  });

  it("are one of each kind first, and no more than GitHub shows", () => {
    const zones = Array.from({ length: 300 }, (_, index) => zone(index + 1, '"a"'));
    const shown = annotated(fold([...zones, at(400, { text: "Other." })]));
    expect(shown.map(({ place: { line } }) => line)).toEqual([1, 400, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("are as many of errors however many warnings there are, and the other way round", () => {
    const warnings = kinds(12).map(({ text }) => ({ ...warning, text }));
    const shown = annotated(fold([...warnings, ...kinds(12)]));
    expect(shown.map(({ severity }) => severity)).toEqual([...Array(10).fill("error"), ...Array(10).fill("warning")]);
    expect(annotation(warning, "a.yaml")).toMatch(/^::warning file=a\.yaml,line=3,/);
  });
});

describe("a message on a terminal", () => {
  const shown = (lines: readonly string[], width = 80, message = error) =>
    messageText([message], { colors: plain, width, linesOf: () => lines }).split("\n");

  it("has its place and code, its sentence, and the lines around it", () => {
    expect(shown(["a", "b\u2028", "c  dd", "e", "f"])).toEqual([
      "content/nodes/a.yaml:3:4 wrong-value",
      "  Wrong.",
      "",
      "  2 | b\ufffd",
      "> 3 | c  dd",
      "    |    ^^",
      "  4 | e",
      "",
    ]);
  });

  it.each([undefined, 80])("has a place that the terminal shows and does not obey, at width %s", (width) => {
    const named = { ...error, place: { ...place, file: "content/nodes/\u{1b}[2J\u{202e}.yaml" } };
    const [where] = messageText([named], { colors: plain, width, linesOf: () => undefined }).split(" ");
    expect(where).toBe("content/nodes/\\u001b[2J\\u202e.yaml:3:4");
  });

  it("breaks its sentence at words, and shows the part of a long line around the place", () => {
    const long = at(3, { place: { ...place, column: 504, endColumn: 506 }, text: "word ".repeat(30).trim() });
    for (const width of [40, 80, 120]) {
      const lines = shown(["a", "b", `${"c".repeat(503)}dd${"e".repeat(500)}`], width, long);
      for (const line of lines) expect(line.length).toBeLessThan(width);
      const marked = lines.find((line) => line.startsWith(">")) ?? "";
      const mark = lines.find((line) => line.includes("^")) ?? "";
      expect(marked.slice(mark.indexOf("^"), mark.lastIndexOf("^") + 1)).toBe("dd");
      expect(lines.filter((line) => /^ {2}(?:word ?)+$/.test(line)).length).toBeGreaterThan(1);
    }
  });
});
