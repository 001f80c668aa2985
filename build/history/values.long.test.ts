// The list of changes says what changed in items, and has no value that it should not have.
import { expect, it } from "vitest";
import * as z from "zod";
import type { Changes } from "../../src/answers/answers.ts";
import { defineApi, defineCollection } from "../../src/index.ts";
import type { Api } from "../../src/model/api.ts";
import { type LeftState, type Planned, planAfter } from "../../test/history/plan-after.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";

const fields = {
  id: z.string(),
  name: z.string(),
  note: z.string().optional(),
  place: z.strictObject({ city: z.string(), zip: z.string().optional() }),
  tags: z.array(z.string()),
  parts: z.array(z.strictObject({ name: z.string(), size: z.number() })),
};

const apiOf = (schema: z.ZodObject): Api =>
  completeApi(
    defineApi({
      collections: { things: defineCollection({ purpose: "Things.", schema, key: "id", order: ["name"] }) },
    }),
  );

const api = apiOf(z.strictObject(fields));

const axle = { id: "a", name: "Axle", place: { city: "Bonn" }, tags: ["x"], parts: [{ name: "pin", size: 1 }] };
const bolt = { ...axle, id: "b", name: "Bolt" };

interface Step {
  readonly things: readonly object[];
  readonly api?: Api;
  readonly settings?: object;
  readonly forgotten?: readonly string[];
  /** Files of the build before, in place of its own. */
  readonly left?: (built: Planned) => LeftState;
}

/** The lists of changes of builds that follow one another, a minute apart. */
async function after(...steps: readonly Step[]) {
  let built: Planned | undefined;
  const warnings: string[] = [];
  for (const [index, { things, api: declared = api, settings = {}, forgotten, left }] of steps.entries()) {
    const tree = { "things.json": JSON.stringify(things), "api.json": JSON.stringify(settings) };
    const all = built && new Map([...built.state, ...built.dumps, ...(left?.(built) ?? [])]);
    built = await planAfter(declared, tree, all ?? new Map(), 1_700_000_000 + 60 * index, [], forgotten);
    warnings.push(...built.warnings);
  }
  const found = built?.plan.files.find("api/v1/changes.json");
  const text = found === undefined ? "" : bytesOf(found).toString();
  const state = Buffer.concat([...(built?.state.values() ?? [])]).toString();
  const changes: Changes = JSON.parse(text);
  return { changes, text, state, warnings, told: changes.data.map(({ collections }) => collections["things"]?.fields) };
}

it("says what changed in an item: values, fields within others, lists, and fields that came or went", async () => {
  const { told } = await after(
    { things: [axle, bolt] },
    {
      things: [
        {
          ...axle,
          name: "Axis",
          note: "New.",
          place: { city: "Köln", zip: "5" },
          tags: ["x", "y"],
          parts: [{ name: "pin", size: 2 }],
        },
        bolt,
      ],
    },
    { things: [{ ...axle, name: "Axis", parts: [] }, bolt] },
  );
  expect(told).toEqual([
    {
      a: {
        note: ["New.", null],
        "place.city": ["Köln", "Bonn"],
        "place.zip": ["5", null],
        tags: [["x", "y"], ["x"]],
        "parts[pin]": [{ name: "pin", size: 2 }, null],
      },
    },
    {
      a: {
        name: ["Axle", "Axis"],
        note: [null, "New."],
        "place.city": ["Bonn", "Köln"],
        "place.zip": [null, "5"],
        tags: [["x"], ["x", "y"]],
        "parts[pin].size": [1, 2],
      },
    },
  ]);
});

const renamed = { ...axle, name: "Axis" };

it("keeps what it said in later builds, with the same bytes", async () => {
  const steps = [{ things: [axle, bolt] }, { things: [renamed, bolt] }];
  const { changes, text } = await after(...steps);
  expect(changes.data[0]?.collections["things"]?.fields).toEqual({ a: { name: ["Axle", "Axis"] } });
  expect((await after(...steps, { things: [renamed, bolt] })).text).toBe(text);
  const later = await after(...steps, { things: [renamed] });
  expect(JSON.stringify(later.changes.data[1])).toBe(JSON.stringify(changes.data[0]));
});

