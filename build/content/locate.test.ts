import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import { type Fault, fault, wholeFile } from "./fault.ts";
import type { FormatName, Path, Span } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import { locate } from "./locate.ts";
import { type Source, sourceOf } from "./source.ts";

const many = Array.from({ length: 40 }, (_, index) => index);
const source = (file: string, format: FormatName, text: string): Source =>
  sourceOf(file, format, () => Buffer.from(text));
const sources: readonly Source[] = [
  source(
    "a.json",
    "json",
    JSON.stringify(
      many.map((n) => ({ a: n, b: [n, { c: n }] })),
      null,
      1,
    ),
  ),
  source("b.ndjson", "ndjson", many.map((n) => `{"a": ${n}, "b": [0, {"c": 1}]}`).join("\n")),
  source("c.csv", "csv", `a,b\n${many.map((n) => `${n},0\n`).join("")}`),
  source("d.yaml", "yaml", many.map((n) => `- a: ${n}\n  b: [0, {c: 1}]\n`).join("")),
  source("e.yaml", "yaml", `- &x {a: 1, b: [0, {c: 1}]}\n${many.map(() => "- *x\n").join("")}`),
];

const path = fc
  .tuple(fc.nat({ max: 39 }), fc.constantFrom([], ["a"], ["b"], ["b", 1, "c"]))
  .map(([n, rest]) => [n, ...rest]);
const faults = fc.array(
  fc.tuple(
    fc.constantFrom(...sources),
    fc.oneof(
      path.map((each) => ({ path: each })),
      fc.nat({ max: 300 }).map((start) => ({ start, end: start + 1 })),
    ),
    fc.constantFrom("too-deep", "duplicate-key", "no-file"),
  ),
  { maxLength: 60 },
);

type Place = { readonly path: Path } | Span;

const made = (all: readonly (readonly [Source, Place, "too-deep" | "duplicate-key" | "no-file"])[]): Fault[] =>
  all.map(([source, at, code]) => fault(code, { ...at, source }, JSON.stringify([source.text, at])));

const countsOf = (shown: readonly Diagnostic[], omitted: readonly Omitted[]) => {
  const counts = new Map<string, number>();
  for (const { file, code, count } of [...shown.map((each) => ({ ...each, count: 1 })), ...omitted]) {
    counts.set(`${file} ${code}`, (counts.get(`${file} ${code}`) ?? 0) + count);
  }
  return Object.fromEntries(counts);
};

const identityOf = ({ at, code }: Fault): string => JSON.stringify([at, code]);

describe("a report", () => {
  it("shows the faults of each file that were found first, in the order of places, and counts all the others", () => {
    fc.assert(
      fc.property(faults, fc.nat({ max: 30 }), (all, most) => {
        // The message distinguishes the faults at one place.
        const each = [...new Map(made(all).map((one) => [identityOf(one), one])).values()];
        const [everything] = locate(each, { most: Number.POSITIVE_INFINITY });
        const [shown, omitted] = locate(each, { most });
        expect(shown).toHaveLength(Math.min(most, each.length));
        expect(everything.filter((one) => shown.some((other) => isDeepStrictEqual(one, other)))).toEqual(shown);
        expect(omitted.every(({ count }) => count > 0)).toBe(true);
        expect(countsOf(shown, omitted)).toEqual(countsOf(everything, []));
      }),
      { numRuns: 300 },
    );
  });

  it("counts the faults of later files without opening them", () => {
    const opened = Object.values(formats).map((format) => vi.spyOn(format, "open"));
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const [first, , , last] = sources;
    if (first === undefined || last === undefined) throw new Error("There are four sources.");
    const word = vi.fn(() => ({ message: "Too deep." }));
    const own = (source: Source) => many.map((n) => fault("too-deep", { source, path: [n] }, word));
    const [shown, omitted] = locate([...own(last), ...own(first), fault("no-file", wholeFile("z"), "No file.")], {
      most: 10,
    });
    expect(shown.map(({ line }) => line)).toEqual(many.slice(0, 10).map((n) => n * 9 + 2));
    expect(omitted).toEqual([
      { file: "a.json", code: "too-deep", count: 30 },
      { file: "d.yaml", code: "too-deep", count: 40 },
      { file: "z", code: "no-file", count: 1 },
    ]);
    expect(word).toHaveBeenCalledTimes(10);
    expect(opened.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0, 0, 0]);
  });

  it("shows up to 200 faults of each file before more of any", () => {
    const text = Array.from({ length: 2_000 }, (_, n) => `{"n":${n}}`).join("\n");
    const own = ["a.ndjson", "b.ndjson"].flatMap((file) => {
      const lines = source(file, "ndjson", text);
      return Array.from({ length: 2_000 }, (_, n) => fault("too-deep", { source: lines, path: [n] }, "Too deep."));
    });
    const [shown, omitted] = locate([...own, fault("no-file", wholeFile("z"), "No file.")]);
    expect(shown.map(({ file }) => file)).toEqual([
      ...Array(799).fill("a.ndjson"),
      ...Array(200).fill("b.ndjson"),
      "z",
    ]);
    expect(shown.slice(0, 799).map(({ line }) => line)).toEqual(Array.from({ length: 799 }, (_, n) => n + 1));
    expect(omitted).toEqual([
      { file: "a.ndjson", code: "too-deep", count: 1_201 },
      { file: "b.ndjson", code: "too-deep", count: 1_800 },
    ]);
  });
});
