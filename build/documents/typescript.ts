// Prints the types of an API as TypeScript, for consumers who have no access to its declaration. The text imports
// nothing: `createClient<Api>` takes its types from it.
import * as z from "zod";
import { defaultBase } from "../../src/answers.ts";
import type { Api } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { keyFields } from "../../src/resource.ts";
import type { Settings } from "../content/catalog.ts";
import { fieldsInLists, type JsonSchema, unusedName } from "./schemas.ts";

export interface TypesSource {
  readonly api: Pick<Api, "base">;
  readonly operations: readonly Operation[];
  readonly settings: Pick<Settings, "title" | "url" | "client" | "vocabulary">;
}

/** The text of a declaration file, with a type for each resource and the type `Api`. */
export function typesOf({ api: { base }, operations, settings }: TypesSource): string {
  const { title, url, client, vocabulary } = settings;
  const names = new Set(["Api", "ReadonlyArray"]);
  const unused = (candidate: string): string => {
    const name = unusedName(candidate, names);
    names.add(name);
    return name;
  };
  const types = operations.map((operation) => {
    const name = unused(identifier(operation.resource.title));
    const isBrief = operation.kind === "list" && operation.brief !== undefined;
    const listed = isBrief ? unused(`${name}Brief`) : undefined;
    // A value that JSON Schema cannot describe has the type `unknown`.
    const schema = z.toJSONSchema(operation.resource.schema(vocabulary), { unrepresentable: "any" });
    return { operation, name, listed, schema };
  });
  const members = (kind: Operation["kind"]): string =>
    block(types.filter(({ operation }) => operation.kind === kind).map(memberOf));
  const address = JSON.stringify(`${url ?? "https://api.example.com"}${base === defaultBase ? "" : base}`);
  const head = [
    `// The types of ${title === undefined ? "an API" : `the API ${JSON.stringify(title)}`}, written by "stillapi types". Changes are overwritten.`,
    "//",
    `//     import { createClient } from "${client ?? "stillapi/client"}";`,
    '//     import type { Api } from "./api.js";',
    "//",
    `//     const client = createClient<Api>(${address});`,
  ];
  const all = `export interface Api ${block([
    `readonly collections: ${members("list")};`,
    `readonly documents: ${members("document")};`,
  ])}`;
  return [head.join("\n"), all, ...types.flatMap(declarationsOf)].join("\n\n").concat("\n");
}

interface NamedType {
  readonly operation: Operation;
  readonly name: string;
  /** The name of the type of items in lists, if these are in brief. */
  readonly listed: string | undefined;
  readonly schema: JsonSchema;
}

function memberOf(type: NamedType): string {
  const { name, purpose } = type.operation;
  return `${comment(purpose)}${property(name)}: ${block([`readonly types: ${clientTypes(type)};`])};`;
}

function clientTypes({ operation, name, listed, schema }: NamedType): string {
  if (operation.kind === "document") return `{ readonly body: ${name} }`;
  const params = operation.filters.map((filter) => `${property(filter.param)}: ${paramType(schema, filter, name)};`);
  return block([
    `readonly item: ${name};`,
    ...(listed === undefined ? [] : [`readonly listed: ${listed};`]),
    `readonly params: ${block(params)};`,
    `readonly paged: ${operation.paged};`,
    ...(operation.item === undefined ? [] : [`readonly key: readonly [${keyTypes(operation, schema, name)}];`]),
  ]);
}

/** The type of a filter's parameter: of the field, of its elements or of its names. */
function paramType(schema: JsonSchema, { field, by }: Filter, name: string): string {
  if (by === "slug") return "string";
  const value = valueIn(schema, field);
  if (by === "value") return typeOf(value, name);
  const options = [value, ...(value.anyOf ?? [])].map((each): JsonSchema => Object(each));
  const types = options.flatMap(({ type, propertyNames, items }) => {
    if (by === "elements") return items === undefined ? [] : [typeOf(withoutNull(Object(items)), name)];
    if (type !== "object") return [];
    return [propertyNames === undefined ? "string" : typeOf(propertyNames, name)];
  });
  return unionOf(types);
}

/** The elements of a tuple: a value for each field of a key, or an alias. */
function keyTypes({ resource, item }: ListOperation, schema: JsonSchema, name: string): string {
  const aliases = item?.aliases === undefined ? [] : aliasTypes(valueIn(schema, item.aliases), name);
  return keyFields(resource)
    .map((field) => {
      const label = isIdentifier(field) ? `${field}: ` : "";
      return `${label}${unionOf([typeOf(valueIn(schema, field), name), ...aliases])}`;
    })
    .join(", ");
}

const aliasTypes = (schema: JsonSchema, name: string): readonly string[] =>
  schema.anyOf?.flatMap((option) => aliasTypes(Object(option), name)) ?? [typeOf(schema.items ?? schema, name)];

/** The schema of a field without null, which is in no listing of a filter. */
const valueIn = ({ properties = {} }: JsonSchema, field: string): JsonSchema => withoutNull(Object(properties[field]));

