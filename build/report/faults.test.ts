import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import { countText, faultsAsData, faultText, omittedText } from "./faults.ts";

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
      "6,000 faults in 3 files, of which the first 2 are shown",
    );
  });

  it("counts what is not shown by file and code, in no more lines than a terminal has", () => {
    const [first] = more(1);
    expect(omittedText("content", [...more(1), { ...fault, ...first, code: "too-deep", count: 1 }], plain)).toEqual([
      "content/nodes/0.yaml not shown: 2,000 syntax, 1 too-deep",
    ]);
    expect(omittedText("content", more(1_200), plain)).toHaveLength(21);
    expect(omittedText("content", more(1_200), plain).at(-1)).toBe("and in 1,180 other files");
  });

  it("gives programs the same", () => {
    expect(faultsAsData("content", [fault], more(1))).toEqual({
      faults: [{ ...fault, file: "content/nodes/a.yaml" }],
      total: 2_001,
      omitted: [{ file: "content/nodes/0.yaml", code: "syntax", count: 2_000 }],
    });
    expect(faultsAsData("content", [], more(1_200))).toMatchObject({ total: 2_400_000 });
    expect(faultsAsData("content", [], more(1_200)).omitted).toHaveLength(1_000);
  });
});

describe("a fault in its place", () => {
  const shown = (lines: readonly string[]) => faultText("content", fault, plain, () => lines);

  it("is shown with the lines around it", () => {
    expect(shown(["a", "b\u2028", "c  dd", "e", "f"]).split("\n").slice(1)).toEqual([
      "  2 | b\ufffd",
      "> 3 | c  dd",
      "    |    ^^",
      "  4 | e",
      "",
    ]);
  });

  it("is shown by its place alone where a line is too long", () => {
    expect(shown(["a", "b", "c".repeat(2_000)])).toBe("content/nodes/a.yaml:3:4 wrong-value Wrong.");
  });
});
