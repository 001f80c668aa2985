import { expect, it } from "vitest";
import { discoveryOf, objectsIn, type TreeEntry } from "./tree.ts";

const file = (path: string | Buffer, mode = "100644", size = 1): TreeEntry => ({
  path: Buffer.from(path),
  mode,
  object: `object of ${path}`,
  size,
});
const link = (path: string) => file(path, "120000");

/** An object's bytes are what `texts` says, or its name. */
function read(entries: readonly TreeEntry[], texts: Readonly<Record<string, string>> = {}) {
  const needed = objectsIn(entries);
  const { files, obstacles } = discoveryOf(entries, (object) => {
    expect(needed).toContain(object);
    return Buffer.from(texts[object.replace("object of ", "")] ?? object);
  });
  return {
    files: Object.fromEntries(files.map((each) => [each.file, Buffer.from(each.bytes).toString()])),
    obstacles: Object.fromEntries(obstacles.map((each) => [each.file, each.code])),
  };
}

it("has the files in order, and the bytes of those that are content by their name", () => {
  const entries = [
    file("b.json"),
    file("a/b.yaml", "100755"),
    file("a/notes.txt"),
    file("a/.hidden.yaml"),
    file(".git/a.yaml"),
  ];
  const { files, obstacles } = read(entries);
  expect(Object.entries(files)).toEqual([
    ["a/b.yaml", "object of a/b.yaml"],
    ["a/notes.txt", ""],
    ["b.json", "object of b.json"],
  ]);
  expect(obstacles).toEqual({});
  expect(objectsIn(entries)).toEqual(["object of a/b.yaml", "object of b.json"]);
});

it("follows links as far as they stay in the folder", () => {
  const targets = {
    "near.json": "a/real.json",
    "a/up.json": "../top.json",
    "a/twice.json": "up.json",
    "a/through.json": "../folder/real.json",
    "other.json": "a/real.txt",
    folder: "a",
    "out.json": "../secret.json",
    "root.json": "/etc/passwd",
    "dead.json": "a/none.json",
    "self.json": "./self.json",
    "ring.json": "ring2.json",
    "ring2.json": "ring.json",
    "here.json": ".",
  };
  const entries = [file("a/real.json"), file("a/real.txt"), file("top.json"), ...Object.keys(targets).map(link)];
  const { files, obstacles } = read(entries, targets);
  expect(files).toEqual({
    "a/real.json": "object of a/real.json",
    "a/real.txt": "",
    "top.json": "object of top.json",
    "near.json": "object of a/real.json",
    "a/up.json": "object of top.json",
    "a/twice.json": "object of top.json",
    "a/through.json": "object of a/real.json",
    "other.json": "object of a/real.txt",
  });
  expect(obstacles).toEqual({
    folder: "folder-link",
    "here.json": "folder-link",
    "out.json": "outside-link",
    "root.json": "outside-link",
    "dead.json": "dead-link",
    "self.json": "dead-link",
    "ring.json": "dead-link",
    "ring2.json": "dead-link",
  });
});

it("reports what cannot be read as content", () => {
  const entries = [
    file("sub", "160000"),
    file("a\n.json"),
    file(Buffer.from([0x61, 0xff])),
    file("large.json", "100644", 2 ** 31),
    file("ok.json"),
  ];
  expect(read(entries)).toEqual({
    files: { "ok.json": "object of ok.json" },
    obstacles: { sub: "no-file", "a\n.json": "bad-name", "a\ufffd": "bad-name", "large.json": "too-large" },
  });
});