it("says nothing of an item whose line in the dump is not that of the state", async () => {
  const secret = { ...axle, name: "secret" };
  const dump = (...lines: readonly object[]): LeftState =>
    new Map([["api/v1/dumps/things.ndjson", Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]]);
  const odd = [
    dump(secret, bolt),
    dump(bolt, axle),
    dump(),
    new Map([["api/v1/dumps/things.ndjson", Buffer.from("{")]]),
  ];
  for (const files of odd) {
    const { told, text, warnings } = await after(
      { things: [axle, bolt] },
      { things: [renamed, bolt], left: () => files },
    );
    expect({ told, warnings }).toEqual({ told: [undefined], warnings: [] });
    expect(text).not.toContain("secret");
  }
  // The other lines count.
  const { told } = await after(
    { things: [axle, bolt] },
    { things: [renamed, { ...bolt, name: "Nut" }], left: () => dump(secret, bolt) },
  );
  expect(told).toEqual([{ b: { name: ["Bolt", "Nut"] } }]);
});

it.each(["\u0085", "\u2028", "\u2029", "\\u2028", "\\", "é水😀"])(
  "says what changed in an item with the text %j",
  async (sign) => {
    const thing = { ...axle, note: `x${sign}y` };
    const { told } = await after({ things: [thing, bolt] }, { things: [{ ...thing, name: "Axis" }, bolt] });
    expect(told).toEqual([{ a: { name: ["Axle", "Axis"] } }]);
  },
);

it("leaves out long values, and has at most a hundred items", async () => {
  const things = Array.from({ length: 300 }, (_, index) => ({ ...axle, id: `i${index}`, name: `N${index}` }));
  const { told, changes } = await after(
    { things },
    { things: things.map((thing) => ({ ...thing, note: "ä".repeat(198), tags: ["y".repeat(200)] })) },
    { things: things.map((thing) => ({ ...thing, note: "ö".repeat(199), tags: ["x"] })) },
  );
  const [newest = {}, oldest = {}] = told;
  expect(changes.data[0]?.collections["things"]?.changed).toHaveLength(300);
  expect(Object.keys(newest)).toHaveLength(100);
  expect(new Set(Object.values(newest).map((item) => JSON.stringify(item)))).toEqual(
    new Set([JSON.stringify({ note: [], tags: [] })]),
  );
  expect(Object.values(oldest)[0]).toEqual({ note: [null, "ä".repeat(198)], tags: [] });
});

it("has at most 500 kB: what changed goes first, the oldest first, and then entries", { timeout: 60_000 }, async () => {
  const noted = (note: string) => ({
    things: Array.from({ length: 1_000 }, (_, index) => ({
      ...axle,
      id: `i${index}`,
      name: `N${index}`,
      note: `${note.repeat(180)}${index}`,
    })),
  });
  const { told, text, changes } = await after(...[..."abüdefghijklmnop"].map(noted));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500_000);
  expect(Buffer.byteLength(text)).toBeGreaterThan(440_000);
  expect(changes.data).toHaveLength(15);
  const has = told.map((fields) => fields !== undefined);
  expect(has).toContain(false);
  expect(has).toEqual([...has].sort().reverse());
});

it("keeps no value of a forgotten item, of this build nor of earlier ones", async () => {
  const secret = { ...axle, note: "hunter2" };
  const steps = [
    { things: [axle, bolt] },
    { things: [secret, { ...bolt, note: "open" }] },
    { things: [axle, bolt] },
    { things: [{ ...axle, note: "hunter3" }, bolt] },
  ];
  expect((await after(...steps)).text).toContain("hunter2");
  const { told, text, state, warnings } = await after(...steps, {
    things: [axle, { ...bolt, name: "Nut" }],
    forgotten: ["things/a"],
  });
  expect(text + state).not.toContain("hunter");
  expect(told).toEqual([
    { b: { name: ["Bolt", "Nut"] } },
    undefined,
    { b: { note: ["open", null] } },
    { b: { note: [null, "open"] } },
  ]);
  expect(warnings).toEqual([]);
});

