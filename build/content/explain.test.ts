// A refused value is explained by the shape that it means, and nothing that is suggested is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Fault } from "./fault.ts";
import { locate } from "./locate.ts";
import { readItems } from "./read.ts";
import { validator } from "./validate.ts";

/** `code message hint` of each fault of the field `u`. */
function faultsOf(schema: z.ZodType, u: unknown): readonly string[] {
  const validate = validator(z.strictObject({ u: schema }), "thing");
  const found: Fault[] = [];
  const bytes = Buffer.from(JSON.stringify({ u }));
  const { faults } = readItems({ file: "a.json", bytes }, (value, path, source) =>
    found.push(...validate(value, (steps, part = "value") => ({ source, path: [...path, ...steps], part }))[1]),
  );
  const [shown] = locate([...faults, ...found]);
  return shown.map(({ code, message, hint = "" }) => `${code} ${message} ${hint}`.trim());
}

const circle = z.strictObject({ type: z.literal("circle"), radius: z.number() });
const square = z.strictObject({ type: z.literal("square"), side: z.number() });

describe.each([
  ["z.union", z.union([circle, square])],
  ["z.discriminatedUnion", z.discriminatedUnion("type", [circle, square])],
])("the shapes of %s", (_, shapes) => {
  it.each([
    [{ type: "triangle", side: 3 }, ['wrong-value u.type must be circle or square, but is "triangle".']],
    [
      { type: "circle", sied: 3 },
      [
        "missing-field u must have the field radius. Its value must be a number.",
        expect.stringMatching(/^unknown-field u has no field "sied"\./),
      ],
    ],
    [
      { type: "circle", side: 3 },
      [
        "missing-field u must have the field radius. Its value must be a number.",
        expect.stringMatching(/^unknown-field u has no field "side"\./),
      ],
    ],
    [{ type: "circle", radius: "3" }, ['wrong-type u.radius must be a number, but is "3". Leave the quotes out: 3.']],
  ])("name what is wrong with the one that %j means", (value, expected) => {
    const faults = faultsOf(shapes, value);
    expect(faults).toEqual(expected);
    expect(faults.join("\n")).not.toMatch(/Did you mean "sied?e?"/);
  });

  it("does not name a field of an arbitrary one for an object without fields", () => {
    expect(faultsOf(shapes, {}).join("\n")).not.toMatch(/radius|side/);
  });
});

it.each([
  [z.number(), 653247040368672800, "must be"],
  [z.array(z.int()).max(3), [1, 2, 3, 4], "but has 4"],
])("does not contradict itself: %#", (schema, value, words) => {
  const [fault = ""] = faultsOf(schema, value);
  if (fault !== "") expect(fault).toContain(words);
  expect(fault).not.toMatch(/must be a number, but is the number|items, but is a list/);
});

const tag = fc.constantFrom("circle", "square", "sqare", "triangle", 1, null, undefined);
const field = fc.constantFrom(1, "1", null, undefined, [], {});

it("reports something exactly where the schema refuses, and suggests no word that the message refuses", () => {
  const shapes = z.union([circle, square, z.strictObject({ type: z.literal(1), x: z.string() })]);
  const value = fc.record({ type: tag, radius: field, side: field, sied: field }, { requiredKeys: [] });
  fc.assert(
    fc.property(value, (u) => {
      const written: unknown = JSON.parse(JSON.stringify(u));
      const faults = faultsOf(shapes, written);
      expect(faults.length > 0).toBe(!shapes.safeParse(written).success);
      for (const fault of faults) {
        const [, refused] = /has no field "(\w+)"/.exec(fault) ?? [];
        const [, meant] = /Did you mean "(\w+)"/.exec(fault) ?? [];
        if (meant !== undefined) expect(meant).not.toBe(refused);
      }
    }),
  );
});
