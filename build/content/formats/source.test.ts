import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../src/declare/declare.ts";
import { dialectIn } from "../../../src/model/files.ts";
import { faultsOf } from "../../../test/content/folder.ts";
import type { Path, Span } from "../../messages.ts";
import { decode, decodeParts, placeOf, sourceOf } from "./source.ts";

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([...part]))));

const mark = [0xef, 0xbb, 0xbf];

describe("decode", () => {
  it.each([
    ["leaves a byte order mark out", bytes(mark, "[]"), "[]"],
    ["keeps a second one", bytes(mark, mark, "[]"), "\ufeff[]"],
    ["keeps carriage returns before line feeds", bytes("a\r\nb"), "a\r\nb"],
    ["takes carriage returns alone for line ends", bytes("a\rb\r\r\nc\r"), "a\nb\n\r\nc\n"],
    ["keeps U+2028 and U+FFFD", bytes("\u2028\ufffd"), "\u2028\ufffd"],
    ["reads an empty file", bytes(), ""],
  ])("%s", (_, file, text) => {
    expect(decode(file)).toMatchObject({ text, problem: undefined });
  });

  it.each([
    ["Latin-1", bytes('["', [0xe9], '"]'), "1:3"],
    ["a surrogate", bytes("ab", [0xed, 0xa0, 0x80]), "1:3"],
    ["UTF-16 without one", bytes([0x5b, 0x00, 0x5d, 0x00]), "1:2"],
  ])("says where %s is not UTF-8", (_, file, place) => {
    expect(faultsOf({ "nodes.yaml": file })).toEqual([
      expect.stringContaining(
        `nodes.yaml:${place} invalid-utf8 The file is not UTF-8 text from here on. Save it as UTF-8.`,
      ),
    ]);
  });

  it.each([
    ["is cut off", bytes("a\nüé", [0xe2, 0x82]), "2:3"],
    ["stands behind an emoji, which is two columns", bytes("😀", [0xff]), "1:3"],
    ["stands before the others", bytes("a", [0xff], "Zürich"), "1:2"],
    ["stands behind a byte order mark", bytes(mark, "a", [0xff]), "1:2"],
  ])("advises no other encoding if a character of UTF-8 %s", (_, file, place) => {
    const sentence = "A character is damaged here: the file is UTF-8, but its bytes are not. Write it anew.";
    expect(faultsOf({ "nodes.yaml": file })).toEqual([`nodes.yaml:${place} invalid-utf8 ${sentence}`]);
    expect(faultsOf({ "nodes.ndjson": file })).toEqual([`nodes.ndjson:${place} invalid-utf8 ${sentence}`]);
  });

  it.each(["windows-1252", "latin1", "koi8-r", "ibm866", "mac", "iso-8859-15"])(
    "refuses UTF-8 that is declared as %s",
    (label) => {
      const { text, problem } = decode(bytes("id;name\nz;Zürich"), label);
      expect(text).toBe("id;name\nz;Zürich");
      const { encoding } = new TextDecoder(label);
      expect(problem).toEqual({
        code: "invalid-utf8",
        at: { start: 11, end: 12 },
        text: `This file is UTF-8, and not ${encoding}.`,
        hint: "Delete the option encoding. If other files have that encoding, give this one an entry of its own in the option files.",
      });
    },
  );

  it.each([
    ["a text that any encoding has", bytes("Zurich"), "windows-1252", "Zurich"],
    ["text in the encoding", bytes("Z", [0xfc], "rich"), "windows-1252", "Zürich"],
    ["UTF-8 by another label", bytes("Zürich"), "utf8", "Zürich"],
    ["a byte order mark of UTF-8 before the label", bytes(mark, "Zürich"), "windows-1252", "Zürich"],
    ["a byte order mark of UTF-16 before the label", bytes([0xff, 0xfe, 0x5a, 0, 0xfc, 0]), "latin1", "Zü"],
    ["UTF-16 by its label", bytes([0x5a, 0, 0xfc, 0]), "utf-16", "Zü"],
    ["text in an encoding of several bytes that is UTF-8, too", bytes([0xc4, 0xa3, 0xca, 0xbd]), "gbk", "模式"],
  ])("accepts %s", (_, file, label, text) => {
    expect(decode(file, label)).toEqual({ text, problem: undefined });
    const parts = [...decodeParts({ read: () => file, lines: () => [file] }, label)];
    expect(parts).toEqual([{ text, problem: undefined }]);
  });

  it("names a file that is larger than a string", () => {
    expect(decode(bytes("[{}]"), undefined, 3)).toMatchObject({ text: "", problem: { code: "too-large" } });
  });
});

