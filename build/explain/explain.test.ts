// A refused value is explained by the shape that it means, and what is suggested is accepted in its field.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { schemasAt } from "../../src/model/kinds.ts";
import { schemaAndValue } from "../../test/content/any-schema.ts";
import { foundFile } from "../../test/content/found-file.ts";
import { errorsOfItem } from "../../test/plan.ts";
import { rounds } from "../../test/seed.ts";
import { valuesIn } from "../content/formats/values.ts";
import { calledBy, validator } from "../content/validate.ts";
import { resolveSchema } from "../declaration/complete-schema.ts";
import { type Draft, openLog } from "../messages.ts";
import { isAccepted, whyRefused } from "./explain.ts";

/** `code text hint` of each error of the field `u`. */
const errorsOf = (schema: z.ZodType, u: unknown): readonly string[] =>
  errorsOfItem(z.strictObject({ u: schema }), JSON.stringify({ u })).map(({ code, text, hint = "" }) =>
    `${code} ${text} ${hint}`.trim(),
  );

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
    const errors = errorsOf(shapes, value);
    expect(errors).toEqual(expected);
    expect(errors.join("\n")).not.toMatch(/Did you mean "sied?e?"/);
  });

  it("does not name a field of an arbitrary one for an object without fields", () => {
    expect(errorsOf(shapes, {}).join("\n")).not.toMatch(/radius|side/);
  });
});

describe("what is suggested", () => {
  const words = z.union([z.enum(["green", "blue"]), z.string().regex(/^x-/)]);
  const isOther = (value: unknown) => value !== "green" && value !== "7";

  it.each<readonly [string, z.ZodType, unknown, string]>([
    [
      "a word of a union",
      words,
      "gren",
      'wrong-value u must be green or blue or a string that matches /^x-/, but is "gren". Did you mean "green"?',
    ],
    ["no word that a check of the union refuses", words.refine(isOther), "gren", 'but is "gren".'],
    [
      "no quotes for a string that a check of the union refuses",
      z.union([z.string(), z.boolean()]).refine(isOther),
      7,
      "but is the number 7.",
    ],
    [
      "a key of a record whose keys are a union",
      z.record(words, z.int()),
      { gren: 1 },
      'wrong-value Each key of u must be green or blue or a string that matches /^x-/, but is "gren". Did you mean "green"?',
    ],
    ["no key that the record has", z.record(words, z.int()), { gren: 1, green: 2 }, 'but is "gren".'],
    [
      "a missing field, even if a check of the object refuses its value",
      z.strictObject({ one: z.int(), other: z.int() }).refine(({ one, other }) => one < other),
      { oen: 2, other: 1 },
      'unknown-field u has no field "oen". Did you mean "one"?',
    ],
    [
      "a field, even if its value is wrong",
      z.strictObject({ one: z.int().optional() }),
      { oen: "x" },
      'unknown-field u has no field "oen". Did you mean "one"?',
    ],
    ["nothing for a word that a check around it refuses", words.refine(isOther), "green", 'but is "green".'],
  ])("is %s", (_, schema, value, end) => {
    const [line, ...others] = errorsOf(schema, value);
    expect(others).toEqual([]);
    expect(line?.slice(-end.length)).toBe(end);
  });
});

it("explains an object by its fields if it may be null", () => {
  const object = z.strictObject({ w: z.int() });
  const faults = ['wrong-type u.w must be an integer, but is "x".'];
  expect(errorsOf(z.union([object, z.null()]), { w: "x" })).toEqual(faults);
  expect(errorsOf(object.nullable(), { w: "x" })).toEqual(faults);
});

it("reports a check around a value that has no shape, too", () => {
  const isFirst = { when: () => true };
  const list = z.array(z.union([circle, square])).superRefine((_, context) => {
    context.addIssue({ code: "custom", path: [0], message: "the only one" });
  }, isFirst);
  expect(errorsOf(list, [{ type: "circle", radius: "x" }])).toEqual([
    "wrong-value u[0] must be the only one.",
    'wrong-type u[0].radius must be a number, but is "x".',
  ]);
});

it.each([
  [z.number(), 653247040368672800, "must be"],
  [z.array(z.int()).max(3), [1, 2, 3, 4], "but has 4"],
])("does not contradict itself: %#", (schema, value, words) => {
  const [error = ""] = errorsOf(schema, value);
  if (error !== "") expect(error).toContain(words);
  expect(error).not.toMatch(/must be a number, but is the number|items, but is a list/);
});

it("parses a value only by the shape of its tag", () => {
  let calls = 0;
  const name = z.string().refine(() => {
    calls++;
    return true;
  });
  const shapes = z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("circle"), radius: z.number() }),
    z.strictObject({ type: z.literal("square"), name }),
  ]);
  expect(whyRefused(shapes, { type: "circle", name: "A" })).toHaveLength(2);
  expect(calls).toBe(0);
});

/** The errors of a value: their hints, and where they are in it. */
function hintsOf(schema: z.ZodType, value: unknown) {
  const drafts: Draft[] = [];
  const bytes = Buffer.from(JSON.stringify(value));
  for (const { data, at } of valuesIn(foundFile("a.json", bytes), openLog()))
    validator(schema, calledBy("thing"))(
      data,
      (path, part) => at.spot(path, part),
      (draft) => drafts.push(draft),
    );
  return drafts.map((draft) => {
    const log = openLog();
    log.report(draft);
    const [message] = log.messages().shown;
    const { path = [], part = "value" } = "path" in draft.at ? draft.at : {};
    return { path, part, hint: message?.hint ?? "" };
  });
}

/** The value, key or name that a hint suggests. */
function suggestionIn(hint: string): unknown {
  const [, text] = /^(?:Did you mean|Write|Leave the quotes out:|Put it in quotes:) (.+)[?.]$/.exec(hint) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}

const item = schemaAndValue.map(([schema, value]) => {
  const resolved = resolveSchema(z.strictObject({ a: schema }), {}, () => z.string()) as z.ZodType;
  return [resolved, JSON.parse(JSON.stringify({ a: value }))] as const;
});

describe("of random schemas and values", () => {
  it("there is a reason exactly if the schema refuses the value", () => {
    fc.assert(
      fc.property(item, ([schema, value]) => {
        expect(whyRefused(schema, value).length > 0).toBe(!schema.safeParse(value).success);
      }),
      { numRuns: 250 * rounds },
    );
  });

  it("a value that a hint suggests is accepted by a schema of its field", () => {
    fc.assert(
      fc.property(item, ([schema, value]) => {
        for (const { path, part, hint } of hintsOf(schema, value)) {
          const suggestion = suggestionIn(hint);
          if (suggestion === undefined || part === "key") continue;
          expect([hint, schemasAt(schema, path).some((form) => isAccepted(form, suggestion))]).toEqual([hint, true]);
        }
      }),
      { numRuns: 250 * rounds },
    );
  });
});
