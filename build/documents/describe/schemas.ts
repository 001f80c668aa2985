// The JSON schemas of the answers, from the zod schemas. They describe fields to consumers, and lack the rules for
// authors: consumers must accept more than authors may write.
import * as z from "zod";
import { errorBody, listOf, pageOf, pagination } from "../../../src/answers/schemas.ts";
import { declarations } from "../../../src/declare/marks.ts";
import type { Vocabulary } from "../../../src/declare/vocabulary.ts";
import { isObject, ownField } from "../../../src/model/fields.ts";
import { withoutFlags } from "../../../src/model/json-pattern.ts";
import { convertParts, definitionOf, type Schema, stepInto } from "../../../src/model/kinds.ts";
import { meaningsIn, noticesIn } from "../../../src/model/meanings.ts";
import { isPaged, type Operation } from "../../../src/model/operation.ts";
import { type Document, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { noticeText } from "./sentences.ts";
import type { SiteData } from "./site-data.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface JsonSchemas {
  /** By name. References between schemas use `uri`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The names of the schemas of an operation's items or document, of the items in its lists, and of its whole answer. */
  readonly names: (operation: Operation) => { readonly item: string; readonly listed: string; readonly answer: string };
}

export const errorSchema = "ErrorBody";

/**
 * The schemas of the answers of some operations, of an error and of `pagination`. `uri` returns the reference to a
 * name. Operations whose items have the same title and fields share a schema.
 */
export function jsonSchemas(
  operations: readonly Operation[],
  vocabulary: Vocabulary,
  uri: (name: string) => string,
): JsonSchemas {
  const registry = z.registry<{ id: string }>();
  const added = new Map<string, z.ZodType>();
  const add = (title: string, schema: z.ZodType): string => {
    let name = title;
    for (let number = 2; added.has(name); number++) {
      if (isSame(added.get(name), schema)) return name;
      name = `${title}${number}`;
    }
    added.set(name, schema);
    registry.add(schema, { id: name });
    return name;
  };
  const addDescribed = (about: Operation, schema: z.ZodType) =>
    add(about.title, described(schema, aboutFields(about), ""));
  add(errorSchema, errorBody);
  if (operations.some(isPaged)) add("Pagination", pagination);
  const items = operations.map((operation) => addDescribed(operation, operation.schema(vocabulary)));
  const names = operations.map((operation, index) => {
    const item = items[index] ?? "";
    if (operation.kind === "document") return { item, listed: item, answer: item };
    const about = { ...operation, title: `${item}Brief`, meaning: `The fields of ${item} that lists have.` };
    const listed = operation.brief === undefined ? item : addDescribed(about, operation.listed(vocabulary));
    const schema = added.get(listed) ?? z.never();
    const answer = operation.paged ? add(`${item}Page`, pageOf(schema)) : add(`${item}List`, listOf(schema));
    return { item, listed, answer };
  });
  const { schemas } = z.toJSONSchema(registry, { uri, override: publish });
  const published = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [
    name,
    withSingleTypes(schema),
  ]);
  return {
    schemas: Object.fromEntries(published),
    names: (operation) => names[operations.indexOf(operation)] ?? { item: "", listed: "", answer: "" },
  };
}

/** The keywords of JSON Schema that hold a schema, a list of schemas, or schemas by name. */
const holders = ["items", "additionalProperties", "propertyNames", "not"];
const listHolders = ["prefixItems", "anyOf", "oneOf", "allOf"];
const mapHolders = ["properties", "patternProperties", "$defs"];

/** zod writes a union of bare types as a list of types, of which some tools read the first alone. */
function withSingleTypes(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, value]) => {
    if (holders.includes(keyword)) return [keyword, withSingleTypes(value)];
    if (listHolders.includes(keyword) && Array.isArray(value)) return [keyword, value.map(withSingleTypes)];
    if (!mapHolders.includes(keyword) || !isObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSingleTypes(part)]))];
  });
  const whole = Object.fromEntries(parts);
  const { type, ...others } = whole;
  return Array.isArray(type) ? { anyOf: type.map((single) => ({ type: single })), ...others } : whole;
}

