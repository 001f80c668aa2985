// A JSON schema of draft 7 for editors, from a zod schema: what each field means, its form, and the values to choose from.
// https://code.visualstudio.com/docs/languages/json#_json-schemas-and-settings
import * as z from "zod";
import { withoutFlags } from "../../../src/json-pattern.ts";
import { withClauses } from "../../text/wording.ts";

/** The members that this program reads or writes. */
export interface EditorSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  /** Replaces the message of the editor about the value. */
  readonly errorMessage?: string;
  readonly enum?: readonly unknown[];
  /** One for each value of `enum`. */
  readonly enumDescriptions?: readonly string[];
  readonly properties?: Readonly<Record<string, EditorSchema>>;
  /** A list of schemas for the values of a list with a fixed length. */
  readonly items?: EditorSchema | readonly EditorSchema[];
  readonly additionalItems?: EditorSchema | boolean;
  readonly additionalProperties?: EditorSchema | boolean;
  readonly anyOf?: readonly EditorSchema[];
  readonly oneOf?: readonly EditorSchema[];
  readonly [member: string]: unknown;
}

/** Values to choose from. */
export interface Choice {
  readonly values: readonly unknown[];
  /** One for each value. */
  readonly descriptions?: readonly string[];
  /** Completes `must be …`. */
  readonly form: string;
  /** Whether other values may be valid, too. */
  readonly isOpen?: boolean;
  /** The types of the values, if they are not of the field's own form. */
  readonly types?: readonly string[];
}

/** Notes about the fields, by their paths as in `meanings` of src/resource.ts. */
export interface Notes {
  readonly meaningOf: (path: string) => string | undefined;
  readonly choiceOf: (path: string) => Choice | undefined;
}

export function schemaOf(schema: z.ZodType, notes: Notes): EditorSchema {
  const override = (each: Parameters<typeof withoutFlags>[0]) => {
    withoutFlags(each);
    withClauses(each);
  };
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: "draft-7", io: "input", override });
  return noted(plain as EditorSchema, notes, "");
}

function noted(plain: EditorSchema, notes: Notes, path: string): EditorSchema {
  const { description: form, ...shape } = chosenFrom(withNotesInside(plain, notes, path), notes.choiceOf(path));
  // Editors test the format of a time by a pattern that is wider than the form's.
  const { format, ...timeless } = shape;
  return {
    ...(format === "date-time" ? timeless : shape),
    ...descriptionsOf(notes.meaningOf(path), form),
    // In objects and lists, some editors would also show the message for missing members.
    ...(form === undefined || !isScalar(shape) ? {} : { errorMessage: `Must be ${form}.` }),
  };
}

/** Meanings are Markdown. Forms are plain and may have words of the content. */
function descriptionsOf(meaning: string | undefined, form: string | undefined) {
  if (meaning === undefined && form === undefined) return {};
  const sentence = form && `${form.charAt(0).toUpperCase()}${form.slice(1)}.`;
  const texts = [meaning ?? [], sentence ?? []].flat();
  const marked = [meaning ?? [], sentence?.replace(/[\\`*_[\]<>&]/g, "\\$&") ?? []].flat();
  return { description: texts.join(" "), markdownDescription: marked.join("\n\n") };
}

const isScalar = ({ type, properties, items }: EditorSchema): boolean =>
  properties === undefined && items === undefined && type !== "object" && type !== "array";

/** Null stays a value if it is one. */
function chosenFrom(schema: EditorSchema, choice: Choice | undefined): EditorSchema {
  const types = [schema.type].flat();
  if (choice === undefined || !types.includes("string")) return schema;
  const { values, descriptions, form, isOpen = false, types: other } = choice;
  const listed = {
    enum: types.includes("null") ? [...values, null] : values,
    ...(descriptions && { enumDescriptions: descriptions }),
  };
  const { description, ...own } = schema;
  if (isOpen) {
    const isOwn = other === undefined && description !== undefined;
    const open = other === undefined ? own : { type: types.includes("null") ? [...other, "null"] : other };
    return {
      description: isOwn ? `${form}: ${description}` : form,
      anyOf: values.length === 0 ? [open] : [listed, open],
    };
  }
  return { ...(other === undefined && schema.type && { type: schema.type }), ...listed, description: form };
}

/** The schema with notes on the schemas of the values in its values. */
function withNotesInside(schema: EditorSchema, notes: Notes, path: string): EditorSchema {
  const { properties, items, additionalItems, additionalProperties, anyOf, oneOf } = schema;
  const at = (end: string) => (each: EditorSchema) => noted(each, notes, `${path}${end}`.replace(/^\./, ""));
  const fields = Object.entries(properties ?? {}).map(([name, each]) => [name, at(`.${name}`)(each)]);
  const places = isList(items) ? items.map((each, index) => at(`[${index}]`)(each)) : [];
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: isList(items) ? places : at("[]")(items) }),
    ...(typeof additionalItems === "object" && { additionalItems: at(`[${places.length}]`)(additionalItems) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: at(".*")(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(at("")) }),
    ...(oneOf && { oneOf: oneOf.map(at("")) }),
  };
}

const isList = (items: EditorSchema["items"]): items is readonly EditorSchema[] => Array.isArray(items);
