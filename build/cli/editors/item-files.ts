// The schema of the files of a resource: one item or a list of items.
import { type ListOperation, referenced } from "../../../src/operations.ts";
import type { Content } from "../../content/content.ts";
import { referenceTo } from "./references.ts";
import { type EditorSchema, ownSchema, schemaOf } from "./schema.ts";
import { itemSnippet } from "./snippet.ts";

export function itemFiles({ name, resource }: ListOperation, { vocabulary, referable }: Content): EditorSchema {
  const { noun, meaning, meanings, example, references, fromPath } = resource;
  const choice = (path: string, form: EditorSchema): EditorSchema | undefined => {
    if (!references.some(({ field }) => field === path)) return undefined;
    const target = referenced(resource, path);
    const items = referable.get(target.name)?.();
    return items && referenceTo(target, items, form);
  };
  const notes = { meaning: (path: string) => (path === "" ? meaning : meanings[path]), choice };
  const schema = schemaOf(resource.schema(vocabulary), notes, example);
  const { properties = {}, required, ...object } = schema;
  const refs = Object.keys(properties).map((field) => [field, { $ref: `#/definitions/${field}` }] as const);
  const item = {
    title: noun,
    ...object,
    required: Array.isArray(required) ? required.filter((field) => field !== fromPath) : [],
    properties: Object.fromEntries(refs),
  };
  const defaultSnippets = [itemSnippet(resource, schema)];
  return {
    title: name,
    definitions: properties,
    if: { type: "array" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { type: "array", items: { ...item, defaultSnippets } },
    else: { ...item, properties: { ...ownSchema, ...item.properties }, defaultSnippets },
  };
}
