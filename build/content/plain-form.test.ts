// Compares plain forms with zod, on valid and broken lines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { decimal, flag, id, orNull, time } from "../../src/forms.ts";
import type { Resource } from "../../src/resource.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { allItems, type Items, keyAt, valuesAt } from "./catalog.ts";
import { compileContent } from "./content.ts";
import { type PlainForm, plainForm } from "./plain-form.ts";

const vocabulary = { image_status: ["ready", "f.iled"] };

const valid: Readonly<Record<string, readonly object[]>> = {
  records: [
    {
      id: "rec_1",
      created_at: "2026-11-20T09:00:00Z",
      collection: "app",
      revision: 0,
      updated_at: "2026-11-20T09:00:00Z",
    },
    {
      id: "rec_a1b2c3",
      created_at: "2024-02-29T23:59:59Z",
      collection: "server-app",
      revision: 999999999999999,
      updated_at: "2026-01-01T00:00:00Z",
    },
  ],
  nodes: [{ id: "nod_7", created_at: "1999-12-31T00:00:00Z", pop: "lhr1", status: "operational", capacity: "100G" }],
  regions: [{ code: "lhr1", name: "St. John's (East)", zone: "eu-west", country: "GB", status: "operational" }],
  fixtures: [
    {
      id: "inc_1",
      created_at: "2026-11-20T09:00:00Z",
      resolved_at: null,
      severity: null,
      public: true,
      share: 0,
      offset: null,
      retries: 3,
    },
    {
      id: "inc_2",
      created_at: "2026-11-20T09:00:00Z",
      resolved_at: "2026-11-20T09:00:01Z",
      severity: "major",
      public: false,
      share: 0.000001,
      offset: -12.5,
      retries: 0,
      team: "red",
    },
  ],
  things: [
    {
      id: "x",
      madeAt: null,
      kind: "thing",
      size2: 1.5,
      owner: { name: "A (b)", state: null },
      words: [],
      grid: [[], [1, -2.5]],
      latlng: [0, 180],
      done: true,
    },
    {
      id: "~",
      madeAt: "",
      "a.b$ c": "abcd",
      kind: "a|b",
      size2: -1,
      count: null,
      owner: { name: "", state: "y", age: 9 },
      words: ["w", "wx"],
      grid: [],
      latlng: [1, -0.5],
      done: false,
    },
  ],
  images: [
    {
      id: "med_x",
      created_at: "2026-11-20T09:00:00Z",
      content_type: "image/svg+xml",
      bytes: 1,
      width: 20,
      height: 300,
      status: "ready",
    },
  ],
};

/** A resource with forms that no real resource uses yet. */
const incident: Resource = {
  noun: "incident",
  nouns: "incidents",
  title: "Incident",
  meaning: "",
  meanings: {},
  key: "id",
  scope: [],
  keyForm: "^inc_[a-z0-9]+$",
  schema: () =>
    z
      .strictObject({
        id: id("inc"),
        created_at: time,
        resolved_at: orNull(time),
        severity: orNull(z.enum(["minor", "major"]).describe("minor or major")),
        public: flag,
        share: decimal(0, 1, "a number from 0 to 1"),
        offset: orNull(decimal(-100, 1e6, "a number from -100 to 1000000")),
        retries: z.int().min(0).max(9).default(3),
        team: z.enum(["red", "blue"]).describe("red or blue").optional(),
      })
      .refine(({ resolved_at, created_at }) => resolved_at === null || resolved_at >= created_at),
  references: [],
  innerReferences: [],
  defining: [],
  notBefore: [{ field: "resolved_at", than: "created_at" }],
  example: {},
};

/** A resource with optional, nullable and nested fields, plain texts, literals and any names of fields. */
const thing: Resource = {
  ...incident,
  schema: () =>
    z.strictObject({
      id: z.string(),
      madeAt: z.string().nullable(),
      "a.b$ c": z.string().min(2).max(4).optional(),
      kind: z.literal(["thing", "a|b"]),
      size2: z.number(),
      count: z.int().nullable().optional(),
      owner: z.object({
        name: z.string(),
        state: z.enum(["x", "y"]).nullable(),
        age: z.int().min(0).max(9).optional(),
      }),
      tags: z.array(z.string().regex(/^[a-z]+$/i)).optional(),
      words: z.array(z.string().startsWith("w")).max(2),
      grid: z.array(z.array(z.number())),
      latlng: z.tuple([z.number(), z.number().min(-180).max(180)]),
      done: z.boolean().readonly(),
    }),
  notBefore: [],
};

