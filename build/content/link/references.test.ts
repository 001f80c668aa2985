import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { discovered, faultsOf, rightTree, type Tree } from "../../../test/content/folder.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { compiledWithErrors, programOfTests } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { itemIn } from "../table/table.ts";

const node = (id: string, pop: unknown = "lhr1") =>
  JSON.stringify({ id, pop, created_at: "2026-01-01T00:00:00Z", status: "ready", capacity: "1G" });

const region = (code: string) => `{"code":"${code}","name":"A","zone":"a-b","country":"GB","status":"ready"}`;

const linkFaultsOf = (tree: Tree) => faultsOf(tree).filter((line) => / (not-unique|no-such-item) /.test(line));

describe("unique keys", () => {
  it("reports each repeat of an id at its place, with the place of the first", () => {
    const tree = {
      ...rightTree,
      "nodes/a.ndjson": [node("nod_1"), node("nod_2"), node("nod_1")].join("\n"),
      "nodes/b.json": node("nod_1"),
    };
    const first = "is taken by another node, at nodes/a.ndjson:1:7. Change one of them; case makes no difference.";
    expect(faultsOf(tree)).toEqual([
      `nodes/a.ndjson:3:7 not-unique The id "nod_1" ${first}`,
      `nodes/b.json:1:7 not-unique The id "nod_1" ${first}`,
    ]);
  });

  it("ignores case", () => {
    expect(faultsOf({ "regions.ndjson": `${region("lhr1")}\n${region("LHR1")}` })).toEqual([
      'regions.ndjson:2:9 not-unique The code "LHR1" is taken by another region, at regions.ndjson:1:9. Change one of them; case makes no difference.',
    ]);
  });

  it("reports a wrong id that lowercase would make another's", () => {
    expect(linkFaultsOf({ ...rightTree, "nodes.ndjson": `${node("nod_a")}\n${node("NOD_A")}` })).toHaveLength(1);
  });

  it.each(["", "TODO", "nod_"])("leaves repeats of %j, which is no id, to be reported as that", (id) => {
    const faults = faultsOf({ ...rightTree, "nodes.ndjson": `${node(id)}\n${node(id)}` });
    expect(faults.map((line) => line.split(" ")[1])).toEqual(["wrong-value", "wrong-value"]);
  });

  it("tells the ids of different resources apart", () => {
    const both = { name: "lhr1", fields: [] };
    expect(faultsOf({ ...rightTree, "schema/lhr1.json": JSON.stringify(both) })).toEqual([]);
  });
});

describe("references", () => {
  it.each([
    ["lhr2", 'There is no region with the code "lhr2". Did you mean "lhr1"?'],
    ["LHR1", 'There is no region with the code "LHR1". Did you mean "lhr1"?'],
    ["lrh1", 'There is no region with the code "lrh1". Did you mean "lhr1"?'],
    ["syd1", 'There is no region with the code "syd1". Add it, or name another.'],
  ])("reports the unknown region %s, with the nearest", (pop, report) => {
    expect(faultsOf({ ...rightTree, "nodes.json": node("nod_1", pop) })).toEqual([
      `nodes.json:1:21 no-such-item ${report}`,
    ]);
  });

  it("leaves values that are not region codes to validation", () => {
    const faults = faultsOf({ ...rightTree, "nodes.ndjson": [node("nod_1", "London"), node("nod_2", 7)].join("\n") });
    expect(faults.map((line) => line.split(" ")[1])).toEqual(["wrong-value", "wrong-type"]);
  });

  it("reports an unknown region beside a region that has no code", () => {
    const tree = { "regions.ndjson": `${region("lhr1")}\n{"name":"Tokyo"}`, "nodes.json": node("nod_1", "lhr2") };
    expect(linkFaultsOf(tree)).toHaveLength(1);
  });

  const lost = { "nodes.json": node("nod_1", "nrt1") };

  it.each<[string, Tree]>([
    ["is itself faulty", { "regions.json": '{"code":"nrt1"}' }],
    ["has a misspelt field for its code", { "regions.json": '{"cod":"nrt1"}' }],
    ["is only a code", { "regions.json": '["nrt1"]' }],
    ["is on a broken line", { "regions.ndjson": `${region("lhr1")}\n{"code":"nrt1",}` }],
    ["is in a file that is no YAML", { "regions/a.json": "[]", "regions/b.yaml": "code: @nrt1" }],
    ["is in a file with a misspelt name", { "region.json": region("nrt1") }],
    ["is in a file with a wrong ending", { "regions.JSON": region("nrt1") }],
    ["has fields that are merged into it", { "regions.yaml": "- &a {code: nrt1}\n- <<: *a\n" }],
  ])("does not repeat what is wrong with a region that %s", (_, tree) => {
    expect(faultsOf({ ...tree, ...lost }).length).toBeGreaterThan(0);
    expect(linkFaultsOf({ ...tree, ...lost })).toEqual([]);
  });

  it.each(["link", "special"] as const)("does not repeat what is wrong with a file: %s", (reason) => {
    expect(faultsOf(lost, { regions: reason }).map((line) => line.split(" ")[1])).toEqual(["no-file"]);
  });

  it("does not take a file of notes for regions that are missing", () => {
    expect(linkFaultsOf({ ...lost, "regions/NOTES.txt": "" })).toHaveLength(1);
  });

  it("does not repeat that a collection's name is a number", () => {
    const record =
      '{"id":"rec_1","created_at":"2026-01-01T00:00:00Z","collection":"2026","revision":0,"updated_at":"2026-01-01T00:00:00Z"}';
    expect(faultsOf({ "schema.yaml": "name: 2026\nfields: []\n", "records.json": record })).toEqual([
      'schema.yaml:1:7 wrong-type name must be at most 200 lowercase letters, digits, underscores and hyphens, but is the number 2026. Put it in quotes: "2026".',
    ]);
  });
});