it("warns if there was nothing to forget", async () => {
  const steps = [{ things: [axle, bolt] }, { things: [renamed, bolt], forgotten: ["things/b", "things/a"] }];
  const { told, warnings } = await after(...steps);
  expect(told).toEqual([undefined]);
  expect(warnings).toEqual([
    expect.stringContaining(
      "No entry of the list of changes names things/b as changed, so there was nothing to forget.",
    ),
  ]);
});

it("says the chosen fields only, also of earlier builds", async () => {
  const changed = { ...renamed, note: "x", place: { city: "Ulm" } };
  const first = { things: [axle] };
  const all = { name: ["Axle", "Axis"], note: [null, "x"], "place.city": ["Bonn", "Ulm"] };
  const told = async (changes_fields: unknown) => {
    const settings = changes_fields === undefined ? {} : { changes_fields };
    const one = await after(first, { things: [changed], settings });
    const other = await after(first, { things: [changed] }, { things: [changed], settings });
    expect(other.told).toEqual(one.told);
    return one.told[0];
  };
  expect(await told(undefined)).toEqual({ a: all });
  expect(await told({ things: ["place", "name"] })).toEqual({ a: { name: all.name, "place.city": all["place.city"] } });
  expect(await told({ things: [] })).toBeUndefined();
  expect(await told({ things: false })).toBeUndefined();
  expect(await told(false)).toBeUndefined();
});

it("has no values of a field that the declaration does not have any more, and none of one that is new", async () => {
  const { note: _, ...fewer } = fields;
  const without = apiOf(z.strictObject(fewer));
  const withNote = [{ ...axle, note: "hunter2" }];
  const gone = await after({ things: [axle] }, { things: withNote }, { things: [renamed], api: without });
  expect(gone.told).toEqual([{ a: { name: ["Axle", "Axis"] } }, undefined]);
  expect(gone.text).not.toContain("hunter2");
  expect(gone.changes.data[0]?.declared?.removed).toEqual(["things.fields.note"]);
  const came = await after({ things: [axle], api: without }, { things: [{ ...renamed, note: "x" }] });
  expect(came.told).toEqual([{ a: { name: ["Axle", "Axis"] } }]);
  // Of a field within another one, all values of that go.
  const zipless = apiOf(z.strictObject({ ...fields, place: z.strictObject({ city: z.string() }) }));
  const zipped = await after(
    { things: [axle] },
    { things: [{ ...renamed, place: { city: "Ulm", zip: "hunter2" } }] },
    { things: [{ ...renamed, place: { city: "Ulm" } }], api: zipless },
  );
  expect(zipped.told).toEqual([undefined, { a: { name: ["Axle", "Axis"] } }]);
  expect(zipped.text).not.toContain("hunter2");
});

it("has the values of items if the declaration adds a filter", async () => {
  const things = defineCollection({
    purpose: "Things.",
    schema: z.strictObject(fields),
    key: "id",
    order: ["name"],
    filters: { name: { field: "name", slug: true } },
  });
  const filtered = completeApi(defineApi({ collections: { things } }));
  const { told, changes } = await after({ things: [axle] }, { things: [renamed], api: filtered });
  expect(changes.data[0]?.declared?.added).toEqual(["things.filters.name"]);
  expect(told).toEqual([{ a: { name: ["Axle", "Axis"] } }]);
});

it("has no values of an item that got another key", async () => {
  const { told, changes } = await after({ things: [axle, bolt] }, { things: [{ ...axle, id: "c" }, bolt] });
  expect(changes.data[0]?.collections["things"]).toEqual({ added: ["c"], changed: [], removed: ["a"] });
  expect(told).toEqual([undefined]);
});

it("says what changed in an item that moved, and if the order is another one", async () => {
  const moved = { ...axle, name: "Zoom" };
  expect((await after({ things: [axle, bolt] }, { things: [moved, bolt] })).told).toEqual([
    { a: { name: ["Axle", "Zoom"] } },
  ]);
  const byId = completeApi(
    defineApi({
      collections: {
        things: defineCollection({ purpose: "Things.", schema: z.strictObject(fields), key: "id", order: ["-id"] }),
      },
    }),
  );
  const { told } = await after({ things: [axle, bolt] }, { things: [moved, bolt], api: byId });
  expect(told).toEqual([{ a: { name: ["Axle", "Zoom"] } }]);
});