/** The same without a pattern whose flags a JSON schema does not have. */
const quickThing: Resource = {
  ...thing,
  schema: () => {
    const schema = thing.schema({});
    return schema instanceof z.ZodObject ? schema.omit({ tags: true }) : schema;
  },
};

it("has no form for a schema with rules that cannot be derived", () => {
  expect(plainForm(thing, {})).toBeUndefined();
  expect(plainForm(quickThing, {})).toBeDefined();
  expect(plainForm({ ...quickThing, innerReferences: [{ field: "words[]", to: "words" }] }, {})).toBeUndefined();
  const of = (field: z.ZodType) => plainForm({ ...thing, schema: () => z.strictObject({ id: z.string(), field }) }, {});
  const without = [
    z.url(),
    z.ipv6(),
    z.iban(),
    z.string().refine(() => true),
    z.string().trim(),
    z.string().includes("x"),
    // Valid without the flag u only.
    z.string().regex(/^[\w-.]+$/),
    z.string().min(5).max(2),
  ];
  for (const field of [...without, z.record(z.string(), z.string()), z.number().multipleOf(2), z.unknown()]) {
    expect(of(field)).toBeUndefined();
    expect(of(z.array(field))).toBeUndefined();
  }
  expect(of(z.array(z.string()).refine(() => true))).toBeUndefined();
  expect(of(z.array(z.string()))).toBeDefined();
});

it("parses a line with a list that is too long for a pattern", () => {
  const api = completeApi(
    defineApi({
      collections: {
        things: defineCollection({
          purpose: "Things.",
          schema: z.strictObject({ id: z.string(), list: z.array(z.array(z.int())) }),
          key: "id",
        }),
      },
    }),
  );
  const lists = [1, 1000, 1001, 200_000].map((length) => Array.from({ length }, (_, index) => [index]));
  const text = lists.map((list, index) => JSON.stringify({ id: `t${index}`, list })).join("\n");
  const [{ items }, faults] = compileContent(discovered({ "things.ndjson": text }), api);
  expect(faults).toEqual([]);
  expect(allItems(items.get("things")).map((item) => item["list"])).toEqual(lists);
});

const resources = [
  ...edgeNetwork.lists,
  { name: "fixtures", resource: incident },
  { name: "things", resource: quickThing },
];

const forms = resources.flatMap(({ name, resource }) => {
  const form = plainForm(resource, vocabulary);
  return form === undefined ? [] : [{ operation: { name, resource }, form }];
});

const isPlain = ({ line, accepts }: PlainForm, text: string): boolean => {
  line.lastIndex = 0;
  const match = line.exec(text);
  return match !== null && match[0].length === text.length && accepts(match);
};

