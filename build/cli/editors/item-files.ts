// The schema of the files of a resource: one item or a list of items. Editors complete the keys that a field can refer to,
// each with a summary of its item, and whole items to fill in.
import { referenced, withArticle } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import type { Item, Resource } from "../../../src/resource.ts";
import type { Content } from "../../content/content.ts";
import { pathFields } from "../../content/globs.ts";
import type { Referable } from "../../content/referable.ts";
import { type EditorSchema, ownSchema, schemaOf } from "./schema.ts";

export function itemFiles(operation: ListOperation, { api, vocabulary, referable }: Content): EditorSchema {
  const { name, resource } = operation;
  const { noun, meaning, meanings, example, references, innerReferences } = resource;
  const choice = (path: string, form: EditorSchema): EditorSchema | undefined => {
    // Null and other alternatives of a reference stay as they are.
    if (form.type !== "string" || ![...references, ...innerReferences].some(({ field }) => field === path))
      return undefined;
    const target = referenced(api, resource, path);
    const items = referable.get(target.name)?.();
    return items && referenceTo(target, items, form);
  };
  const notes = { meaning: (path: string) => (path === "" ? meaning : meanings[path]), choice };
  const schema = schemaOf(resource.schema(vocabulary), notes, example);
  const { properties = {}, required, ...object } = schema;
  const implied = pathFields(operation);
  const refs = Object.keys(properties).map((field) => [field, { $ref: `#/definitions/${field}` }] as const);
  const item = {
    title: noun,
    ...object,
    required: Array.isArray(required) ? required.filter((field) => !implied.includes(field)) : [],
    properties: Object.fromEntries(refs),
  };
  const defaultSnippets = [itemSnippet(resource, schema, implied)];
  return {
    title: name,
    definitions: properties,
    if: { type: "array" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { type: "array", items: { ...item, defaultSnippets } },
    else: { ...item, properties: { ...ownSchema, ...item.properties }, defaultSnippets },
  };
}

/** The most keys that are offered: editors show all of them at once. */
const mostListed = 5_000;

/**
 * The form of a field with the keys to choose from. If the content could be read completely, no other keys are allowed: an
 * editor reports no fault that `check` does not report.
 */
function referenceTo({ resource }: ListOperation, { items, whole }: Referable, form: EditorSchema): EditorSchema {
  if (items.length === 0 || items.length > mostListed) return form;
  const { key, noun } = resource;
  const choices = {
    enum: items.map((item) => item[key]),
    enumDescriptions: items.map((item) => summaryOf(item, key)),
  };
  const description = `the ${key} of ${withArticle(noun)}`;
  if (whole) return { type: "string", ...choices, description };
  const { description: formText, ...open } = form;
  return { description: formText === undefined ? description : `${description}: ${formText}`, anyOf: [choices, open] };
}

/** The values that identify an item at a glance, its name first, such as `London, europe-west, GB, operational`. */
function summaryOf(item: Item, key: string): string {
  const { name, ...others } = item;
  const values = Object.entries({ name, ...others }).filter(([field]) => field !== key);
  return values.flatMap(([, value]) => textOf(value)).join(", ");
}

/** A list of objects is summarised by the names in it. */
const textOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((each) => textOf(Object(each)["name"]))
    : typeof value === "string" && value !== "" && value.length <= longest
      ? [value]
      : [];

const longest = 100;

interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: unknown;
}

/** A whole item to fill in, without the fields that paths give. The values of the example are placeholders; fields that refer to other items are empty. */
function itemSnippet(
  { noun, meaning, example, references }: Resource,
  fields: EditorSchema,
  implied: readonly string[],
): Snippet {
  const { properties = {} } = fields;
  const stops = Object.entries(example)
    .filter(([field]) => !implied.includes(field))
    .map(([field, value], index) => {
      const isReference = references.some((each) => each.field === field);
      return [field, isReference ? `$${index + 1}` : stopOf(index + 1, wordFor(value, properties[field]))] as const;
    });
  return { label: `new ${noun}`, description: meaning, body: Object.fromEntries(stops) };
}

/** The value, or the first of the listed words if the value is not one of them. */
const wordFor = (value: unknown, { enum: words }: EditorSchema = {}): unknown =>
  words === undefined || words.includes(value) ? value : words[0];

/** A `^` in front of a text marks another kind of value. Lists and objects are not changed. */
function stopOf(index: number, value: unknown): unknown {
  if (typeof value === "string") return `\${${index}:${escaped(value)}}`;
  return typeof value === "object" ? value : `^\${${index}:${value}}`;
}

const escaped = (text: string): string => text.replace(/[\\$}]/g, "\\$&");