function withoutNull(schema: JsonSchema): JsonSchema {
  const isValue = (type: unknown) => type !== "null";
  return {
    ...schema,
    ...(Array.isArray(schema.type) && { type: schema.type.filter(isValue) }),
    ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter((option) => isValue(Object(option).type)) }),
  };
}

/** The type of a resource, and a type for each definition that its schema refers to. */
function declarationsOf({ operation, name, listed, schema }: NamedType): readonly string[] {
  const { meaning, meanings } = operation.resource;
  const brief = operation.kind === "list" && operation.brief?.map((field) => JSON.stringify(field));
  const definitions = Object.entries(schema.$defs ?? {}).map(
    ([id, each]) => `export type ${referredTo(id, name)} = ${typeOf(each, name)};`,
  );
  return [
    `${comment(meaning)}export interface ${name} ${typeOf(schema, name, meanings)}`,
    ...(brief ? [`${comment(fieldsInLists(name))}export type ${listed} = Pick<${name}, ${unionOf(brief)}>;`] : []),
    ...definitions,
  ];
}

/** The type that a reference within the schema of the type `name` refers to. */
const referredTo = (reference: string, name: string): string =>
  reference === "#" ? name : `${name}${identifier(reference.replace(/^#\/\$defs\//, ""))}`;

type Meanings = Readonly<Record<string, string>>;

/** `path` is the path of the value by which `meanings` are found. */
function typeOf(schema: unknown, name: string, meanings: Meanings = {}, path = ""): string {
  if (schema === false) return "never";
  const {
    $ref,
    const: literal,
    enum: values,
    anyOf,
    oneOf = anyOf,
    allOf,
    not,
    type,
    ...rest
  }: JsonSchema = Object(schema);
  if ($ref !== undefined) return referredTo($ref, name);
  if (literal !== undefined) return JSON.stringify(literal);
  if (values !== undefined) return unionOf(values.map((value) => JSON.stringify(value)));
  if (oneOf !== undefined) return unionOf(oneOf.map((option) => typeOf(option, name, meanings, path)));
  if (allOf !== undefined) return allOf.map((part) => `(${typeOf(part, name, meanings, path)})`).join(" & ");
  if (not !== undefined) return "never";
  if (Array.isArray(type)) {
    return unionOf(type.map((each) => typeOf({ ...rest, type: each }, name, meanings, path)));
  }
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return arrayOf(rest, (child, step) => typeOf(child, name, meanings, `${path}${step}`));
    case "object":
      return objectOf(rest, (child, field) => {
        const at = path === "" ? field : `${path}.${field}`;
        return [comment(meanings[at]), typeOf(child, name, meanings, at)];
      });
    default:
      return "unknown";
  }
}

function arrayOf(
  { prefixItems, items, minItems = 0 }: JsonSchema,
  elementType: (schema: unknown, step: string) => string,
): string {
  if (prefixItems === undefined) return `ReadonlyArray<${elementType(items, "[]")}>`;
  const elements = prefixItems.map((each, index) => `${elementType(each, `[${index}]`)}${index < minItems ? "" : "?"}`);
  if (items !== false) elements.push(`...ReadonlyArray<${elementType(items, `[${elements.length}]`)}>`);
  return `readonly [${elements.join(", ")}]`;
}

function objectOf(
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
  fieldType: (schema: unknown, field: string) => readonly [comment: string, type: string],
): string {
  const known = Object.entries(properties);
  const valueType = () => fieldType(additionalProperties, "*")[1];
  // The keys of a record may be listed.
  const listed: readonly unknown[] | undefined = Object(propertyNames).enum;
  const fields = [
    ...known.map(([field, schema]) => [field, ...fieldType(schema, field)] as const),
    ...(listed ?? []).map((key) => [String(key), "", valueType()] as const),
  ].map(([field, about, type]) => `${about}${property(field)}${required.includes(field) ? "" : "?"}: ${type};`);
  const isOpen = listed === undefined && additionalProperties !== false && additionalProperties !== undefined;
  // The type of further fields would also apply to the known ones.
  if (isOpen) fields.push(`readonly [name: string]: ${known.length > 0 ? "unknown" : valueType()};`);
  return block(fields);
}

const block = (lines: readonly string[]): string =>
  lines.length === 0 ? "{}" : `{\n${lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}\n`).join("")}}`;

const unionOf = (types: readonly string[]): string => (types.length === 0 ? "never" : [...new Set(types)].join(" | "));

const property = (name: string): string => `readonly ${isIdentifier(name) ? name : JSON.stringify(name)}`;

const isIdentifier = (name: string): boolean => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);

function comment(text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const lines = text
    .replaceAll("*/", "*\\/")
    .trim()
    .split(/\s*\n\s*/);
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

/** A title as the name of a type: `Release cycle` is ReleaseCycle. */
const identifier = (title: string): string =>
  title
    .replace(/(?:^[^\p{L}\p{M}\p{N}]*|[^\p{L}\p{M}\p{N}]+)(\p{L}?)/gu, (_, letter: string) => letter.toUpperCase())
    .replace(/^(?!\p{ID_Start})/u, "_");
