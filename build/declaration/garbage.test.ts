import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, defineDocument } from "../../src/declare/declare.ts";
import { label, slug, time } from "../../src/declare/forms.ts";
import { reference, words } from "../../src/declare/marks.ts";
import { rounds } from "../../test/seed.ts";
import { openLog } from "../messages.ts";
import { checkDeclaration } from "./check.ts";
import type { Places } from "./places.ts";

const start = { file: "api.config.ts", line: 1, column: 1, endLine: 1, endColumn: 1 };
const places: Places = { find: () => undefined, whole: start, folder: "/" };

const names = "id state a b owner limit constructor __proto__ -id a/b things/{owner} things".split(" ").concat("");

const schemas = () => [
  slug,
  time,
  label,
  z.string(),
  z.int(),
  z.boolean(),
  z.null(),
  z.any(),
  z.unknown(),
  z.date(),
  z.bigint(),
  z.never(),
  z.enum(["a", "b"]),
  z.literal(["a", null]),
  z.templateLiteral(["a", z.int()]),
  z.json(),
  z.nan(),
  z.undefined(),
  reference("things"),
  reference("a"),
  reference(""),
  words("state"),
  words("state", label),
  words("__proto__"),
];

const schema = fc.letrec<{ any: z.ZodType; leaf: z.ZodType }>((tie) => ({
  leaf: fc.constantFrom(...schemas()),
  any: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    tie("any").map((each) => each.optional()),
    tie("any").map((each) => each.nullable()),
    tie("any").map((each) => z.array(each)),
    tie("any").map((each) => z.record(z.string(), each)),
    tie("any").map((each) => z.tuple([each], each)),
    tie("any").map((each) => each.transform(String)),
    tie("any").map((each) => z.set(each)),
    tie("any").map((each) => z.lazy(() => each)),
    fc.tuple(tie("any"), tie("any")).map((each) => z.union(each)),
    fc.tuple(tie("any"), tie("any")).map(([one, other]) => z.intersection(one, other)),
    fc.dictionary(fc.constantFrom(...names), tie("any")).map((each) => z.strictObject(each)),
    fc.anything().map((each) => z.strictObject({ each: each as z.ZodType })),
  ),
})).any;

const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withDate: true, withMap: true, withBigInt: true, withNullPrototype: true }),
  fc.constantFrom(...names, Symbol("s"), () => 5, Promise.resolve(5)),
  fc.array(fc.constantFrom(...names)),
  fc.array(fc.array(fc.constantFrom(...names))),
  fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...names)),
  schema,
);

const optionNames =
  "purpose noun schema key order filters together paged files cache load transform from defining required other";

const options = fc.record(Object.fromEntries(optionNames.split(" ").map((name) => [name, garbage])), {
  requiredKeys: [],
});

/** Valid but for a field and an option. */
const almost = fc
  .tuple(schema, options, fc.constantFrom("order", "filters", "together", "files", "key", "paged", "from", "transform"))
  .map(([each, given, only]) => ({
    purpose: "Things.",
    schema: z.strictObject({
      id: slug,
      state: words("state"),
      a: z.boolean(),
      b: z.enum(["x"]),
      owner: reference("things"),
      each,
    }),
    key: "id",
    filters: { a: "a", b: "b", owner: "owner" },
    ...(only in given ? { [only]: given[only] } : {}),
  }));

const declaration = fc.oneof(options, almost);

const entry = fc.oneof(
  { weight: 4, arbitrary: declaration.map((each) => defineCollection(each as never)) },
  { weight: 2, arbitrary: declaration.map((each) => defineDocument(each as never)) },
  garbage,
);

const entries = fc.oneof(fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), entry), garbage);

const api = fc.oneof(
  {
    weight: 5,
    arbitrary: almost.map((each) => defineApi({ collections: { things: defineCollection(each as never) } })),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ base: garbage, collections: entries, documents: entries, other: garbage }, { requiredKeys: [] })
      .map((each) => defineApi(each as never)),
  },
  garbage,
);

/** The words of zod's messages and of JavaScript's. */
const foreign =
  /Invalid input|expected .* received|Too (?:small|big)|Unrecognized key|ZodError|TypeError|\bat .*:\d+:\d+|undefined \(|is not a function/;

it("reports any garbage in our words, and accepts only what can be completed", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        api.map((each) => ({ default: each })),
        garbage,
      ),
      (exported) => {
        const log = openLog();
        const checked = checkDeclaration(exported, places, log);
        expect(checked === undefined).toBe(log.hasErrors());
        for (const { text, hint = "A hint." } of log.messages().shown) {
          expect(text).toMatch(/^(?:[A-Z]|").*\.$/s);
          expect(hint).toMatch(/^(?:[A-Z]|").*[.?)]$/s);
          expect(`${text} ${hint}`).not.toMatch(foreign);
        }
        for (const { schema } of checked?.flatMap(({ operations }) => operations) ?? []) z.toJSONSchema(schema({}));
      },
    ),
    { numRuns: 125 * rounds },
  );
});
