import { expect, it } from "vitest";
import * as z from "zod";
import { count, flag, orNull, slug } from "../../../src/declare/forms.ts";
import { usualCells } from "../../../src/model/files.ts";
import { reader } from "./cells.ts";

it.each([
  [z.string(), "5", "5"],
  [z.string(), "", ""],
  [z.string().nullable().optional(), "", null],
  [z.string().optional(), "", undefined],
  [z.number(), "-1.5e3", -1500],
  [z.number(), "05", "05"],
  [z.number(), " 5", " 5"],
  [z.number(), "9007199254740993", Number.POSITIVE_INFINITY],
  [z.number().default(1), "", undefined],
  [z.boolean(), "true", true],
  [z.boolean(), "TRUE", "TRUE"],
  [flag, "false", false],
  [orNull(count), "7", 7],
  [z.enum(["1", "a"]), "1", "1"],
  [z.literal([1, 2]), "2", 2],
  [z.union([z.string(), z.number()]), "5", "5"],
  [z.union([slug, z.number()]), "1.5", 1.5],
  [z.union([z.iso.date(), z.boolean()]), "true", true],
  [z.array(z.string()), "a", "a"],
  [z.unknown(), "5", "5"],
])("a cell of case %$ is read as its schema asks: %j", (schema, text, value) => {
  expect(reader(schema)(text)).toBe(value);
});

it.each([
  ["7,5", 7.5],
  ["-0,25e2", -25],
  ["12", 12],
  ["7.5", "7.5"],
  ["1.012,5", "1.012,5"],
  [",5", ",5"],
])("with decimal commas, the cell %j is %j", (text, value) => {
  expect(reader(z.number(), { ...usualCells, decimal: "," })(text)).toBe(value);
});
