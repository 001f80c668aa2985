import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import type { Diagnostic, Omitted } from "../../diagnostics.ts";
import { annotations } from "./annotations.ts";
import { countText, faultsAsData, faultText, fold, type Group } from "./faults.ts";

const plain = createColors(false);
const fault: Diagnostic = {
  file: "nodes/a.yaml",
  line: 3,
  column: 4,
  endLine: 3,
  endColumn: 6,
  code: "wrong-value",
  message: "Wrong.",
};
const more = (count: number): readonly Omitted[] =>
  Array.from({ length: count }, (_, index) => ({ file: `nodes/${index}.yaml`, code: "syntax", count: 2_000 }));

describe("a report of more faults than are shown", () => {
  it("says how many there are, in how many files", () => {
    expect(countText([fault], [])).toBe("1 fault in 1 file");
    expect(countText([fault, fault], [{ file: fault.file, code: "syntax", count: 1_998 }, ...more(2)])).toBe(
      "6,000 faults in 3 files, of which the first 2 were examined",
    );
  });

  it("gives programs the same", () => {
    expect(faultsAsData("content", [fault], more(1))).toEqual({
      faults: [{ ...fault, file: "content/nodes/a.yaml" }],
      total: 2_001,
      omitted: [{ file: "content/nodes/0.yaml", code: "syntax", count: 2_000 }],
    });
  });
});

const at = (line: number, more: Partial<Diagnostic> = {}): Diagnostic => ({ ...fault, line, endLine: line, ...more });
const zone = (line: number, value: string, aside?: string): Diagnostic =>
  at(line, {
    ...(aside === undefined ? { hint: "Add it." } : { hint: `${aside}.` }),
    cause: { several: "words are not in the vocabulary zone", value, aside, hint: "Add them to api.yaml." },
  });
const lineFor = (group: Group) => faultText("content", group, { colors: plain, width: undefined, linesOf: () => [] });

describe("faults of one cause", () => {
  it("are one sentence with their values, and those that follow from them alone", () => {
    const zones = [zone(1, '"a"'), zone(2, '"b"', 'did you mean "c"?'), at(4), zone(3, '"a"')];
    const groups = fold(zones);
    expect(groups.map((group) => lineFor(group))).toEqual([
      'content/nodes/a.yaml:1:4 wrong-value 3 words are not in the vocabulary zone: "a" (2 times), "b" (did you mean "c"?). Add them to api.yaml.',
      "content/nodes/a.yaml:4:4 wrong-value Wrong.",
    ]);
    expect(countText(zones, [], groups)).toBe("4 faults of 2 causes in 1 file");
  });

  it("are told one by one where they are two", () => {
    expect(fold([zone(1, '"a"'), zone(2, '"a"')])).toHaveLength(2);
  });

  it("have the hint of one where all are about one value", () => {
    const [group] = fold([1, 2, 3].map((line) => zone(line, '"b"', 'Did you mean "c"?')));
    expect(group && lineFor(group)).toMatch(/zone: "b"\. Did you mean "c"\?\.$/);
  });

  it("say in how many files they are", () => {
    const [group] = fold([1, 2, 3].map((line) => at(line, { file: `${line}.yaml` })));
    expect(group && lineFor(group)).toBe("content/1.yaml:1:4 wrong-value Wrong. (3 times, in 3 files)");
  });

  it("list a few of many values", () => {
    const [group] = fold(Array.from({ length: 2_000 }, (_, index) => zone(index + 1, `"v${index}"`)));
    expect(group && lineFor(group)).toMatch(
      /^\S+ wrong-value 2,000 words .*: "v0", .*, "v7" and 1,992 more\. Add them/,
    );
  });
});

describe("annotations of GitHub", () => {
  const pathOf = (file: string) => `data/${file}`;

  it("escape what GitHub would read as something else", () => {
    const odd = at(2, { file: "a,b:c.yaml", message: "50%\r\n::x", hint: "Fix." });
    expect(annotations([[odd]], pathOf)).toEqual([
      "::error file=data/a%2Cb%3Ac.yaml,line=2,col=4,endColumn=6,title=wrong-value::50%25%0D%0A::x Fix.",
    ]);
    expect(annotations([[{ ...fault, endLine: 9 }]], pathOf)).toEqual([
      "::error file=data/nodes/a.yaml,line=3,endLine=9,col=4,title=wrong-value::Wrong.",
    ]);
  });

  it("are one of each cause first, and no more than GitHub shows", () => {
    const zones = Array.from({ length: 300 }, (_, index) => zone(index + 1, '"a"'));
    const lines = annotations(fold([...zones, at(400, { message: "Other." })]), pathOf);
    expect(lines).toHaveLength(10);
    expect(lines[1]).toContain("line=400,");
    expect(lines.map((line) => /line=(\d+)/.exec(line)?.[1])).toEqual([
      "1",
      "400",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
    ]);
  });
});

describe("a fault on a terminal", () => {
  const shown = (lines: readonly string[], width = 80, own = fault) =>
    faultText("content", [own], { colors: plain, width, linesOf: () => lines }).split("\n");

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

  it("breaks its sentence at words, and shows of long lines what is around the place", () => {
    const long = { ...fault, column: 504, endColumn: 506, message: "word ".repeat(30).trim() };
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