describe("the place of a value", () => {
  const sourceIn = (format: FileFormat, text: string) =>
    sourceOf(`a.${format}`, dialectIn(format), () => Buffer.from(text));

  /** `line:column-line:column text`. */
  const placeAt = (format: FileFormat, text: string, at: { readonly path: Path; readonly part?: "key" } | Span) => {
    const source = sourceIn(format, text);
    const { line, column, endLine, endColumn, written } = source.open()({ source, ...at });
    return `${line}:${column}-${endLine}:${endColumn} ${written}`;
  };

  const json = '[{"a": 1},\n {"a": 2, "b": [0, {"c": true}]}]';
  const ndjson = '{"a": 1}\n{"a": 2, "b": [0, {"c": true}]}\n';
  const csv = 'a,b\n1,x\n2,"y\nz"\n';
  const yaml = "- a: 3.10\n- a: 2\n  b: [0, {c: true}]\n";
  const markdown = "---\na: 1\nb: [0, {c: true}]\n---\nText.\n";

  it.each<[format: FileFormat, text: string, path: Path, place: string]>([
    ["json", json, [1, "a"], "2:8-2:9 2"],
    ["json", json, [1, "b", 1, "c"], "2:26-2:30 true"],
    ["ndjson", ndjson, [1, "a"], "2:7-2:8 2"],
    ["ndjson", ndjson, [1, "b", 1, "c"], "2:25-2:29 true"],
    ["csv", csv, [0, "b"], "2:3-2:4 x"],
    ["csv", csv, [1, "b"], '3:3-4:3 "y\nz"'],
    ["yaml", yaml, [0, "a"], "1:6-1:10 3.10"],
    ["yaml", yaml, [1, "b", 1, "c"], "3:14-3:18 true"],
    ["markdown", markdown, ["a"], "2:4-2:5 1"],
    ["markdown", markdown, ["b", 1, "c"], "3:12-3:16 true"],
    ["markdown", markdown, ["body"], "5:1-5:6 Text."],
  ])("is found in %s: %j %j", (format, text, path, place) => {
    expect(placeAt(format, text, { path })).toBe(place);
  });

  it.each<[format: FileFormat, text: string, path: Path, place: string]>([
    ["json", json, [1, "a"], '2:3-2:6 "a"'],
    ["ndjson", ndjson, [1, "b"], '2:10-2:13 "b"'],
    ["yaml", yaml, [1, "b"], "3:3-3:4 b"],
    ["markdown", markdown, ["b"], "3:1-3:2 b"],
  ])("is that of its key, if the key is asked for, in %s", (format, text, path, place) => {
    expect(placeAt(format, text, { path, part: "key" })).toBe(place);
  });

  it("is that of the last known value, if its path leads to none", () => {
    expect(placeAt("json", json, { path: [0, "b", 1, "c"] })).toBe('1:2-1:10 {"a": 1}');
    expect(placeAt("ndjson", ndjson, { path: [0, "b"] })).toBe('1:1-1:9 {"a": 1}');
    expect(placeAt("yaml", yaml, { path: [0, "a", "c"] })).toBe("1:6-1:10 3.10");
  });

  it("counts lines from 1 after any line end, and columns in UTF-16 code units without a byte order mark", () => {
    expect(placeAt("json", '\ufeff["\u{1f600}", 1]', { path: [1] })).toBe("1:8-1:9 1");
    expect(placeAt("json", "[\r\n1,\r2,\n3]", { path: [2] })).toBe("4:1-4:2 3");
  });

  it("is a part of the text, if that is known", () => {
    expect(placeAt("yaml", yaml, { start: 10, end: 14 })).toBe("2:1-2:5 - a:");
  });

  it("has no text if the value is an alias of YAML, or made from the one that is there", () => {
    expect(placeAt("yaml", "a: &size 5\nb: *size\n", { path: ["b"] })).toMatch(/^2:4-2:9 $/);
    const source = sourceIn("yaml", yaml);
    expect(source.open()({ source, path: [0, "a"], made: true })).toMatchObject({ line: 1, column: 6, written: "" });
  });

  it("names the file", () => {
    const source = sourceIn("yaml", yaml);
    const place = { file: "a.yaml", line: 2, column: 6, endLine: 2, endColumn: 7 };
    expect(placeOf({ source, path: [1, "a"] })).toEqual(place);
    expect(placeOf(place)).toEqual(place);
  });
});
