import { createColors } from "picocolors";
import { describe, expect, it, vi } from "vitest";
import type { Diagnostic, Omitted } from "../../diagnostics.ts";
import {
  annotation,
  countText,
  faultsAsData,
  faultText,
  firstOfEach,
  fold,
  type Group,
  reportFaults,
} from "./faults.ts";

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
      "2 faults in 3 files, and 5,998 more that were not examined",
    );
    expect(countText([fault], [{ file: fault.file, count: 7 }])).toBe(
      "1 fault in 1 file, and at least 7 more that were not examined",
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
const zone = (line: number, value: string): Diagnostic =>
  at(line, { message: `zone is ${value}.`, hint: `Fix ${value}.` });
const lineFor = (group: Group | undefined) =>
  group && faultText("content", group, { colors: plain, width: undefined, linesOf: () => [] });

describe("faults whose messages differ in quoted values and numbers only", () => {
  it("are the first of them and the other values, and those that follow from them alone", () => {
    const zones = [zone(1, '"a"'), zone(2, '"b \\" c"'), at(4), zone(3, '"a"')];
    const groups = fold(zones);
    expect(groups.map((group) => lineFor(group))).toEqual([
      'content/nodes/a.yaml:1:4 wrong-value zone is "a". Fix "a". 2 more like it: "b \\" c".',
      "content/nodes/a.yaml:4:4 wrong-value Wrong.",
    ]);
    expect(countText(zones, [], groups)).toBe("4 faults of 2 kinds in 1 file");
  });

  it("are not those with another hint, which may be the repair", () => {
    const [one, ...others] = [1, 2, 3, 4].map((line) => zone(line, '"a"'));
    expect(
      fold([{ ...at(1), message: 'zone is "b".', hint: "Write c." }, ...(one ? [one] : []), ...others]),
    ).toHaveLength(2);
  });

  it("are told one by one where they are two", () => {
    expect(fold([zone(1, '"a"'), zone(2, '"a"')])).toHaveLength(2);
  });

  it("say in how many files they are", () => {
    const [group] = fold([1, 2, 3].map((line) => at(line, { file: `${line}.yaml`, message: `It is ${line}.` })));
    expect(lineFor(group)).toBe("content/1.yaml:1:4 wrong-value It is 1. 2 more like it, in 3 files.");
  });

  it("list a few of many values", () => {
    const [group] = fold(Array.from({ length: 2_000 }, (_, index) => zone(index + 1, `"v${index}"`)));
    expect(lineFor(group)).toMatch(/ 1,999 more like it: "v1", .*, "v10" and 1,989 more\.$/);
  });
});

it("prints fifty in full, and counts the rest", () => {
  const printed: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const kinds = Array.from({ length: 60 }, (_, index) => at(index + 1, { message: `Wrong ${"x".repeat(index)}.` }));
  expect(reportFaults("content", [kinds, []], { format: "text" })).toBe(1);
  expect(printed).toHaveLength(51);
  expect(printed.at(-1)).toBe("✗ 60 faults in 1 file. 10 of them are not shown: use --all to see each fault.\n");
});

describe("annotations of GitHub", () => {
  it("escape what GitHub would read as something else", () => {
    const odd = at(2, { message: "50%\r\n::x", hint: "Fix." });
    expect(annotation(odd, "data/a,b:c.yaml")).toBe(
      "::error file=data/a%2Cb%3Ac.yaml,line=2,col=4,endColumn=6,title=wrong-value::50%25%0D%0A::x Fix.",
    );
    expect(annotation({ ...fault, endLine: 9 }, "a.yaml")).toBe(
      "::error file=a.yaml,line=3,endLine=9,col=4,title=wrong-value::Wrong.",
    );
  });

  it("are one of each kind first, and no more than GitHub shows", () => {
    const zones = Array.from({ length: 300 }, (_, index) => zone(index + 1, '"a"'));
    const shown = firstOfEach(fold([...zones, at(400, { message: "Other." })]));
    expect(shown.map(({ line }) => line)).toEqual([1, 400, 2, 3, 4, 5, 6, 7, 8, 9]);
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

  it.each([undefined, 80])("has a place that the terminal shows and does not obey, at width %s", (width) => {
    const named = { ...fault, file: "nodes/\u{1b}[2J\u{202e}.yaml" };
    const [place = ""] = faultText("content", [named], { colors: plain, width, linesOf: () => undefined }).split(" ");
    expect(place).toBe("content/nodes/\\u001b[2J\\u202e.yaml:3:4");
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