/** Values that are nearly valid, or valid for other fields. */
const values = [
  ...[
    '{"name":"a","state":"x"}',
    '{"name":"a","state":"z"}',
    '{"name":"a","state":null,"age":10}',
    '{"state":null,"name":"a"}',
  ],
  ...[
    '["w"]',
    '["w","w","w"]',
    '["v"]',
    '["w",]',
    "[[1],[2,3]]",
    "[[1.50]]",
    "[[1],[]]",
    "[0,181]",
    "[0,1]",
    "[0]",
    '"a|b"',
    '"abcde"',
  ],
  ..."-0 00 01 1.0 1e3 1E3 0.5 -1 9007199254740991 9007199254740992 1000000000000000 null true [] {} [1]".split(" "),
  ...[
    '"rec_"',
    '"rec_é"',
    '"rec_A"',
    '"rec_a\\u0062"',
    '"rec_a\\n"',
    '"rec_a"',
    '"nod_a"',
    '" "',
    '""',
    '"a\\"b"',
    '"a\\\\"',
  ],
  ...['"2026-02-30T00:00:00Z"', '"2025-02-29T00:00:00Z"', '"2026-11-20T24:00:00Z"', '"2026-11-20T09:00:60Z"'],
  ...['"2026-11-20T09:00:00.0Z"', '"2026-11-20T09:00:00+00:00"', '"2026-11-20 09:00:00Z"', '"0000-01-01T00:00:00Z"'],
  ...['"1000-01-01T00:00:00Z"', '"2000-02-29T00:00:00Z"', '"1900-02-29T00:00:00Z"', '"9999-12-31T23:59:59Z"'],
  ...[
    '"operational"',
    '"Operational"',
    '"ready"',
    '"f.iled"',
    '"failed"',
    '"0G"',
    '"1G"',
    '"01G"',
    '"LHR1"',
    '"lhr"',
    '"lhr12"',
  ],
  ..."0.5 0.50 -0 -0.5 -12.5 -100.1 .5 0.0000001 0.0000015 0.1234567 1000000 1000000.5 false 7 10".split(" "),
  ...[
    '"image/png"',
    '"image/"',
    '"image/png\\n"',
    '"text/png"',
    `"${"a".repeat(200)}"`,
    `"${"a".repeat(201)}"`,
    '"__proto__"',
  ],
];

const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 1 }) },
);

