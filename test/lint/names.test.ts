// One word has one meaning everywhere: no two files of the product export a type of one name, and no two files of some
// rooms a function or constant of one name.
import { readFileSync } from "node:fs";
import fastGlob from "fast-glob";
import { expect, it } from "vitest";

const files = fastGlob.sync(["src/**/*.ts", "build/**/*.ts"], { ignore: ["**/*.test.ts", "**/templates/**"] });

/** The rooms in which functions have names of their own. */
const rooms = [
  "build/content",
  "build/declaration",
  "build/explain",
  "build/text",
  "build/values",
  "src/model",
  "src/declare",
];

const exportedType = /^export (?:interface|type|class|abstract class) (\w+)/gm;
const exportedFunction = /^export (?:async )?(?:function\*? |const )(\w+)/gm;

/** The names that several files export, with the files. */
function shared(form: RegExp, files: readonly string[]) {
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    const names = [...readFileSync(file, "utf8").matchAll(form)].flatMap(([, name]) => name ?? []);
    for (const name of new Set(names)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  expect(filesOf.size).toBeGreaterThan(0);
  return [...filesOf].filter(([, all]) => all.length > 1);
}

it("finds no type that two files export", () => {
  expect(shared(exportedType, files)).toEqual([]);
});

it("finds no function or constant that two files of these rooms export", () => {
  const covered = files.filter((file) => rooms.some((room) => file.startsWith(`${room}/`)));
  expect(shared(exportedFunction, covered)).toEqual([]);
});
