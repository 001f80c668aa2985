import { expect, it, vi } from "vitest";
import * as z from "zod";
import { file, image } from "../../../src/declare/assets.ts";
import { defineApi, defineCollection, defineDocument } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { discovered } from "../../../test/content/folder.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { compiled, compiledWithErrors } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { editorSchemas } from "./schemas.ts";

const groups = defineCollection({
  purpose: "Groups.",
  schema: z.strictObject({ key: z.string(), number: z.int() }),
  key: "key",
});
const emojis = defineCollection({
  purpose: "Emojis.",
  schema: z.strictObject({ id: z.string(), group: reference("groups", { by: "number" }).nullable() }),
  key: "id",
});
const api = completeApi(defineApi({ collections: { groups, emojis } }));

function fieldOf(groups: string): unknown {
  const { content } = compiledWithErrors(discovered({ "groups.json": groups, "emojis.json": "[]" }), api);
  const [schema] = editorSchemas([content]).filter(({ file }) => file === "emojis.json");
  return JSON.parse(schema?.text ?? "{}").definitions.group;
}

it("offers the values by which a reference names items, not their keys", () => {
  expect(fieldOf('[{"key":"a","number":7},{"key":"b","number":0}]')).toMatchObject({
    enum: [7, 0, null],
    enumDescriptions: ["a", "b"],
  });
  // Without items that are known, no value can be called wrong.
  const unknown = JSON.stringify(fieldOf("[{"));
  expect(unknown).toContain('"integer"');
  expect(unknown).not.toContain("enum");
});

/** The texts of items that are parsed to make the schemas of a collection with so many others to refer to. */
function parsedFor(count: number): readonly string[] {
  const groups = Array.from({ length: count }, (_, number) => ({ key: `k${number}`, number }));
  const content = compiled(discovered({ "groups.json": JSON.stringify(groups), "emojis.json": "[]" }), api);
  const parse = vi.spyOn(JSON, "parse");
  editorSchemas([content]);
  const texts = parse.mock.calls.map(([text]) => text).filter((text) => text.includes('"key":"k'));
  parse.mockRestore();
  return texts;
}

it("reads the items that it offers one at a time, and none of more than it offers", () => {
  // All as one text would be more than a string of V8 can hold.
  expect(parsedFor(2)).toEqual(['{"key":"k0","number":0}', '{"key":"k1","number":1}']);
  expect(parsedFor(5_000)).toHaveLength(5_000);
  expect(parsedFor(5_001)).toEqual([]);
});

it("offers the items with keys once, and no value is wrong while others may be more", () => {
  const offered = (groups: readonly object[]) => JSON.stringify(fieldOf(JSON.stringify(groups)));
  const group = { key: "a", number: 1 };
  const wrong = offered([{ key: "b", number: 2 }, group, { ...group, number: 3 }, { key: "é/", number: 4 }]);
  expect(JSON.parse(wrong)).toMatchObject({ enum: [1, 2, null] });
  const many = Array.from({ length: 5_001 }, (_, number) => ({ key: `k${number}`, number }));
  expect(offered(many)).not.toContain("enum");
  expect(offered(many.slice(1))).toContain("enum");
});

it("has no schema for files whose members are the items", () => {
  const files = (one: string | { readonly match: string; readonly items: string }) =>
    defineCollection({ purpose: "Words.", schema: z.strictObject({ id: z.string() }), key: "id", files: one });
  const collections = { plain: files("a.json"), within: files({ match: "b.json", items: "words" }) };
  const { content } = compiledWithErrors(discovered({ "a.json": "[]" }), completeApi(defineApi({ collections })));
  expect(editorSchemas([content]).map(({ file }) => file)).toEqual(["plain.json", "deployments.json", "api.json"]);
});

it("completes the paths of files beside the data", () => {
  const schema = z.strictObject({ id: slug, photo: image().nullable(), manual: file().optional() });
  const things = defineCollection({ purpose: "Things.", schema, key: "id" });
  const tree = { "things.json": '{"id":"a","photo":null}', "photos/a.png": pictures.png, "a.pdf": "%PDF" };
  const { content } = compiledWithErrors(discovered(tree), completeApi(defineApi({ collections: { things } })));
  const [text = ""] = editorSchemas([content]).flatMap(({ file, text }) => (file === "things.json" ? text : []));
  const { photo, manual } = JSON.parse(text).definitions;
  const paths = (form: string, ...values: string[]) => ({
    description: form,
    anyOf: [{ enum: values }, { type: "string" }],
  });
  expect(photo.anyOf).toMatchObject([
    paths("The path of a picture below content/.", "/photos/a.png"),
    { type: "null" },
  ]);
  expect(manual).toMatchObject(paths("The path of a file below content/.", "/a.pdf", "/photos/a.png"));
});

it("describes what the files have before a transform", () => {
  const schema = z.strictObject({ id: slug, bytes: z.int().describe("Its size."), owner: reference("things") });
  const things = defineCollection({
    purpose: "Things.",
    schema,
    key: "id",
    transform: ({ source, by, ...thing }, { facts }) => ({ ...thing, owner: by, bytes: facts(String(source)).bytes }),
    written: schema
      .omit({ bytes: true, owner: true })
      .extend({ source: image().describe("Its picture."), by: reference("things").describe("Whose it is.") }),
  });
  const others = defineCollection({ purpose: "Others.", schema, key: "id", transform: (raw) => raw });
  const tree = {
    "things.json": '{"id":"a","source":"photos/a.png","by":"a"}',
    "photos/a.png": pictures.png,
    "a.pdf": "%PDF",
    "others.json": "[]",
  };
  const content = compiled(discovered(tree), completeApi(defineApi({ collections: { things, others } })));
  const schemas = editorSchemas([content]);
  expect(schemas.map(({ file }) => file)).toEqual(["things.json", "deployments.json", "api.json"]);
  const { definitions, else: item } = JSON.parse(schemas[0]?.text ?? "");
  expect(item.required).toEqual(["id", "source", "by"]);
  expect(Object.keys(item.properties)).toEqual(["$schema", "id", "source", "by"]);
  expect(definitions.source).toMatchObject({
    description: "Its picture. The path of a picture below content/.",
    anyOf: [{ enum: ["/photos/a.png"] }, { type: "string" }],
  });
  expect(definitions.by).toMatchObject({ enum: ["a"], description: expect.stringMatching(/^Whose it is\./) });
});

it("describes what a deployment has before the transform of a document", () => {
  const notice = defineDocument({
    purpose: "A notice.",
    schema: z.strictObject({ text: z.string() }),
    transform: ({ lines }) => ({ text: String(lines) }),
    written: z.strictObject({ lines: z.array(z.string()).describe("Its lines.") }),
  });
  const { content } = compiledWithErrors(
    discovered({ "deployments/edge.json": '{"operations":["notice"],"notice":{"lines":["a"]}}' }),
    completeApi(defineApi({ collections: {}, documents: { notice } })),
  );
  const [deployments] = editorSchemas([content]).filter(({ file }) => file === "deployments.json");
  const { lines } = JSON.parse(deployments?.text ?? "").properties.notice.properties;
  expect(lines).toMatchObject({ type: "array", description: "Its lines." });
});