describe("references in the keys of a record", () => {
  const schema = z.strictObject({ id: slug, sizes: z.record(reference("things"), z.int()).optional() });
  const things = defineCollection({ purpose: "Things.", schema, key: "id", filters: { sized: { keysOf: "sizes" } } });
  const api = completeApi(defineApi({ collections: { things } }));
  const faultsWith = (sizes: string) =>
    faultsOf({ "things.ndjson": `{"id":"a","sizes":${sizes}}\n{"id":"b"}` }, {}, undefined, api);

  it.each<[string, readonly string[]]>([
    ['{"a":1,"b":2}', []],
    ['{"b":1,"c":2}', ["things.ndjson:1:26 no-such-item"]],
    ['{"../x":1}', ["things.ndjson:1:20 wrong-value"]],
  ])("must lead to items: %s", (sizes, expected) => {
    expect(faultsWith(sizes).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(expected);
  });
});

it.each<[string, string, boolean]>([
  ["a key that is no key", region("NO no"), false],
  ["no key", '{"name":"Tokyo"}', true],
  ["a line that is broken", '{"code":"nrt1",}', true],
])("lists the items for editors, and whether there may be more, beside %s", (_, line, isOpen) => {
  const { content } = compiledWithErrors(discovered({ "regions.ndjson": `${region("lhr1")}\n${line}` }), edgeNetwork);
  const choices = content.choices.get("regions");
  expect(choices?.items.map((json) => itemIn(json)["code"])).toEqual(["lhr1"]);
  expect(choices?.isOpen).toBe(isOpen);
});

describe("a key that another item has already", () => {
  const tools = defineCollection({
    purpose: "Tools.",
    noun: { one: "tool", many: "tools" },
    schema: z.strictObject({ name: z.string(), aliases: z.array(z.string()), uses: reference("tools").optional() }),
    key: "name",
    item: { aliases: "aliases" },
  });
  const api = completeApi(defineApi({ collections: { tools } }));

  it.each([
    ["in another case", { name: "Node", aliases: [] }],
    ["as an alias", { name: "nodejs", aliases: [] }],
  ])("is reported once, and not at the references to it: %s", (_, repeat) => {
    const items = [
      { name: "node", aliases: ["nodejs"] },
      repeat,
      { name: "npm", aliases: [], uses: repeat.name },
      { name: "yarn", aliases: [], uses: "nod" },
    ];
    const text = items.map((item) => `${JSON.stringify(item)}\n`).join("");
    expect(faultsOf({ "tools.ndjson": text }, {}, undefined, api)).toEqual([
      expect.stringContaining(`tools.ndjson:2:9 not-unique The name "${repeat.name}" is taken by another tool`),
      expect.stringContaining('no-such-item There is no tool with the name "nod".'),
    ]);
  });

  it("is not reported again at the items that are made from the repeat", () => {
    const releases = defineCollection({
      purpose: "Releases.",
      schema: z.strictObject({ tool: reference("tools"), cycle: z.string() }),
      key: "cycle",
      ...from(tools, ({ name }) => [{ tool: name, cycle: `${name}-1` }]),
    });
    const both = completeApi(defineApi({ collections: { tools, releases } }));
    const text = '{"name":"node","aliases":[]}\n{"name":"node","aliases":[]}\n';
    expect(faultsOf({ "tools.ndjson": text }, {}, undefined, both)).toEqual([
      expect.stringContaining('tools.ndjson:2:9 not-unique The name "node" is taken by another tool'),
    ]);
  });

  it("has the place of the alias if the whole item is an alias of YAML", () => {
    const text = "- &first { name: node, aliases: [] }\n- *first\n";
    expect(faultsOf({ "tools.yaml": text }, {}, undefined, api)).toEqual([
      expect.stringContaining(
        'tools.yaml:2:3 not-unique The name "node" is taken by another tool, at tools.yaml:1:18.',
      ),
    ]);
  });
});

it("reports a key from the path of a table at each row that repeats it", () => {
  const schema = z.strictObject({ id: slug, n: z.int() });
  const rows = defineCollection({ purpose: "Rows.", schema, key: "id", files: "by/{id}.csv" });
  const api = completeApi(defineApi({ collections: { rows } }));
  expect(faultsOf({ "by/zz.csv": "n\n1\n2\n" }, {}, undefined, api)).toEqual([
    expect.stringMatching(/^by\/zz\.csv:3:1 not-unique The id "zz" is taken by another .*, at by\/zz\.csv:2:1\./),
  ]);
});

describe("references to items that are made from others", () => {
  const tools = defineCollection({
    purpose: "Tools.",
    schema: z.strictObject({ name: slug, cycles: z.array(z.string()) }),
    key: "name",
    transform: (raw) => {
      if ("broken" in raw) throw new Error("Broken.");
      return raw;
    },
  });
  const releases = defineCollection({
    purpose: "Releases.",
    schema: z.strictObject({ id: slug, tool: reference("tools") }),
    key: "id",
    ...from(tools, ({ name, cycles }) => cycles.map((cycle) => ({ id: `${name}-${cycle}`, tool: name }))),
  });
  const builds = defineCollection({
    purpose: "Builds.",
    schema: z.strictObject({ id: slug, release: reference("releases") }),
    key: "id",
    ...from(releases, ({ id }) => [{ id: `${id}-arm`, release: id }]),
  });
  const uses = defineCollection({
    purpose: "Uses.",
    schema: z.strictObject({ id: slug, release: reference("releases"), build: reference("builds") }),
    key: "id",
  });
  const derived = completeApi(defineApi({ collections: { tools, releases, builds, uses } }), programOfTests);
  const codesOf = (tree: Tree) =>
    faultsOf(tree, {}, undefined, derived).map((line) => line.replace(/^(\S+ \S+) .*/, "$1"));
  const use = { "uses.json": '[{"id":"a","release":"node-1","build":"node-1-arm"}]' };

  it("are reported if no item can become them", () => {
    expect(codesOf({ "tools.json": '[{"name":"node","cycles":["1"]}]', ...use })).toEqual([]);
    expect(codesOf({ "tools.json": '[{"name":"node","cycles":["2"]}]', ...use })).toEqual([
      "uses.json:1:22 no-such-item",
      "uses.json:1:39 no-such-item",
    ]);
  });

  it.each<[string, string, string]>([
    ["unreadable", "[", "tools.json:1:2 syntax"],
    ["no objects", "[5]", "tools.json:1:2 wrong-type"],
    ["faulty", '[{"name":"node","cycles":"1"}]', "tools.json:1:26 wrong-type"],
    ["not made, because a function fails", '[{"broken":true}]', "tools.json:1:2 not-made"],
  ])("are not reported if items that they are made from are %s", (_, text, expected) => {
    expect(codesOf({ "tools.json": text, ...use })).toEqual([expected]);
  });

  it("are not reported if the file of these is misplaced", () => {
    expect(codesOf({ "tool.json": "[]", ...use })).toEqual(["tool.json:1:1 unknown-file"]);
  });
});
