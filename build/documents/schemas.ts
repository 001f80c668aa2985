// Generates the JSON schemas of the answers from the zod schemas, without the rules for authors of content: consumers
// must accept more than authors may write, and the descriptions address consumers.
import * as z from "zod";
import { errorBody } from "../../src/errors.ts";
import { withoutFlags } from "../../src/json-pattern.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { listOf, pageOf, pagination } from "../../src/schemas.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { type Document, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { type DocumentSource, isPaged } from "./source.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface JsonSchemas {
  /** By name. References between schemas use `uri`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The name of the schema of an operation's whole answer. */
  readonly answerOf: (operation: Operation) => string;
  /** The name of the schema of the items in an operation's lists. */
  readonly listedOf: (operation: ListOperation) => string;
}

/** Names of schemas that belong to no resource. */
export const errorSchema = "ErrorBody";

const paginationSchema = "Pagination";

/** The meaning of a schema and of its fields for consumers. */
interface Described {
  readonly meaning: string;
  readonly meanings: Readonly<Record<string, string>>;
}

/**
 * The schemas of the answers of some operations, of an error and of `pagination`. `uri` returns the reference to a
 * name. Two operations with the same resource share its schema.
 */
export function jsonSchemas(
  operations: readonly Operation[],
  vocabulary: Vocabulary,
  uri: (name: string) => string,
): JsonSchemas {
  const registry = z.registry<{ id: string }>();
  const items = new Map<string, Described & { readonly schema: z.ZodType<Item> }>();
  const add = (name: string, schema: z.ZodType<Item>, described: Described) => {
    if (!items.has(name)) items.set(name, { ...described, schema });
    if (!registry.has(schema)) registry.add(schema, { id: name });
  };
  for (const { resource } of operations) add(resource.title, resource.schema(vocabulary), resource);
  const listed = new Map<string, string>();
  const answers = new Map<string, string>();
  for (const operation of operations) {
    const { title, meanings } = operation.resource;
    const isBrief = operation.kind === "list" && operation.brief !== undefined;
    const name = isBrief ? unusedName(`${title}Brief`, items) : title;
    if (isBrief) add(name, operation.listed(vocabulary), { meaning: fieldsInLists(title), meanings });
    listed.set(operation.name, name);
    answers.set(operation.name, operation.kind === "document" ? name : `${title}${operation.paged ? "Page" : "List"}`);
  }
  const lists = new Map(operations.filter(({ kind }) => kind === "list").map((each) => [answers.get(each.name), each]));
  for (const [id = "", operation] of lists) {
    const item = items.get(listed.get(operation.name) ?? "")?.schema ?? z.never();
    registry.add(isPaged(operation) ? pageOf(item) : listOf(item), { id });
  }
  registry.add(errorBody, { id: errorSchema });
  if (operations.some(isPaged)) registry.add(pagination, { id: paginationSchema });
  const { schemas } = z.toJSONSchema(registry, { uri, override: publish });
  const published = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => {
    const item = items.get(name);
    return [name, item === undefined ? { ...meaningOf[name], ...schema } : describe(schema, item)] as const;
  });
  return {
    schemas: Object.fromEntries(published),
    answerOf: ({ name }) => answers.get(name) ?? errorSchema,
    listedOf: ({ name }) => listed.get(name) ?? errorSchema,
  };
}

/** The meaning of the type of items in lists that have some of the fields of another type. */
const fieldsInLists = (title: string): string => `The fields of ${title} that lists have.`;

/** The name, with a number if it is used. */
function unusedName(name: string, used: { readonly has: (name: string) => boolean }): string {
  let candidate = name;
  for (let number = 2; used.has(candidate); number++) candidate = `${name}${number}`;
  return candidate;
}

const meaningOf: Readonly<Record<string, JsonSchema>> = {
  [errorSchema]: { description: "The body of every error." },
  [paginationSchema]: { description: "The position of this page in its list." },
};

/** Drops rules that would reject later answers, or that validators interpret differently. */
function publish({ zodSchema, jsonSchema }: Parameters<typeof withoutFlags>[0]): void {
  withoutFlags({ zodSchema, jsonSchema });
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // The format suffices, and the pattern is hundreds of characters long.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Some validators compile patterns without the u flag and read \p as p.
  if (jsonSchema.pattern?.includes("\\p{") === true) {
    delete jsonSchema.pattern;
    jsonSchema.minLength = 1;
  }
}

/** Replaces the descriptions of an item's schema, which are for faults, with the consumer's. */
function describe(schema: JsonSchema, described: Described, path = ""): JsonSchema {
  const meaning = path === "" ? described.meaning : described.meanings[path];
  const rest = describeChildren(schema, described, path);
  return meaning === undefined ? rest : { description: meaning, ...rest };
}

/** Drops the schema's description: alternatives share the description of the value. */
function describeChildren({ description: _, ...schema }: JsonSchema, described: Described, path: string): JsonSchema {
  const result: JsonSchema = schema;
  const child = (each: unknown, at: string) => describe(Object(each), described, at);
  const alternative = (each: unknown) => describeChildren(Object(each), described, path);
  const { anyOf, oneOf, prefixItems, items, additionalProperties: others, propertyNames, properties } = schema;
  if (anyOf !== undefined) result.anyOf = anyOf.map(alternative);
  if (oneOf !== undefined) result.oneOf = oneOf.map(alternative);
  if (prefixItems !== undefined)
    result.prefixItems = prefixItems.map((each, index) => child(each, `${path}[${index}]`));
  if (typeof items === "object") result.items = child(items, `${path}[${prefixItems?.length ?? ""}]`);
  if (typeof others === "object") result.additionalProperties = child(others, `${path}.*`);
  if (typeof propertyNames === "object") result.propertyNames = alternative(propertyNames);
  if (properties !== undefined) {
    const prefix = path === "" ? "" : `${path}.`;
    const fields = Object.entries(properties).map(([name, each]) => [name, child(each, `${prefix}${name}`)]);
    result.properties = Object.fromEntries(fields);
  }
  return result;
}

/**
 * JSON Schema 2020-12 of each operation's items, or of its document, for consumers who validate answers. Lists in brief
 * have a schema of their items beside it.
 */
export function itemSchemas({ api, operations, settings }: DocumentSource): readonly Document[] {
  const { schemas, listedOf } = jsonSchemas(operations, settings.vocabulary, (name) => `#${name}`);
  const documentOf = (file: string, title: string) => {
    const path = `${api.base}/schemas/${file}.json`;
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: path,
      $comment: generator,
      title,
      ...schemas[title],
    };
    return textDocument(path, "application/schema+json", JSON.stringify(schema));
  };
  return operations.flatMap((operation) => {
    const { name, resource } = operation;
    const isBrief = operation.kind === "list" && operation.brief !== undefined;
    return [documentOf(name, resource.title), ...(isBrief ? [documentOf(`${name}/brief`, listedOf(operation))] : [])];
  });
}
