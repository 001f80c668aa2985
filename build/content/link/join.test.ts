// References that content writes as another field of the item referred to.
import { expect, it } from "vitest";
import * as z from "zod";
import { type Collection, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compiledWithErrors, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { allItems } from "../table/items.ts";

const groups = defineCollection({
  purpose: "Groups.",
  noun: { one: "group", many: "groups" },
  schema: z.strictObject({ key: slug, number: z.int(), code: z.string().nullable() }),
  key: "key",
});
const group = reference("groups", { by: "number" });

const emojis = defineCollection({
  purpose: "Emojis.",
  noun: { one: "emoji", many: "emojis" },
  schema: z.strictObject({
    id: slug,
    group: group.nullable(),
    also: z.array(group).default([]),
    parts: z.array(z.strictObject({ of: reference("groups", { by: "code" }) })).optional(),
  }),
  key: "id",
  filters: { group: "group" },
});

function compile(tree: Tree, collections: Readonly<Record<string, Collection>> = { emojis, groups }) {
  const { content, errors } = compiledWithErrors(discovered(tree), completeApi(defineApi({ collections })));
  return {
    items: Object.fromEntries(Object.keys(collections).map((name) => [name, allItems(content.items.get(name))])),
    errors: errors.map(lineOf),
  };
}

const known = [
  { key: "smileys", number: 0, code: "S" },
  { key: "people", number: 1, code: null },
];
const tree = (text: string, file = "emojis.yaml"): Tree => ({ "groups.json": JSON.stringify(known), [file]: text });

it("answers the keys, also in lists and within objects", () => {
  const { items, errors } = compile(
    tree(
      '- { id: a, group: 0, also: [1, 0], parts: [{ of: S }] }\n- { id: b, group: "1" }\n- { id: c, group: null }\n',
    ),
  );
  expect(errors).toEqual([]);
  expect(items["emojis"]).toEqual([
    { id: "a", group: "smileys", also: ["people", "smileys"], parts: [{ of: "smileys" }] },
    { id: "b", group: "people", also: [] },
    { id: "c", group: null, also: [] },
  ]);
});

it("is the same from a table and after a transform", () => {
  const transformed = defineCollection({
    ...emojis.declaration,
    transform: (raw: object) => ({ ...raw, also: [] }),
  } as never);
  const text = "id,group\na,1\nb,\n";
  const expected = [
    { id: "a", group: "people", also: [] },
    { id: "b", group: null, also: [] },
  ];
  expect(compile(tree(text, "emojis.csv")).items["emojis"]).toEqual(expected);
  expect(
    compile(tree('[{"id":"a","group":1},{"id":"b","group":null}]', "emojis.json"), { emojis: transformed, groups })
      .items["emojis"],
  ).toEqual(expected);
});

it("gives the keys to what is made from an item, and reads the collections that are joined first", () => {
  const sets = defineCollection({
    purpose: "Sets.",
    schema: z.strictObject({ id: slug, groups: z.array(group) }),
    key: "id",
  });
  const members = defineCollection({
    purpose: "Members.",
    schema: z.strictObject({ id: slug, group: reference("groups") }),
    key: "id",
    ...from(sets, ({ id, groups }) => groups.map((each, index) => ({ id: `${id}-${1 - index}`, group: each }))),
  });
  const { items, errors } = compile(
    { "groups.json": JSON.stringify(known), "sets.json": '{"id":"x","groups":[1,0]}' },
    { members, sets, groups },
  );
  expect(errors).toEqual([]);
  expect(items["members"]).toEqual([
    { id: "x-0", group: "smileys" },
    { id: "x-1", group: "people" },
  ]);
});

it("reports a value that no item has at its place, once and with what is meant", () => {
  expect(compile(tree("- { id: a, group: 7, also: [1, 2] }\n- { id: b, group: people }\n")).errors).toEqual([
    'emojis.yaml:1:19 no-such-item There is no group with the number "7". Add it, or name another.',
    'emojis.yaml:1:32 no-such-item There is no group with the number "2". Add it, or name another.',
    'emojis.yaml:2:19 no-such-item There is no group with the number "people". Did you mean "1"?',
  ]);
});

it("reports the other faults of an item that a transform made beside a reference to no item", () => {
  const transform = ({ half, ...raw }: object & { half?: unknown }) => ({ ...raw, half: half ?? "x", group: 7 });
  const halves = z.strictObject({ id: slug, group, half: z.int() });
  const transformed = defineCollection({ purpose: "Emojis.", schema: halves, key: "id", transform });
  expect(compile(tree("- { id: a }\n"), { emojis: transformed, groups }).errors).toEqual([
    'emojis.yaml:1:3 no-such-item There is no group with the number "7". Add it, or name another.',
    'emojis.yaml:1:3 wrong-type half must be an integer, but is "x".',
  ]);
});

it("reports a default that is no key, and a path that contradicts its file", () => {
  const defaulted = defineCollection({
    purpose: "Emojis.",
    schema: z.strictObject({ id: slug, group: group.default("nope") }),
    key: "id",
    files: "emojis/{group}/*.json",
  });
  const errorsOf = (files: Tree) =>
    compile({ "groups.json": JSON.stringify(known), ...files }, { emojis: defaulted, groups }).errors.map((line) =>
      line.replace(/^(\S+ \S+) .*/, "$1"),
    );
  expect(errorsOf({ "emojis/1/a.json": '{"id":"a"}' })).toEqual([]);
  expect(errorsOf({ "emojis/1/a.json": '{"id":"a","group":0}' })).toEqual(["emojis/1/a.json:1:19 wrong-collection"]);
  const other = defineCollection({ ...defaulted.declaration, files: "emojis.json" } as never);
  expect(compile(tree('{"id":"a"}', "emojis.json"), { emojis: other, groups }).errors).toEqual([
    expect.stringContaining('no-such-item There is no group with the key "nope".'),
  ]);
});

it("does not report the references to an item whose own field is misspelt or wrong", () => {
  const errorsOf = (groups: string) =>
    compile({ "groups.json": groups, "emojis.yaml": "- { id: a, group: 3 }\n- { id: b, group: 3 }\n" }).errors.map(
      (line) => line.replace(/^(\S+ \S+) .*/, "$1"),
    );
  expect(errorsOf('[{"key":"x","nubmer":3,"code":null}]')).toEqual(["groups.json:1:13 unknown-field"]);
  expect(errorsOf('[{"key":"NO no","number":3,"code":null}]')).toEqual(["groups.json:1:9 wrong-value"]);
});

it("reports other references that lead to no item beside a faulty item", () => {
  const groups = JSON.stringify([...known, { key: "more", number: "x" }]);
  const emojis = "- { id: a, group: 7, parts: [{ of: T }] }\n- { id: b, group: x }\n";
  const errors = compile({ "groups.json": groups, "emojis.yaml": emojis }).errors;
  expect(errors.map((line) => line.replace(/^(\S+ \S+) .*/, "$1"))).toEqual([
    "emojis.yaml:1:19 no-such-item",
    "emojis.yaml:1:36 no-such-item",
    "groups.json:1:82 missing-field",
    "groups.json:1:105 wrong-type",
  ]);
});

it("reports a value that two items have", () => {
  const groups = JSON.stringify([...known, { key: "more", number: 1, code: "T" }], null, 1);
  expect(compile({ "groups.json": groups, "emojis.yaml": "id: a\ngroup: 1\n" }).errors).toEqual([
    'groups.json:14:13 not-unique The number "1" is taken by the group "people", and others refer to it by this field. Change one of them.',
  ]);
});

it("follows references in fields with dots and brackets in their names", () => {
  const odd = defineCollection({
    purpose: "Odd.",
    schema: z.strictObject({
      id: slug,
      "a.b": group,
      "c[]": z.array(z.strictObject({ "d.e": reference("groups") })),
    }),
    key: "id",
  });
  const right = '- { id: a, "a.b": 0, "c[]": [{ "d.e": people }] }\n';
  const wrong = '- { id: b, "a.b": 9, "c[]": [{ "d.e": no }] }\n';
  const { items } = compile(tree(right, "odd.yaml"), { odd, groups });
  expect(items["odd"]).toEqual([{ id: "a", "a.b": "smileys", "c[]": [{ "d.e": "people" }] }]);
  const { errors } = compile(tree(right + wrong, "odd.yaml"), { odd, groups });
  expect(errors.map((each) => each.replace(/(?<=")\..*$/, ""))).toEqual([
    'odd.yaml:2:19 no-such-item There is no group with the number "9"',
    'odd.yaml:2:39 no-such-item There is no group with the key "no"',
  ]);
});

it("says of what the value must be", () => {
  const { errors } = compile(tree("- { id: a, group: [1] }\n- { id: b }\n"));
  expect(errors).toEqual([
    "emojis.yaml:1:19 wrong-type group must be the number of an item of groups, or null, but is a list.",
    "emojis.yaml:2:3 missing-field An emoji must have the field group. Its value must be the number of an item of groups, or null.",
  ]);
});

it("refuses a number if the field is a text, because the text of 001 would be 1", () => {
  const codes = [
    { key: "one", number: 1, code: "1" },
    { key: "zero", number: 2, code: "001" },
  ];
  const text =
    "- id: a\n  group: 1\n  parts: [{ of: 001 }, { of: '001' }]\n- id: b\n  group: 2\n  parts: [{ of: 7 }]\n";
  expect(compile({ "groups.json": JSON.stringify(codes), "emojis.yaml": text }).errors).toEqual([
    'emojis.yaml:3:17 wrong-type parts[0].of must be the code of a group, a string, but is the number 001. Put it in quotes: "001".',
    "emojis.yaml:6:17 wrong-type parts[0].of must be the code of a group, a string, but is the number 7.",
  ]);
});