const isSame = (...schemas: readonly (z.ZodType | undefined)[]): boolean =>
  new Set(schemas.map((schema) => schema && JSON.stringify(z.toJSONSchema(schema, { override: publish })))).size === 1;

type About = Pick<z.core.GlobalMeta, "description" | "deprecated">;

/** The descriptions of an item and of its fields for consumers, by their paths. */
function aboutFields({
  meaning,
  meanings,
  deprecatedFields,
}: Pick<Operation, "meaning" | "meanings" | "deprecatedFields">): Readonly<Record<string, About>> {
  const about = Object.entries({ "": meaning, ...meanings }).map(([path, description]) => [path, { description }]);
  const notices = Object.entries(deprecatedFields).map(([path, notice]) => {
    const description = [ownField(meanings, path), noticeText(notice)].filter((text) => text !== undefined).join(" ");
    return [path, { description, deprecated: true }];
  });
  return Object.fromEntries([...about, ...notices]);
}

/** The same for a shape of a union. */
const aboutShape = (shape: Schema): Readonly<Record<string, About>> =>
  aboutFields({ meaning: "", meanings: meaningsIn(shape), deprecatedFields: noticesIn(shape) });

/**
 * A copy of a schema that describes values to consumers: by the meanings of fields, by their paths, and not by the forms
 * with which faults are worded. The shapes of a value share its meaning.
 */
function described<Declared extends Schema>(
  schema: Declared,
  about: Readonly<Record<string, About>>,
  path: string | undefined,
  isShape = false,
): Declared {
  const isUnion = definitionOf(schema).type === "union";
  const parts = convertParts(schema, (child, step) => {
    // Fields of several shapes may have one path.
    const shape = isUnion && path !== undefined ? declarations.of(child) : undefined;
    if (shape !== undefined) return described(child, aboutShape(shape), "", true);
    const childPath = step === undefined || path === undefined ? undefined : stepInto(path, step);
    return described(child, about, childPath, step === "");
  });
  const copy = z.core.clone(schema, { ...schema._zod.def, ...parts });
  const description = isShape || path === undefined ? undefined : ownField(about, path);
  if (description !== undefined) z.globalRegistry.add(copy, { ...description });
  return copy;
}

/** Drops rules that would reject later answers, or that validators interpret differently. */
function publish({ zodSchema, jsonSchema }: Parameters<typeof withoutFlags>[0]): void {
  withoutFlags({ zodSchema, jsonSchema });
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // The length implies it, and tools that read only `items` would take the list for an empty one.
  if (jsonSchema.items === false && jsonSchema.maxItems === jsonSchema.prefixItems?.length) delete jsonSchema.items;
  // An empty list has no keyword for its values.
  if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
  const { prefixItems, items } = jsonSchema;
  // Tools that read only `items` must accept all values of the tuple.
  if (prefixItems !== undefined && typeof items === "object") {
    jsonSchema.items = { anyOf: [...prefixItems, items].flat().filter((part) => typeof part === "object") };
  }
  // The format suffices, and the pattern is hundreds of characters long.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Some validators compile patterns without the u flag and read \p as p.
  if (jsonSchema.pattern?.includes("\\p{") === true) {
    delete jsonSchema.pattern;
    jsonSchema.minLength = 1;
  }
}

/**
 * JSON Schema 2020-12 of each operation's items, or of its document, for consumers who validate answers. Lists in brief
 * have a schema of their items beside it.
 */
export function itemSchemas({ api, operations, settings }: SiteData): readonly Document[] {
  const { schemas, names } = jsonSchemas(operations, settings.vocabulary, (name) => `#${name}`);
  return operations.flatMap((operation) => {
    const { name, deprecated } = operation;
    const { item, listed } = names(operation);
    const files = { [name]: item, ...(listed !== item && { [`${name}/brief`]: listed }) };
    return Object.entries(files).map(([file, title]) => {
      const path = `${api.base}/schemas/${file}.json`;
      const $schema = "https://json-schema.org/draft/2020-12/schema";
      const about = { $schema, $id: path, $comment: generator, title, ...(deprecated && { deprecated: true }) };
      return textDocument(path, "application/schema+json", JSON.stringify({ ...about, ...ownField(schemas, title) }));
    });
  });
}