/** Changes to a line: members are replaced, moved, repeated or omitted, characters changed. */
const anyLine = (item: object): fc.Arbitrary<string> => {
  const members = Object.entries(item).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  const names = Object.keys(item);
  const replaced = fc
    .tuple(fc.nat(names.length - 1), anyValue)
    .map(([at, value]) => `{${members.with(at, `"${names[at]}":${value}`)}}`);
  const moved = fc.shuffledSubarray(members, { minLength: names.length - 1 }).map((some) => `{${some}}`);
  const added = fc
    .tuple(fc.nat(names.length), fc.constantFrom('"x":1', '"__proto__":1', '"":0', ...members))
    .map(([at, member]) => `{${members.toSpliced(at, 0, member)}}`);
  const text = `{${members}}`;
  const strange = fc.oneof(
    fc.constantFrom(...' \t\r\n\\"{}[],:é\u0000\u007f\u2028\ufeff_-G0aZ'),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  const changed = fc
    .tuple(fc.nat(text.length), fc.nat(1), strange)
    .map(([at, cut, character]) => text.slice(0, at) + character + text.slice(at + cut));
  return fc.oneof(replaced, moved, added, changed, fc.constant(text));
};

/** Generators for a form and one of its items. Cached, because creating them takes longer than testing a line. */
const anyCaseOf = ({ operation, form }: (typeof forms)[number]) =>
  fc.oneof(
    ...(valid[operation.name] ?? [operation.resource.example]).map((item) =>
      anyLine(item).map((line) => ({ operation, form, line })),
    ),
  );

const anyCase = fc.oneof(...forms.map(anyCaseOf));

const schemas = new Map(forms.map(({ operation: { resource } }) => [resource, resource.schema(vocabulary)]));

/** The line as stillapi writes it after zod has parsed it; undefined if it is not JSON or not valid. */
function written({ resource }: { readonly resource: Resource }, line: string): string | undefined {
  try {
    const read = schemas.get(resource)?.safeParse(JSON.parse(line));
    return read?.success ? JSON.stringify(read.data) : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

it("there is a quick way for items without lists and objects, and valid items take it", () => {
  const names = forms.map(({ operation }) => operation.name);
  const isFlat = ({ example }: Resource) => Object.values(example).every((each) => Object(each) !== each);
  expect(names).toEqual(resources.filter(({ resource }) => isFlat(resource)).map(({ name }) => name));
  for (const { operation, form } of forms) {
    for (const item of valid[operation.name] ?? []) {
      for (const end of ["", "\n", "\r\n"]) expect(isPlain(form, JSON.stringify(item) + end)).toBe(true);
    }
  }
});

const runs = Number(process.env["PLAIN_FORM_RUNS"] ?? 5_000);

it("a plain line is valid for zod and equals the line that stillapi writes", { timeout: 300_000 }, () => {
  let plain = 0;
  fc.assert(
    fc.property(anyCase, ({ operation, form, line }) => {
      const text = Buffer.from(line).toString("latin1");
      if (!isPlain(form, text)) return;
      plain++;
      expect(written(operation, line)).toBe(line.replace(/\r?\n$/, ""));
    }),
    { numRuns: runs },
  );
  expect(plain).toBeGreaterThan(runs / 10);
});

const context: Tree = {
  "schema.json": JSON.stringify(["app", "server-app"].map((name) => ({ name, fields: [] }))),
  "regions.yaml": '[{"code":"lhr1","name":"London","zone":"eu-west","country":"GB","status":"operational"}]',
  "api.json": JSON.stringify({ vocabulary }),
};

/** Contains keys and referenced values in place of their numbers, which depend on how the line was read. */
const withNames = (items: Items | undefined) => ({
  ...items,
  keys: Array.from({ length: items?.count ?? 0 }, (_, index) => items && keyAt(items.keys, index)),
  filters: [...(items?.filters ?? [])].map(([param, values]) => [
    param,
    Array.from({ length: items?.count ?? 0 }, (_, index) => valuesAt(values, index)),
  ]),
});

/** Of those that compileContent knows. */
const anyContentCase = fc.oneof(...forms.filter(({ operation }) => operation.resource !== incident).map(anyCaseOf));

describe("content is accepted or refused, with the same items, whichever way it goes", () => {
  it("over any lines", { timeout: 300_000 }, () => {
    const lines = fc.array(anyContentCase, { minLength: 1, maxLength: 6 });
    const file = fc.constantFrom("", "/app", "/server-app", "/x", "/app/server-app", "/app/app");
    fc.assert(
      fc.property(lines, file, fc.constantFrom("\n", "\r\n", "\n\n"), (cases, place, end) => {
        const { operation } = cases[0] ?? { operation: undefined };
        // A line break inside a line is whitespace in JSON and ends a line of NDJSON. A byte order mark may start a file,
        // but no value of an array.
        const own = cases
          .filter((each) => each.operation === operation && !/[\r\n]|^\ufeff/.test(each.line))
          .map(({ line }) => line);
        if (own.length === 0) return;
        const path = `${operation?.name}${place}`;
        const short = compileContent(discovered({ ...context, [`${path}.ndjson`]: own.join(end) }), edgeNetwork);
        const long = compileContent(discovered({ ...context, [`${path}.json`]: `[${own}]` }), edgeNetwork);
        expect(short[1].length === 0).toBe(long[1].length === 0);
        if (long[1].length > 0) return;
        const name = operation?.name ?? "";
        expect(allItems(short[0].items.get(name))).toEqual(allItems(long[0].items.get(name)));
        expect(withNames(short[0].items.get(name))).toEqual(withNames(long[0].items.get(name)));
      }),
      { numRuns: 300 },
    );
  });

  const line = (id: string, more: object = {}) => JSON.stringify({ ...valid["records"]?.[0], id, ...more });
  it.each<[string, Tree, string]>([
    [
      "an id twice in plain lines",
      { "records.ndjson": `${line("rec_1")}\n${line("rec_1")}` },
      "records.ndjson:2:7 not-unique",
    ],
    [
      "an id in a plain line and in another file",
      { "records.ndjson": line("rec_1"), "records/a.json": line("rec_1") },
      "records/a.json:1:7 not-unique",
    ],
    [
      "a collection without a schema",
      { "records.ndjson": `${line("rec_1")}\n${line("rec_2", { collection: "apq" })}` },
      "records.ndjson:2:64 no-such-item",
    ],
    [
      "a collection that is not the file's",
      { "records/server-app.ndjson": line("rec_1") },
      "records/server-app.ndjson:1:64 wrong-collection",
    ],
    [
      "times in the wrong order",
      { "records.ndjson": line("rec_1", { updated_at: "2026-11-20T08:59:59Z" }) },
      "records.ndjson:1:96 wrong-value",
    ],
  ])("with %s", (_, tree, report) => {
    const [, diagnostics] = compileContent(discovered({ ...context, ...tree }), edgeNetwork);
    expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([report]);
  });
});
