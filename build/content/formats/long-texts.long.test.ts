// Files with texts of many megabytes.
import { expect, it } from "vitest";
import { readText } from "../../../test/content/reading.ts";
import { json } from "./json.ts";

it("finds the integers that a double does not hold behind a text with 12 million escapes", () => {
  const text = `{"s":${JSON.stringify("\n".repeat(12_000_000))},"t":"9007199254740993","n":[9007199254740993,1.5]}`;
  const [entry] = readText(json, text).values;
  expect({ ...Object(entry?.value), s: undefined }).toEqual({ t: "9007199254740993", n: [Infinity, 1.5] });
});
