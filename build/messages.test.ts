import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../src/declare/declare.ts";
import { slug } from "../src/declare/forms.ts";
import { reference } from "../src/declare/marks.ts";
import { dialectIn } from "../src/model/files.ts";
import { discovered } from "../test/content/folder.ts";
import { compileContent, lineOf } from "../test/plan.ts";
import { type Code, codes } from "./codes.ts";
import { sourceOf } from "./content/formats/source.ts";
import { completeApi } from "./declaration/complete.ts";
import { type Draft, type Log, openLog, type Source } from "./messages.ts";

const placeIn = (file: string, line = 1, column = 1) => ({ file, line, column, endLine: line, endColumn: column + 1 });

const tooDeep = (at: Draft["at"], text: Draft["text"] = "Too deep."): Draft => ({ code: "too-deep", at, text });

/** As many as `count`. */
const numbers = (count: number): readonly number[] => [...Array(count).keys()];

const shownIn = (log: Log): readonly string[] => log.messages().shown.map(lineOf);

describe("a log", () => {
  it("shows errors and warnings in the order of files, lines, columns and codes", () => {
    const log = openLog();
    const places = [placeIn("b/a.yaml", 1, 9), placeIn("b/a.yaml", 1, 2), placeIn("a.yaml", 10), placeIn("a.yaml", 9)];
    for (const at of places) log.report(tooDeep(at));
    log.report({ code: "sunset", at: placeIn("a.yaml", 9), text: "It is over.", hint: "Remove it." });
    log.report({ code: "syntax", at: placeIn("B.yaml"), text: "No list." });
    const { shown, omitted } = log.messages();
    expect(shown.map((message) => `${message.severity} ${lineOf(message)}`)).toEqual([
      "error B.yaml:1:1 syntax No list.",
      "warning a.yaml:9:1 sunset It is over. Remove it.",
      "error a.yaml:9:1 too-deep Too deep.",
      "error a.yaml:10:1 too-deep Too deep.",
      "error b/a.yaml:1:2 too-deep Too deep.",
      "error b/a.yaml:1:9 too-deep Too deep.",
    ]);
    expect(shown[0]?.place).toEqual({ file: "B.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 });
    expect(omitted).toEqual([]);
  });

  it("shows equal messages at one place once", () => {
    const log = openLog();
    for (const text of ["One.", "Two.", "One."]) log.report(tooDeep(placeIn("a.yaml"), text));
    log.report(tooDeep(placeIn("a.yaml", 2), "One."));
    expect(shownIn(log)).toEqual(["a.yaml:1:1 too-deep One.", "a.yaml:1:1 too-deep Two.", "a.yaml:2:1 too-deep One."]);
  });

  it("has errors if it has more than warnings", () => {
    const log = openLog();
    log.report({ code: "sunset", at: placeIn("a.yaml"), text: "It is over." });
    expect(log.hasErrors()).toBe(false);
    log.below("content").report(tooDeep(placeIn("a.yaml")));
    expect(log.hasErrors()).toBe(true);
  });

  it("has errors if a value is refused", () => {
    const log = openLog();
    log.countRefused("a.yaml");
    log.countRefused("a.yaml");
    expect(log.hasErrors()).toBe(true);
    expect(log.messages()).toEqual({ shown: [], omitted: [{ file: "a.yaml", code: undefined, count: 2 }] });
  });

  it("names the files of a folder below, also those that a text names", () => {
    const log = openLog();
    const source = sourceOf("nodes.yaml", dialectIn("yaml"), () => Buffer.from("- a\n- b\n"));
    const inner = log.below("content").below("../other");
    inner.report(
      tooDeep({ source, path: [1] }, (_, placeOf) => ({ text: `As at ${placeOf({ source, path: [0] })}.` })),
    );
    inner.report(tooDeep(placeIn("a.yaml")));
    inner.countRefused("a.yaml");
    expect(shownIn(log)).toEqual([
      "other/a.yaml:1:1 too-deep Too deep.",
      "other/nodes.yaml:2:3 too-deep As at other/nodes.yaml:1:3.",
    ]);
    expect(log.messages().omitted).toEqual([{ file: "other/a.yaml", code: undefined, count: 1 }]);
  });
});

describe("the words of a message", () => {
  const source = sourceOf("a.yaml", dialectIn("yaml"), () => Buffer.from("size: 3.10\nsame: &size 5\nother: *size\n"));
  const wordsAt = (at: Draft["at"]): string | undefined => {
    const log = openLog();
    log.report(tooDeep(at, (written) => ({ text: `It is ${written || "not written"}.`, hint: `Not ${written}.` })));
    return log.messages().shown.map(({ text, hint }) => `${text} ${hint}`)[0];
  };

  it("have the text at the place, as its author knows it", () => {
    expect(wordsAt({ source, path: ["size"] })).toBe("It is 3.10. Not 3.10.");
    expect(wordsAt({ source, path: ["size"], part: "key" })).toBe("It is size. Not size.");
    expect(wordsAt({ source, start: 6, end: 8 })).toBe("It is 3.. Not 3..");
  });

  it("have no text of a value that is not written there", () => {
    expect(wordsAt({ source, path: ["size"], made: true })).toBe("It is not written. Not .");
    expect(wordsAt(placeIn("a.yaml"))).toBe("It is not written. Not .");
  });

  it("name the item that its place does not show, on one line", () => {
    expect(wordsAt({ source, path: ["size"], name: 'release "nodejs/20"' })).toBe(
      'It is 3.10 (release "nodejs/20"). Not 3.10.',
    );
    expect(wordsAt({ source, path: ["size"], name: "release\n20" })).toBe("It is 3.10 (release\\u000a20). Not 3.10.");
  });
});

/** A source that counts how often it is opened. The path of a value is its line. */
function countingSource(file: string): Source & { readonly times: () => number } {
  let times = 0;
  return {
    file,
    times: () => times,
    open() {
      times++;
      return (at) => {
        const line = "path" in at ? Number(at.path[0]) + 1 : 1;
        return { line, column: 1, endLine: line, endColumn: 2, written: "" };
      };
    },
  };
}

describe("a log of many messages", () => {
  it("shows the first ones of each file, at least 200 before more of any, and counts all the others", () => {
    const files = ["a", "b", "c", "d", "e"] as const;
    const codesInTurn: readonly Code[] = ["too-deep", "duplicate-key", "sunset"];
    const file = fc.record({ count: fc.nat({ max: 1_500 }), step: fc.integer({ min: 1, max: 2_502 }) });
    const counted = (
      all: readonly { readonly file: string; readonly code?: Code | undefined; readonly count: number }[],
    ) => {
      const counts: Record<string, number> = {};
      for (const { file: name, code, count } of all) {
        counts[`${name} ${code}`] = (counts[`${name} ${code}`] ?? 0) + count;
      }
      return counts;
    };
    fc.assert(
      fc.property(fc.tuple(file, file, file, file, file), (all) => {
        // A prime number of lines, so that no line comes twice.
        const linesOf = files.map((_, index) => {
          const { count = 0, step = 1 } = all[index] ?? {};
          return numbers(count).map((number) => ((number * step) % 2_503) + 1);
        });
        const drafts = files.flatMap((name, index) =>
          (linesOf[index] ?? []).map((line): Draft => {
            return { code: codesInTurn[line % 3] ?? "too-deep", at: placeIn(name, line), text: "It is." };
          }),
        );
        const log = openLog();
        for (const draft of drafts) log.report(draft);
        const { shown, omitted } = log.messages();
        for (const [index, name] of files.entries()) {
          for (const severity of ["error", "warning"] as const) {
            const isOf = (line: number) => codes[codesInTurn[line % 3] ?? "too-deep"].severity === severity;
            const found = (linesOf[index] ?? []).filter(isOf);
            const ofFile = shown.filter((message) => message.place.file === name && message.severity === severity);
            const lines = ofFile.map(({ place }) => place.line);
            expect(lines).toEqual(found.slice(0, lines.length).sort((one, other) => one - other));
            if (severity === "error") expect(lines.length).toBeGreaterThanOrEqual(Math.min(200, found.length));
          }
        }
        const errors = drafts.filter(({ code }) => codes[code].severity === "error").length;
        expect(shown.filter(({ severity }) => severity === "error")).toHaveLength(Math.min(1_000, errors));
        expect(shown.map(({ place }) => place.file)).toEqual(shown.map(({ place }) => place.file).sort());
        expect(shown).toHaveLength(Math.min(1_000, drafts.length));
        expect(omitted.every(({ count }) => count > 0)).toBe(true);
        const single = shown.map(({ place, code }) => ({ file: place.file, code, count: 1 }));
        const reported = drafts.map(({ at, code }) => ({ file: "file" in at ? at.file : "", code, count: 1 }));
        expect(counted([...single, ...omitted])).toEqual(counted(reported));
      }),
      { numRuns: 20 },
    );
  });

  it("shows errors before any warning, however many warnings there are", () => {
    const log = openLog();
    for (const number of numbers(1_200))
      log.report({ code: "sunset", at: placeIn(`a/${number}`), text: "It is over." });
    for (const line of [1, 2]) log.report(tooDeep(placeIn("z", line)));
    const { shown, omitted } = log.messages();
    expect(shown.filter(({ severity }) => severity === "error").map(lineOf)).toEqual([
      "z:1:1 too-deep Too deep.",
      "z:2:1 too-deep Too deep.",
    ]);
    expect(shown).toHaveLength(1_000);
    expect(omitted).toHaveLength(202);
    expect(new Set(omitted.map(({ code }) => code))).toEqual(new Set(["sunset"]));
  });

  it("gives the room that other files leave to the first files", () => {
    const log = openLog();
    for (const file of ["a", "b"]) for (const number of numbers(2_000)) log.report(tooDeep(placeIn(file, number + 1)));
    log.report({ code: "no-file", at: placeIn("z"), text: "No file." });
    const { shown, omitted } = log.messages();
    expect(shown.map(({ place }) => place.file)).toEqual([...Array(799).fill("a"), ...Array(200).fill("b"), "z"]);
    expect(shown.slice(0, 799).map(({ place }) => place.line)).toEqual(numbers(799).map((number) => number + 1));
    expect(omitted).toEqual([
      { file: "a", code: "too-deep", count: 1_201 },
      { file: "b", code: "too-deep", count: 1_800 },
    ]);
  });

  it("is full of the messages of a file once it has a thousand of them", () => {
    const log = openLog();
    const inner = log.below("content");
    const fullAfter = numbers(1_001).find((number) => {
      if (inner.isFull("a")) return true;
      log.report(tooDeep(placeIn("content/a", number + 1)));
      return false;
    });
    expect(fullAfter).toBe(1_000);
    expect([log.isFull("content/a"), log.isFull("a"), inner.isFull("b")]).toEqual([true, false, false]);
  });

  it("opens each source once, and neither opens nor words what it only counts", () => {
    const log = openLog();
    const sources = ["a", "b", "c", "d", "e", "f"].map(countingSource);
    const [first] = sources;
    if (first === undefined) throw new Error("There are no sources.");
    let worded = 0;
    for (const source of sources) {
      for (const number of numbers(300)) {
        const text: Draft["text"] = (_, placeOf) => {
          worded++;
          return { text: `As at ${placeOf({ source: first, path: [0] })}.` };
        };
        log.report(tooDeep({ source, path: [number] }, text));
      }
    }
    const { omitted } = log.messages();
    expect(sources.map(({ times }) => times())).toEqual([1, 1, 1, 1, 1, 0]);
    expect(worded).toBe(1_000);
    expect(omitted.map(({ file, count }) => `${file} ${count}`)).toEqual([
      "a 100",
      "b 100",
      "c 100",
      "d 100",
      "e 100",
      "f 300",
    ]);
  });
});

describe("a log for several APIs", () => {
  /** Lines with a fault, by API. */
  const messagesOf = (...ofApis: readonly (readonly number[])[]) => {
    const log = openLog();
    for (const lines of ofApis) {
      const ofApi = log.forApi();
      for (const line of lines) {
        if (ofApi.isFull("a")) ofApi.countRefused("a");
        else ofApi.report(tooDeep(placeIn("a", line + 1)));
      }
    }
    const { shown, omitted } = log.messages();
    return { shown: shown.length, omitted };
  };
  const from = (start: number, count: number) => numbers(count).map((number) => number + start);

  it.each([
    ["equal ones", [numbers(600), numbers(600)], 600, []],
    ["more equal ones than are kept", [numbers(3_000), numbers(3_000)], 1_000, [{ count: 2_000 }]],
    ["different ones", [numbers(300), from(300, 300)], 600, []],
    ["more different ones than are shown", [numbers(900), from(900, 900)], 1_000, [{ code: "too-deep", count: 800 }]],
    [
      "more of one than of the other",
      [from(500, 2_500), numbers(3_000)],
      1_000,
      [{ count: 1_500 }, { code: "too-deep", count: 500 }],
    ],
  ])("counts %s once", (_, ofApis, shown, others) => {
    const omitted = others.map((other) => ({ file: "a", code: undefined, ...other }));
    expect(messagesOf(...ofApis)).toEqual({ shown, omitted });
  });
});

describe("content with thousands of errors", () => {
  const things = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({
      id: slug,
      size: z.int(),
      like: reference("things").nullable(),
      twin: reference("twins", { by: "number" }).optional(),
    }),
    key: "id",
    files: "*.ndjson",
  });
  const twins = defineCollection({
    purpose: "Twins.",
    schema: z.strictObject({ id: slug, number: z.int() }),
    key: "id",
  });
  const api = completeApi(defineApi({ collections: { things, twins } }));

  const linesOf = (item: (number: number) => object): string =>
    numbers(1_200)
      .map((number) => JSON.stringify({ id: `a${number}`, size: 1, like: null, ...item(number) }))
      .join("\n");

  const messagesOf = (tree: Readonly<Record<string, string>>) => {
    const log = openLog();
    compileContent(discovered(tree), api, log);
    return log.messages();
  };

  it.each([
    ["refused values", (number: number) => ({ size: `${number}` }), "wrong-type", { count: 200 }],
    ["refused values with two errors each", () => ({ more: 1, extra: 2 }), "unknown-field", { count: 700 }],
    [
      "values that are right, between refused ones",
      (number: number) => ({ size: number % 8 === 0 ? number : "x" }),
      "wrong-type",
      { count: 50 },
    ],
    ["repeated keys", () => ({ id: "a" }), "not-unique", { code: "not-unique", count: 199 }],
    ["unknown references", () => ({ like: "none" }), "no-such-item", { code: "no-such-item", count: 200 }],
    ["unknown references by another field", () => ({ twin: 5 }), "no-such-item", { code: "no-such-item", count: 200 }],
  ])("shows the first thousand of a file with %s, and counts the others", (_, item, code, others) => {
    const { shown, omitted } = messagesOf({ "b.ndjson": linesOf(item) });
    expect(omitted).toEqual([{ file: "b.ndjson", ...others }]);
    expect(shown.map((message) => message.code)).toEqual(Array(1_000).fill(code));
  });

  it("hides none of another file, nor a reference to its items", () => {
    const tree = {
      "a.ndjson": linesOf(() => ({ size: "x" })),
      "b.ndjson": JSON.stringify({ id: "b", size: 1, like: "a1199" }),
      "c.ndjson": JSON.stringify({ id: "c", size: "x", like: "a1200" }),
    };
    const others = messagesOf(tree).shown.filter(({ place }) => place.file !== "a.ndjson");
    expect(others.map(({ place, code }) => `${place.file} ${code}`)).toEqual([
      "c.ndjson wrong-type",
      "c.ndjson no-such-item",
    ]);
  });
});
