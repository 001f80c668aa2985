// Converts zod schemas to schemas for editors: completion, hover texts, faults while typing. JSON Schema draft-07
// with the extensions that vscode-json-languageservice defines and yaml-language-server shares.
// https://code.visualstudio.com/docs/languages/json#_json-schemas-and-settings
import * as z from "zod";

/** The members that this program writes or changes. */
export interface EditorSchema {
  readonly type?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  /** Replaces the message of the editor about the value. */
  readonly errorMessage?: string;
  readonly enum?: readonly unknown[];
  /** One for each value of `enum`. */
  readonly enumDescriptions?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, EditorSchema>>;
  readonly items?: EditorSchema;
  readonly anyOf?: readonly EditorSchema[];
  readonly [member: string]: unknown;
}

/** Notes about a field besides its form. `path` is as in `Meanings` of src/resource.ts. */
export interface FieldNotes {
  readonly meaning: (path: string) => string | undefined;
  /** Values to choose from, in place of the form or beside it. */
  readonly choice?: (path: string, form: EditorSchema) => EditorSchema | undefined;
}

export function schemaOf(schema: z.ZodType, notes: FieldNotes, example?: unknown): EditorSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as EditorSchema;
  return annotated(plain, notes, "", example);
}

function annotated(schema: EditorSchema, notes: FieldNotes, path: string, example: unknown): EditorSchema {
  const { description: form, ...shape } = notes.choice?.(path, schema) ?? schema;
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
    ...(shown.anyOf === undefined
      ? {}
      : {
          anyOf: shown.anyOf.map((each) =>
            annotated({ ...each, ...alike }, { meaning: notes.meaning }, path, undefined),
          ),
        }),
    ...(shown.items === undefined
      ? {}
      : { items: annotated(shown.items, notes, `${path}[]`, Array.isArray(example) ? example[0] : undefined) }),
    ...(shown.properties === undefined ? {} : { properties: annotatedFields(shown.properties, notes, path, example) }),
  };
}

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

const isScalar = ({ properties, items }: EditorSchema): boolean => properties === undefined && items === undefined;

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
