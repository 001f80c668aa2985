// Converts zod schemas to schemas for editors: completion, hover texts, faults while typing. JSON Schema draft-07
// with the extensions that vscode-json-languageservice defines and yaml-language-server shares.
// https://code.visualstudio.com/docs/languages/json#_json-schemas-and-settings
import * as z from "zod";
import { withoutFlags } from "../../../src/json-pattern.ts";
import { withClauses } from "../../wording.ts";

/** The members that this program writes or changes. */
export interface EditorSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
  /** Replaces the message of the editor about the value. */
  readonly errorMessage?: string;
  readonly enum?: readonly unknown[];
  /** One for each value of `enum`. */
  readonly enumDescriptions?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, EditorSchema>>;
  /** A list of schemas for the values of a list with a fixed length. */
  readonly items?: EditorSchema | readonly EditorSchema[];
  /** The schema of further values of a list with a fixed length. */
  readonly additionalItems?: EditorSchema | boolean;
  /** The schema of the values of a record. */
  readonly additionalProperties?: EditorSchema | boolean;
  readonly anyOf?: readonly EditorSchema[];
  readonly oneOf?: readonly EditorSchema[];
  readonly [member: string]: unknown;
}

/** Notes about a field besides its form. `path` is as in `meanings` of src/resource.ts. */
export interface FieldNotes {
  readonly meaning: (path: string) => string | undefined;
  /** Values to choose from, in place of the form or beside it. */
  readonly choice?: (path: string, form: EditorSchema) => EditorSchema | undefined;
}

export function schemaOf(schema: z.ZodType, notes: FieldNotes, example?: unknown): EditorSchema {
  const override = (each: Parameters<typeof withoutFlags>[0]) => {
    withoutFlags(each);
    withClauses(each);
  };
  const options = { target: "draft-7", io: "input", override } as const;
  const { $schema: _, ...plain } = z.toJSONSchema(schema, options) as EditorSchema;
  return annotated(plain, notes, "", example);
}

function annotated(given: EditorSchema, notes: FieldNotes, path: string, example: unknown): EditorSchema {
  const schema = orNull(given);
  const chosen = notes.choice?.(path, schema);
  const { description: form, ...shape } = chosen ?? schema;
  const { format, ...timeless } = shape;
  // The pattern of a time is narrower than the format, which editors test by another pattern.
  const shown: EditorSchema = format === "date-time" ? timeless : shape;
  // For a value of several shapes, editors report the faults of one shape, and show the meaning of one.
  const alike = form === undefined ? {} : { description: form };
  return {
    ...shown,
    ...descriptions(notes.meaning(path), form && withoutWords(form, shown)),
    // In objects and lists, some editors would also show the message for missing members.
    ...(form === undefined || !isScalar(shown) ? {} : { errorMessage: `Must be ${form}.` }),
    ...(isOpen(shown) && isScalarValue(example) ? { examples: [example] } : {}),
    ...within(shown, chosen === undefined ? notes : { meaning: notes.meaning }, path, example, alike),
  };
}

/** `z.toJSONSchema` writes a type or null as a list of two types. Here null is an alternative. */
function orNull(schema: EditorSchema): EditorSchema {
  const { type, description, ...rules } = schema;
  if (!Array.isArray(type)) return schema;
  const anyOf = type.map((each): EditorSchema => (each === "null" ? { type: each } : { type: each, ...rules }));
  return description === undefined ? { anyOf } : { description, anyOf };
}

/** The schemas of the values in a value. */
function within(shown: EditorSchema, notes: FieldNotes, path: string, example: unknown, alike: object): EditorSchema {
  const { anyOf, oneOf, items, additionalItems, additionalProperties, properties } = shown;
  const values: readonly unknown[] = Array.isArray(example) ? example : [];
  const option = (each: EditorSchema) =>
    annotated({ ...each, ...(isScalar(each) ? alike : {}) }, notes, path, undefined);
  const each = (at: string, value?: unknown) => (schema: EditorSchema) => annotated(schema, notes, at, value);
  const isTuple = items !== undefined && isList(items);
  return {
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(option) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(option) }),
    ...(isTuple ? { items: items.map((item, index) => each(`${path}[${index}]`, values[index])(item)) } : {}),
    ...(items === undefined || isTuple ? {} : { items: each(`${path}[]`, values[0])(items) }),
    ...(isTuple && typeof additionalItems === "object"
      ? { additionalItems: each(`${path}[${items.length}]`)(additionalItems) }
      : {}),
    ...(properties === undefined ? {} : { properties: annotatedFields(properties, notes, path, example) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: each(`${path}.*`)(additionalProperties) }
      : {}),
  };
}

const isList = (items: EditorSchema | readonly EditorSchema[]): items is readonly EditorSchema[] =>
  Array.isArray(items);

const annotatedFields = (
  properties: Readonly<Record<string, EditorSchema>>,
  notes: FieldNotes,
  path: string,
  example: unknown,
) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]) => {
      const value: unknown = Object(example)[name];
      return [name, annotated(each, notes, path === "" ? name : `${path}.${name}`, value)];
    }),
  );

/** Editors already complete listed words and booleans. */
const isOpen = (schema: EditorSchema): boolean =>
  isScalar(schema) && schema.enum === undefined && schema.anyOf === undefined && schema.type !== "boolean";

const isScalarValue = (value: unknown): boolean => value !== undefined && typeof value !== "object";

const isScalar = ({ type, properties, items }: EditorSchema): boolean =>
  properties === undefined && items === undefined && type !== "object" && type !== "array";

/** Meanings are Markdown; forms are plain text that may contain words of the content. */
function descriptions(meaning: string | undefined, form: string | undefined) {
  if (meaning === undefined && form === undefined) return {};
  const texts = (of: (text: string) => string) =>
    [meaning, form && of(sentence(form))].filter((part) => part !== undefined);
  return { description: texts((text) => text).join(" "), markdownDescription: texts(escaped).join("\n\n") };
}

/** Editors already show the list of words. */
const withoutWords = (form: string, { enum: words = [] }: EditorSchema): string => {
  const list = `: ${words.join(", ")}`;
  return form.endsWith(list) ? form.slice(0, -list.length) : form;
};

const escaped = (text: string): string => text.replace(/[\\`*_[\]<>&]/g, "\\$&");

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A JSON file that holds an object can name its schema in it. */
export const ownSchema = { $schema: { type: "string", doNotSuggest: true } } as const;
