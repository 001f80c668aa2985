import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discovered, faultsOf, rightTree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { compileContent } from "./content.ts";
import { laneOf } from "./lanes.ts";
import { joinedLines, rangesOf, sortLines } from "./plain-lines.ts";

const image = (id: number) =>
  `{"id":"med_${id}","created_at":"2026-01-01T00:00:00Z","content_type":"image/png","bytes":1,"width":1,"height":1,"status":"ready"}`;
/** Valid, but not in the form that stillapi writes. */
const spaced = (id: number) => image(id).replaceAll('":', '": ');

const mark = "\ufeff";

const placesOf = (text: string) =>
  faultsOf({ "images.ndjson": text }).map((line) =>
    line
      .split(" ")
      .slice(0, 2)
      .join(" ")
      .replace(/^.*ndjson:/, ""),
  );

describe("a byte order mark in NDJSON", () => {
  const lines = [image, spaced];

  it.each(lines)("is accepted at the start of the file", (line) => {
    expect(placesOf(`${mark}${line(1)}\n${line(2)}\n`)).toEqual([]);
    expect(placesOf(`${mark}${mark}${line(1)}\n${line(2)}\n`)).toEqual(["1:1 syntax"]);
  });

  it.each(lines.flatMap((first) => lines.map((second) => [first, second] as const)))(
    "is a fault before any other line, however the lines are spaced",
    (first, second) => {
      expect(placesOf(`${first(1)}\n${mark}${second(2)}\n`)).toEqual(["2:1 syntax"]);
      expect(placesOf(`${mark}${first(1)}\n${first(2)}\r\n${mark}${second(3)}`)).toEqual(["3:1 syntax"]);
      expect(placesOf(`${first(1)}\n${mark}\n${second(2)}\n`)).toEqual(["2:1 syntax"]);
    },
  );
});

describe("lines of which some are plain", () => {
  it("have their places in the file", () => {
    const text = [
      image(1),
      image(2).replace("png", "PNG"),
      `\r${image(3)}\r${spaced(4).replace("ready", "")}`,
      image(5),
      "",
      image(2),
      `${image(6)}\r`,
      image(8).replace("id", 'x"y'),
      "{",
      image(7),
      "nonsense",
    ].join("\n");
    expect(placesOf(text)).toEqual([
      "2:66 wrong-value",
      "5:125 wrong-value",
      "8:7 not-unique",
      "10:5 syntax",
      "11:2 syntax",
      "13:1 syntax",
    ]);
  });

  it("have the same faults whether or not they are read as rows", () => {
    const line = fc.oneof(
      fc.nat({ max: 12 }).map(image),
      fc.nat({ max: 12 }).map(spaced),
      fc.nat({ max: 12 }).map((id) => image(id).replace("med_", "MED_")),
      fc.constantFrom(
        "",
        " ",
        "{",
        "}",
        '"',
        "[",
        "null",
        "\ufeff",
        '{"id":"med_1"}',
        image(1).replace('s":1', 's":0'),
      ),
    );
    const end = fc.constantFrom("\n", "\n", "\r\n", "\r", "\n\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), (pairs) => {
        const text = pairs.flat().join("");
        // An unknown first member makes a line not plain.
        const isPlain = (each: string) => /^\{"id":"med_\d+","created_at/.test(each);
        const read = ([each]: readonly [string, string]) => (isPlain(each) ? each.replace("{", "{ ") : each);
        const parsed = pairs.map((pair) => read(pair) + pair[1]).join("");
        const codes = (all: readonly string[]) => all.map((each) => each.replace(/:\d+ /, " ").replace(/:\d+\. /, ""));
        expect(codes(faultsOf({ "images.ndjson": text }))).toEqual(codes(faultsOf({ "images.ndjson": parsed })));
      }),
      { numRuns: 300 },
    );
  });

  it("are divided into texts of a moderate length", () => {
    const operation = edgeNetwork.lists.find(({ name }) => name === "images");
    if (operation === undefined) throw new Error("There are no images.");
    const text = [spaced(1), image(2), spaced(3), `${spaced(4)}\r${spaced(5)}`, image(6), spaced(7)].join("\n");
    const length = 2 * spaced(1).length + 2;
    const ranges = rangesOf(Buffer.from(text), 1).map((range) => sortLines(range, laneOf(operation, edgeNetwork, {})));
    expect(ranges.flatMap(({ rows }) => rows.map(({ starts }) => starts.length))).toEqual([1, 1]);
    const others = joinedLines(ranges, length);
    expect(others.map(({ lines }) => lines)).toEqual([[0, 2], [3, 4], [6]]);
    expect(others.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      `${spaced(1)}\n${spaced(3)}\n`,
      `${spaced(4)}\r${spaced(5)}\n`,
      spaced(7),
    ]);
  });
});

describe("blank lines", () => {
  it("are not kept, however many there are, and count for the places behind them", () => {
    const [operation] = edgeNetwork.lists;
    if (operation === undefined) throw new Error("There are no lists.");
    const blank = `${"\n".repeat(100_000)} \t\r\n\r`;
    // The last carriage return starts another line.
    const none = { rows: [], others: [], count: 100_003 };
    expect(sortLines(Buffer.from(blank), laneOf(operation, edgeNetwork, {}))).toEqual(none);
    expect(placesOf(`${blank}${image(1)}\n${blank}nonsense`)).toEqual(["200006:1 syntax"]);
  });

  it("do not end a value over several lines, which is one fault", () => {
    expect(placesOf(`${image(1)}\n{\n\n"id": "med_2"\n}\n`)).toEqual(["2:2 syntax"]);
  });
});

it("reports a path that contradicts itself at the first line, plain or not", () => {
  const record = (id: number) =>
    `{"id":"rec_${id}","collection":"os","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","revision":1}`;
  const [{ items }, faults] = compileContent(
    discovered({ ...rightTree, "records/os/web.ndjson": [1, 2, 3].map(record).join("\n") }),
    edgeNetwork,
  );
  expect(items.size).toBe(0);
  expect(faults.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual(["1:1 wrong-collection"]);
});
