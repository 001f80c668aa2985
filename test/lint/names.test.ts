// One word has one meaning everywhere: no two files of the product export a type of one name.
import { readFileSync } from "node:fs";
import { parse } from "@babel/parser";
import fastGlob from "fast-glob";
import { expect, it } from "vitest";

const files = fastGlob.sync(["src/**/*.ts", "build/**/*.ts"], { ignore: ["**/*.test.ts", "**/templates/**"] });

function exportedTypes(file: string): readonly string[] {
  const { program } = parse(readFileSync(file, "utf8"), { sourceType: "module", plugins: ["typescript"] });
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration } = statement;
    if (declaration?.type === "TSInterfaceDeclaration") return [declaration.id.name];
    if (declaration?.type === "TSTypeAliasDeclaration") return [declaration.id.name];
    if (declaration?.type === "ClassDeclaration" && declaration.id != null) return [declaration.id.name];
    return [];
  });
}

it("finds no type that two files export", () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    for (const name of new Set(exportedTypes(file))) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  expect(filesOf.size).toBeGreaterThan(0);
  expect([...filesOf].filter(([, all]) => all.length > 1)).toEqual([]);
});
