// Texts of many megabytes.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";
import { faultsOf } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";

describe("a text of 16 MB is reported like a shorter one", () => {
  const makers = defineCollection({
    purpose: "Makers.",
    schema: z.strictObject({
      id: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
      sizes: z.record(z.string(), z.int()).optional(),
      like: reference("makers").optional(),
    }),
    key: "id",
  });
  const api = completeApi(defineApi({ collections: { makers } }));
  const faultsWith = (fields: object) =>
    faultsOf({ "makers.json": JSON.stringify({ id: "a", ...fields }) }, {}, undefined, api);
  const long = `a${"-a".repeat(8_000_000)}`;

  const failed = "1:1 not-made A check of the schema fails: Maximum call stack size exceeded.";

  it.each<[string, object, readonly string[]]>([
    ["as a key", { id: long }, [failed]],
    ["as a reference", { like: long }, [failed, '1:18 no-such-item There is no item of makers with the id "a-a-a-']],
    ["as a key of a record", { sizes: { ["漢".repeat(16_000_000)]: "x" } }, ['wrong-type sizes["漢漢漢漢']],
  ])("%s", (_, fields, lines) => {
    const short = faultsWith(fields).map((each) => each.slice(0, 400));
    expect(short).toEqual(lines.map((line) => expect.stringContaining(line)));
  });

  it("but a key of 200 characters may be referred to, and one more is no key", () => {
    const at = (length: number) => "a".repeat(length);
    expect(faultsWith({ id: at(200), like: at(200) })).toEqual([]);
    expect(faultsWith({ like: at(201) })).toEqual([
      expect.stringContaining("makers.json:1:18 no-such-item There is no item of makers with the id"),
    ]);
  });
});
