// Random schemas of all kinds that a declaration may have, and values for them with mistakes that authors make.
import fc from "fast-check";
import * as z from "zod";
import { type Kind, kindsOf, type Schema } from "../../src/model/kinds.ts";

const words = ["green", "blue", "light blue"] as const;

const scalars = [
  z.string(),
  z.string().min(2).max(3),
  z.string().regex(/^[a-z]+$/),
  z.string().refine((text) => text.length > 1),
  z.email(),
  z.uuid(),
  z.iso.date(),
  z.number().min(0).lt(2),
  z.int().multipleOf(3),
  z.boolean(),
  z.enum(words),
  z.enum(["circle", "square"]),
  z.literal([1, "1"]),
  z.literal(["green", null]),
  z.null(),
  z.unknown(),
  z.templateLiteral(["v", z.int()]),
];

const isOther = (value: unknown): boolean => value !== "green" && value !== "1" && value !== 1;
const isShort = (value: unknown): boolean => String(JSON.stringify(value)).length < 30;

/** A check that also runs if parts of the list are wrong. */
const atMostOne = { when: () => true };
function checkLength(list: unknown, context: z.core.$RefinementCtx): void {
  if (Array.isArray(list) && list.length > 1) context.addIssue({ code: "custom", path: [1] });
}

const { schema } = fc.letrec<{ schema: z.ZodType }>((tie) => {
  const one = tie("schema");
  const two = fc.record({ a: one, b: one });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<z.ZodType>(...scalars),
      one.map((inner) => z.array(inner).max(2)),
      one.map((inner) => z.array(inner).superRefine(checkLength, atMostOne)),
      one.map((inner) => inner.optional()),
      one.map((inner) => inner.nullable()),
      one.map((inner) => inner.readonly()),
      one.map((inner) => inner.default("green")),
      one.map((inner) => inner.refine(isOther)),
      one.map((inner) => z.union([inner, z.null()])),
      one.map((inner) => z.record(z.string().max(5), inner)),
      one.map((inner) => z.record(z.enum(["green", "blue"]), inner)),
      one.map((inner) => z.partialRecord(z.enum(words), inner)),
      one.map((inner) => z.record(z.union([z.enum(words), z.string().regex(/^s/)]), inner)),
      two.map(({ a, b }) => z.union([a, b])),
      two.map(({ a, b }) => z.union([a, b]).refine(isOther)),
      two.map(({ a, b }) => z.xor([a, b])),
      two.map(({ a, b }) => z.tuple([a], b)),
      two.map(({ a, b }) => z.tuple([a, b.optional()])),
      two.map(({ a, b }) => z.object({ size: a, name: b })),
      two.map(({ a, b }) => z.strictObject({ size: a, name: b.optional() }).refine(isShort)),
      two.map(({ a, b }) => z.object({ size: a, name: b }).refine(isShort, { path: ["name"] })),
      two.map(({ a, b }) => z.looseObject({ size: a, kind: b })),
      two.map(({ a, b }) => z.object({ size: a }).catchall(b)),
      two.map(({ a, b }) => z.union([z.strictObject({ size: a, name: b }), z.strictObject({ size: b, kind: a })])),
      two.map(({ a, b }) =>
        z.union([
          z.strictObject({ kind: z.literal("circle"), size: a }),
          z.strictObject({ kind: z.literal(["square", "line"]), name: b }),
        ]),
      ),
      two.map(({ a, b }) =>
        z.discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("circle"), size: a }),
          z.strictObject({ kind: z.literal("square"), name: b.optional() }),
        ]),
      ),
    ),
  };
});

/** Texts and numbers that some form has. */
const texts = ["x", "xx", "green", "blue", "v1", "1", "true", "a@example.com", "2026-01-01"] as const;

/** What a value could be instead. */
const replacements: readonly unknown[] = [...texts, ...words, "circle", "square", "line", 0, 1, 3, true, null, [], {}];

const slip = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(text.replace(/(.)(.)(?=.$)/, "$2$1"), text.toUpperCase(), ` ${text}`, `${text}s`);

const withSlip = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value === "string") return fc.oneof(slip(value), fc.constantFrom(...replacements));
  return fc.constantFrom(...(typeof value === "object" ? [] : [String(value), ` ${value}`]), ...replacements);
};

/** Mostly the value, sometimes with a slip. */
const nearly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 7, arbitrary: right }, { weight: 1, arbitrary: right.chain(withSlip) });

const nearlyKey = (key: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(key) }, { weight: 1, arbitrary: slip(key) });

const nearlyObject = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>, requiredKeys: readonly string[]) =>
  fc
    .record(fields, { requiredKeys: [...requiredKeys] })
    .chain((object) =>
      fc.tuple(...Object.entries(object).map(([key, value]) => fc.tuple(nearlyKey(key), fc.constant(value)))),
    )
    .map((entries) => Object.fromEntries(entries));

function valueOfKind(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.kind) {
    case "known":
      return fc.constantFrom(...kind.values);
    case "integer":
    case "number":
      return fc.constantFrom(0, 1, 3);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(nearlyValueOf(kind.element), { maxLength: 3 });
    case "tuple":
      return fc.tuple(...kind.items.map(nearlyValueOf));
    case "record":
      return fc.dictionary(valuesOf(kind.keys).map(String), nearlyValueOf(kind.values), { maxKeys: 2 });
    case "object": {
      const fields = Object.entries(kind.fields).map(([name, field]) => [name, nearlyValueOf(field)] as const);
      const required = Object.keys(kind.fields).filter((name) => kind.fields[name]?._zod.optin === undefined);
      return nearlyObject(Object.fromEntries(fields), required);
    }
    case "any":
      return fc.jsonValue({ depthSize: "small" });
    default:
      return fc.constantFrom(...texts);
  }
}

const valuesOf = (schema: Schema): fc.Arbitrary<unknown> => fc.oneof(...kindsOf(schema).map(valueOfKind));

const nearlyValueOf = (schema: Schema): fc.Arbitrary<unknown> => nearly(valuesOf(schema));

/** A schema, and a value that it accepts or refuses. */
export const schemaAndValue = schema.chain((described) => fc.tuple(fc.constant(described), nearlyValueOf(described)));
