import { describe, expect, it } from "vitest";
import { locate } from "./locate.ts";
import { type ContentFile, readItems, readOne } from "./read.ts";

const fileOf = (file: string, text: string): ContentFile => ({
  file,
  bytes: new TextEncoder().encode(text),
  role: { kind: "items", operation: "nodes" },
});

const reading = (file: string, text: string) => {
  const items: unknown[] = [];
  const { shape, whole, faults } = readItems(fileOf(file, text), (value, path) => items.push([path, value]));
  return {
    items,
    shape,
    whole,
    faults: locate(faults)[0].map(({ line, column, code }) => `${line}:${column} ${code}`),
  };
};

describe("the items of a file", () => {
  it.each([
    ["a.yaml", "id: a\n", "one", [[[], { id: "a" }]]],
    ["a.json", '{"$schema": "./a.json", "id": "a"}', "one", [[[], { id: "a" }]]],
    ["a.yaml", "- id: a\n- id: b\n", "list", [[[0], { id: "a" }], [[1], { id: "b" }]]], // biome-ignore format: a row
    ["a.json", '[{"id":"a"},2]', "list", [[[0], { id: "a" }], [[1], 2]]], // biome-ignore format: a row
    ["a.ndjson", '\n{"id":"a"}\r\n\n{"id":"b"}', "lines", [[[1], { id: "a" }], [[3], { id: "b" }]]], // biome-ignore format: a row
    ["a.md", "---\nid: a\n---\ntext\n", "one", [[[], { id: "a", body: "text" }]]],
    ["a.yaml", "[]", "list", []],
  ])("of %s, %j, are visited in order", (file, text, shape, items) => {
    expect(reading(file, text)).toEqual({ items, shape, whole: true, faults: [] });
  });

  it.each([
    ["a.yaml", "", "1:1 empty-file"],
    ["a.csv", "id,n\na,1\nb\n", "3:1 syntax"],
    ["a.ndjson", '{"id":"a"}\n{', "2:2 syntax"],
  ])("of %s, %j, are not whole", (file, text, fault) => {
    expect(reading(file, text)).toMatchObject({ whole: false, faults: [fault] });
  });
});

describe("a file of one value", () => {
  const one = (file: string, text: string) => {
    const { value, path, faults } = readOne(fileOf(file, text), "object");
    return [value, path, locate(faults)[0].map(({ message }) => message)];
  };

  it.each([
    ["a.yaml", "a: 1", { a: 1 }, [], undefined],
    ["a.ndjson", '{"a":1}', { a: 1 }, [0], undefined],
    ["a.yaml", "- a: 1", { a: 1 }, [0], "a list"],
    ["a.yaml", "[1, 2]", undefined, [0], "a list"],
    ["a.yaml", "[]", undefined, [], "an empty list"],
    ["a.ndjson", "1\n2", undefined, [0], "2 lines"],
  ])("holds nothing else: %s, %j", (file, text, value, path, held) => {
    const messages = held === undefined ? [] : [`This file must hold a single object, but holds ${held}.`];
    expect(one(file, text)).toEqual([value, path, messages]);
  });
});
