// Forms that no resource uses yet, in a schema of the test.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { count, decimal, flag, orNull, time } from "../../src/forms.ts";
import type { Fault } from "./fault.ts";
import { locate } from "./locate.ts";
import { readItems } from "./read.ts";
import type { FormatName } from "./source.ts";
import { validator } from "./validate.ts";

const schema = z.strictObject({
  resolved_at: orNull(time).optional(),
  severity: orNull(z.enum(["minor", "major"], "minor or major").describe("minor or major")).optional(),
  retries: orNull(count).optional(),
  share: decimal(0, 1, "a number from 0 to 1").optional(),
  load: orNull(decimal(0, 1e6, "a number from 0 to 1000000")).optional(),
  size: count.optional(),
  public: flag.default(true),
});

function faultsIn(format: FormatName, text: string): readonly string[] {
  const validate = validator(schema, { noun: "incident" });
  const found: Fault[] = [];
  const { faults } = readItems({ file: `a.${format}`, bytes: Buffer.from(text) }, (value, path, source) =>
    found.push(...validate(value, (steps, part = "value") => ({ source, path: [...path, ...steps], part }))[1]),
  );
  const [shown] = locate([...faults, ...found]);
  return shown.map(({ line, column, code, message, hint = "" }) =>
    `${line}:${column} ${code} ${message} ${hint}`.trim(),
  );
}

describe("a form or null", () => {
  it("says so in its description", () => {
    expect(orNull(count).description).toBe("an integer from 0 to 9007199254740991, or null");
  });

  it("accepts null and the values of the form", () => {
    expect(faultsIn("json", '[{"resolved_at":null,"severity":null,"retries":null,"load":null}]')).toEqual([]);
    const text = '{"resolved_at":"2026-01-01T00:00:00Z","severity":"minor","retries":2,"load":0.25}';
    expect(faultsIn("json", text)).toEqual([]);
  });

  const timeText = "resolved_at must be a UTC time to the second, such as 2026-11-20T09:00:00Z, or null";
  const wordText = "severity must be minor or major, or null";
  const countText = "retries must be an integer from 0 to 9007199254740991, or null";

  it.each([
    ['{"resolved_at":"2026-02-30T00:00:00Z"}', `1:16 wrong-value ${timeText}, but is "2026-02-30T00:00:00Z".`],
    ['{"resolved_at":7}', `1:16 wrong-type ${timeText}, but is the number 7.`],
    ['{"severity":"majr"}', `1:13 wrong-value ${wordText}, but is "majr". Did you mean "major"?`],
    ['{"severity":true}', `1:13 wrong-type ${wordText}, but is the boolean true.`],
    ['{"retries":-1}', `1:12 wrong-value ${countText}, but is the number -1.`],
    ['{"retries":1.5}', `1:12 wrong-value ${countText}, but is the number 1.5.`],
    ['{"retries":"2"}', `1:12 wrong-type ${countText}, but is "2". Leave the quotes out: 2.`],
    ['{"retries":[]}', `1:12 wrong-type ${countText}, but is an empty list.`],
  ])("is reported with both where %s is neither", (text, fault) => {
    expect(faultsIn("json", text)).toEqual([fault]);
  });
});

describe("a decimal", () => {
  const share = "share must be a number from 0 to 1";

  it.each([
    ['{"share":"0.5"}', `1:10 wrong-type ${share}, but is "0.5". Leave the quotes out: 0.5.`],
    ['{"share":"5e-1"}', `1:10 wrong-type ${share}, but is "5e-1". Leave the quotes out: 5e-1.`],
    ['{"share":"1.5"}', `1:10 wrong-type ${share}, but is "1.5".`],
    ['{"share":"00.5"}', `1:10 wrong-type ${share}, but is "00.5".`],
    ['{"share":"0.1234567890123456789"}', `1:10 wrong-type ${share}, but is "0.1234567890123456789".`],
    ['{"share":1.5}', `1:10 wrong-value ${share}, but is the number 1.5.`],
    ['{"size":"010"}', '1:9 wrong-type size must be an integer from 0 to 9007199254740991, but is "010".'],
  ])("is reported with what to do about %s", (text, fault) => {
    expect(faultsIn("json", text)).toEqual([fault]);
  });

  it.each([
    "0",
    "1",
    "0.1",
    "0.10",
    "0.30000000000000004",
    "1e-1",
    "10.00E-2",
    "0.0000000000000000000000000000001",
    "-0.0",
  ])("may be %s in every format", (number) => {
    expect(faultsIn("json", `{"share":${number}}`)).toEqual([]);
    expect(faultsIn("ndjson", `{"share":${number}}`)).toEqual([]);
    expect(faultsIn("yaml", `share: ${number}`)).toEqual([]);
  });

  it.each([
    ["0.1234567890123456789", "JSON numbers do not hold all these digits: write 0.12345678901234568."],
    ["0.30000000000000000001", "JSON numbers do not hold all these digits: write 0.3."],
    ["1e-400", "JSON numbers do not hold all these digits: write 0."],
    ["1e400", ""],
    ["9007199254740993", ""],
    ["9007199254740992.5", ""],
  ])("is not %s, which JSON cannot carry exactly", (number, hint) => {
    const fault = `wrong-value ${share}, but is the number ${number}. ${hint}`.trim();
    expect(faultsIn("json", `[{},\n{"share":${number}}]`)).toEqual([`2:10 ${fault}`]);
    expect(faultsIn("ndjson", `{"resolved_at":null}\n{"share":${number}}`)).toEqual([`2:10 ${fault}`]);
    expect(faultsIn("yaml", `- {}\n- share: ${number}\n`)).toEqual([`2:10 ${fault}`]);
    const load = fault.replace("share", "load").replace("to 1,", "to 1000000, or null,");
    expect(faultsIn("json", `{"load":${number}}`)).toEqual([`1:9 ${load}`]);
  });

  it("may stand in a string with any digits", () => {
    const text = '{"share":0.12345678901234567890,"size":"a\\"1e400 0.12345678901234567890"}';
    expect(faultsIn("json", text).map((line) => line.slice(0, 22))).toEqual([
      "1:10 wrong-value share",
      "1:40 wrong-type size m",
    ]);
  });

  it("has no bounds beyond which integers are not exact", () => {
    expect(() => decimal(0, 2 ** 53, "a number")).toThrow("beyond what JSON carries exactly");
  });
});
