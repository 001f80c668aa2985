// A JSON schema of draft 7 for editors, from a zod schema: what each field means, its form, and the values to choose from.
// https://code.visualstudio.com/docs/languages/json#_json-schemas-and-settings
import * as z from "zod";
import { withoutFlags } from "../../../src/model/json-pattern.ts";
import { withClauses } from "../../text/wording.ts";

/** The members that this program reads or writes. */
export interface EditorSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, EditorSchema>>;
  readonly anyOf?: readonly EditorSchema[];
  readonly [member: string]: unknown;
}

/** Values to choose from. */
export interface ValueChoice {
  readonly values: readonly unknown[];
  /** One for each value. */
  readonly descriptions?: readonly string[];
  /** Completes `must be …`. */
  readonly form: string;
  /** Whether other values may be valid, too. */
  readonly isOpen?: boolean;
  /** Whether the values have other types than the field. */
  readonly isForeign?: boolean;
  /** Whether the content has any text, also if answers have an object. */
  readonly isText?: boolean;
}

/** Notes about the fields, by their paths as in `meanings` of src/model/operation.ts. */
export interface Notes {
  readonly meaningOf: (path: string) => string | undefined;
  readonly choiceOf: (path: string) => ValueChoice | undefined;
}

export function schemaOf(schema: z.ZodType, notes: Notes): EditorSchema {
  const override = (context: Parameters<typeof withoutFlags>[0]) => {
    withoutFlags(context);
    withClauses(context);
  };
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: "draft-7", io: "input", override });
  return noted(plain as EditorSchema, notes, "");
}

function noted(plain: EditorSchema, notes: Notes, path: string): EditorSchema {
  const members = Object.entries(plain).map(([member, value]) => [member, notedInside(member, value, notes, path)]);
  const { description: form, format, ...shape } = chosenFrom(Object.fromEntries(members), notes.choiceOf(path));
  const isScalar =
    !["properties", "items"].some((member) => Object.hasOwn(shape, member)) && !/object|array/.test(`${shape.type}`);
  return {
    ...shape,
    // Editors test the format of a time by a pattern that is wider than the form's.
    ...(format !== undefined && format !== "date-time" && { format }),
    ...descriptionsOf(notes.meaningOf(path), form),
    // In objects and lists, some editors would also show this message for missing members.
    ...(form !== undefined && isScalar && { errorMessage: `Must be ${form}.` }),
  };
}

/** The value of a member of a schema. Schemas in it, which describe parts of the value at the path, get notes. */
function notedInside(member: string, value: unknown, notes: Notes, path: string): unknown {
  const at = (end: string, inner: unknown) => noted(inner as EditorSchema, notes, `${path}${end}`.replace(/^\./, ""));
  if (value === null || typeof value !== "object") return value;
  switch (member) {
    case "properties":
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, at(`.${name}`, inner)]));
    case "items":
      return Array.isArray(value) ? value.map((inner, index) => at(`[${index}]`, inner)) : at("[]", value);
    case "additionalProperties":
      return at(".*", value);
    case "anyOf":
    case "oneOf":
      return [value].flat().map((inner) => at("", inner));
    default:
      return value;
  }
}

/** Meanings are Markdown. Forms are plain and may have words of the content. */
function descriptionsOf(meaning: string | undefined, form: string | undefined) {
  if (meaning === undefined && form === undefined) return {};
  const sentence = form && `${form.charAt(0).toUpperCase()}${form.slice(1)}.`;
  const texts = [meaning, sentence].filter((text) => text !== undefined);
  const plain = sentence?.replace(/[\\`*_[\]<>&]/g, "\\$&");
  const marked = [meaning, plain].filter((text) => text !== undefined);
  return { description: texts.join(" "), markdownDescription: marked.join("\n\n") };
}

/** Null stays a valid value if the schema accepts it. */
function chosenFrom(schema: EditorSchema, choice: ValueChoice | undefined): EditorSchema {
  const types = [schema.type].flat();
  if (choice?.isText && types.some((type) => type === "object" || type === "string"))
    return {
      description: choice.form,
      anyOf: [...(choice.values.length > 0 ? [{ enum: choice.values }] : []), { type: "string" }],
    };
  if (choice === undefined || !types.includes("string")) return schema;
  const { values, descriptions, form, isOpen = false, isForeign = false } = choice;
  const orNull = types.filter((type) => type === "null");
  const listed = {
    enum: [...values, ...orNull.map(() => null)],
    ...(descriptions && { enumDescriptions: descriptions }),
  };
  const { description, ...others } = schema;
  if (!isOpen) return { ...(!isForeign && { type: schema.type }), ...listed, description: form };
  const open = isForeign ? { type: ["string", "integer", ...orNull] } : others;
  return {
    description: isForeign || description === undefined ? form : `${form}: ${description}`,
    anyOf: values.length === 0 ? [open] : [listed, open],
  };
}
