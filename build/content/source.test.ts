import { describe, expect, it } from "vitest";
import { faultsOf } from "../../test/content/folder.ts";
import { decode } from "./source.ts";

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
    expect(decode(file)).toEqual({ text, problem: undefined });
  });

  it.each([
    ["Latin-1", bytes('["', [0xe9], '"]'), "1:3"],
    ["a character that is cut off", bytes("a\nüé", [0xe2, 0x82]), "2:3"],
    ["a surrogate", bytes("ab", [0xed, 0xa0, 0x80]), "1:3"],
    ["what stands behind an emoji, which is two columns", bytes("😀", [0xff]), "1:3"],
    ["what stands behind a byte order mark", bytes(mark, "é", [0xff]), "1:2"],
    ["UTF-16 with a byte order mark", bytes([0xff, 0xfe, 0x5b, 0x00]), "1:1"],
    ["UTF-16 without one", bytes([0x5b, 0x00, 0x5d, 0x00]), "1:2"],
  ])("says where %s is not UTF-8", (_, file, place) => {
    expect(faultsOf({ "nodes.yaml": file })).toEqual([
      `nodes.yaml:${place} invalid-utf8 The file is not UTF-8 text from here on. Save it as UTF-8.`,
    ]);
  });

  it("names a file that is larger than a string", () => {
    expect(decode(bytes("[{}]"), 3)).toMatchObject({ text: "", problem: { code: "too-large" } });
  });
});
