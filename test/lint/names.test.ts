// One word has one meaning everywhere: no two files of the product export a type of one name.
import { readFileSync } from "node:fs";
import fastGlob from "fast-glob";
import { expect, it } from "vitest";

const files = fastGlob.sync(["src/**/*.ts", "build/**/*.ts"], { ignore: ["**/*.test.ts", "**/templates/**"] });

const exportedType = /^export (?:interface|type|class|abstract class) (\w+)/gm;

const exportedTypes = (file: string): readonly string[] =>
  [...readFileSync(file, "utf8").matchAll(exportedType)].flatMap(([, name]) => name ?? []);

it("finds no type that two files export", () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    for (const name of new Set(exportedTypes(file))) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  expect(filesOf.size).toBeGreaterThan(0);
  expect([...filesOf].filter(([, all]) => all.length > 1)).toEqual([]);
});
