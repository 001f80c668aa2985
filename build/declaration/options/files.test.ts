import { expect, it } from "vitest";
import type { FileOptions } from "../../../src/declare/declare.ts";
import { usualDialect } from "../../../src/model/files.ts";
import { fileRules } from "./files.ts";

it("takes an option that is undefined as not given", () => {
  const options = { match: "cities.tsv", format: undefined, delimiter: undefined } as unknown as FileOptions;
  expect(fileRules([options])).toStrictEqual([
    { match: ["cities.tsv"], except: [], dialect: usualDialect, isPlain: true },
  ]);
});
