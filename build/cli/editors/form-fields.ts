// The fields of a form of a git-based editor, from the schema that other editors have. A field has a widget:
// https://decapcms.org/docs/widgets/
import { isObject, ownField } from "../../../src/model/fields.ts";
import type { Reference, WrittenItem } from "../../../src/model/operation.ts";
import type { EditorSchema } from "./schema.ts";

type Options = Readonly<Record<string, unknown>>;

export interface FormContext extends Pick<WrittenItem, "references" | "assets" | "meanings"> {
  /** The field that is the text of a Markdown file. */
  readonly body: string | undefined;
  /** The fields that are parts of the path of a file. */
  readonly inPath: readonly string[];
  /** The widget that chooses an item. Undefined if the collection has no form. */
  readonly relationTo: (reference: Reference) => Options | undefined;
}

/** Why a form cannot show a required field, as a clause. */
interface Refusal {
  readonly refused: string;
}

/**
 * The fields of an object. Those that are optional and that no widget shows are left out: editors keep their values.
 * `isOptional`: whether the object may be absent, so that no field of it may be required or have a default.
 */
export function fieldsOf(
  { properties = {}, required = [] }: EditorSchema,
  context: FormContext,
  path = "",
  isOptional = false,
): readonly Options[] | Refusal {
  const fields: Options[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = !isOptional && [required].flat().includes(name);
    const at = path === "" ? name : `${path}.${name}`;
    const plain = withoutNull(schema);
    const widget = widgetOf(plain, at, context, !isRequired);
    if (isRefusal(widget)) {
      if (isRequired) return widget;
      continue;
    }
    const hint = "choose_url" in widget ? ownField(context.meanings, at) : (schema.description ?? plain.description);
    fields.push({
      name,
      label: labelFor(name),
      ...widget,
      ...(isOptional ? {} : defaultOf(schema, widget, isRequired)),
      ...(context.inPath.includes(at) && patternInPath(plain)),
      ...(!(isRequired && isFilled(widget)) && { required: false }),
      ...(hint !== undefined && { hint }),
    });
  }
  return fields;
}

const isRefusal = (one: Options | Refusal | readonly Options[]): one is Refusal => "refused" in one;

const isList = ({ widget, multiple }: Options): boolean => widget === "list" || multiple === true;

/** Editors take an empty list for no value. */
const isFilled = (widget: Options): boolean => !isList(widget) || Number(widget["min"] ?? 0) > 0;

/** Without a default, editors write neither an empty list nor false, and start a list of objects with one. */
function defaultOf(schema: EditorSchema, widget: Options, isRequired: boolean): Options {
  const isEmptyList = isList(widget) && (isRequired || ("fields" in widget && !isFilled(widget)));
  const usual = isEmptyList ? [] : widget["widget"] === "boolean" && isRequired ? false : undefined;
  const value = schema["default"] ?? usual;
  return value === undefined || value === null ? {} : { default: value };
}

/** The schema of the values that are not null. */
function withoutNull(schema: EditorSchema): EditorSchema {
  const { type = [], anyOf = [], enum: values } = schema;
  const shapes = anyOf.filter((one) => one.type !== "null");
  const [only, ...others] = shapes;
  if (only !== undefined && others.length === 0) return withoutNull(only);
  const types = [type].flat();
  return {
    ...schema,
    anyOf: shapes,
    ...(types.length === 2 && types.includes("null") && { type: types.filter((one) => one !== "null").join() }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}

function widgetOf(schema: EditorSchema, at: string, context: FormContext, isOptional: boolean): Options | Refusal {
  const { type, const: only, enum: listed, anyOf = [] } = schema;
  const values = anyOf.length > 0 ? anyOf.map((one) => one["const"]) : (listed ?? [only]);
  const asset = context.assets.find(({ field }) => field === at);
  if (asset !== undefined) return { widget: asset.isImage ? "image" : "file", choose_url: false };
  const reference = context.references.find(({ field }) => field === at);
  const relation = reference && context.relationTo(reference);
  if (relation !== undefined) return relation;
  if (Array.isArray(values) && values.every((value) => /string|number/.test(typeof value)))
    return { widget: "select", options: optionsOf(values, schema["enumDescriptions"]) };
  if (type === "string") return at === context.body ? { widget: "markdown" } : stringWidget(schema);
  if (type === "integer" || type === "number") return numberWidget(schema);
  if (type === "boolean" && only === undefined) return { widget: "boolean" };
  if (type === "array") return listWidget(schema, at, context, isOptional);
  if (type === "object" && schema.properties !== undefined) {
    const fields = fieldsOf(schema, context, at, isOptional);
    if (isRefusal(fields)) return fields;
    // Editors refuse an object without fields.
    return fields.length > 0 ? { widget: "object", fields } : { refused: `no form shows a field of ${at}` };
  }
  // Such as the keys of items, or any other text.
  if (anyOf.length > 0 && anyOf.every((one) => one.type === "string" || "enum" in one)) return { widget: "string" };
  const what = type === "object" ? "any keys" : "values of different forms";
  return { refused: `no form shows ${at}, which has ${what}` };
}

const optionsOf = (values: readonly unknown[], names: unknown): readonly unknown[] =>
  values.map((value, index) => {
    const name = Array.isArray(names) ? names[index] : "";
    return name === "" ? value : { label: `${value} – ${name}`, value };
  });

function numberWidget({ type, minimum: min, maximum: max }: EditorSchema): Options {
  const isBound = (limit: unknown) => Math.abs(Number(limit)) < Number.MAX_SAFE_INTEGER;
  const value_type = type === "integer" ? "int" : "float";
  return { widget: "number", value_type, ...(isBound(min) && { min }), ...(isBound(max) && { max }) };
}

function listWidget(schema: EditorSchema, at: string, context: FormContext, isOptional: boolean): Options | Refusal {
  const { items, minItems: min, maxItems: max } = schema;
  const inner = isObject(items) ? widgetOf(withoutNull(items), `${at}[]`, context, false) : { refused: "" };
  if (isRefusal(inner) || isList(inner)) return { refused: `no form shows the elements of ${at}` };
  const { widget, fields } = inner;
  // An editor starts it with an element, or writes an empty list. It never leaves the list out.
  if (widget === "object" && isOptional && Number(min) > 0) return { refused: `no form shows an absent ${at}` };
  const size = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  if (widget === "select" || widget === "relation") return { ...inner, multiple: true, ...size };
  const name = at.replace(/^.*\./, "");
  const content = widget === "object" ? { fields } : { field: { name, label: labelFor(name), ...inner } };
  return { widget: "list", ...size, ...content };
}

function stringWidget({ pattern, errorMessage, minLength, maxLength }: EditorSchema): Options {
  const time = times.find(([end]) => accepts(pattern, `2026-11-20${end}`) && !accepts(pattern, `2026-02-30${end}`));
  if (time !== undefined) {
    const format = `YYYY-MM-DD${time[1]}`;
    const isDay = time[1] === "";
    return {
      widget: "datetime",
      format,
      ...(isDay ? { date_format: format, time_format: false } : { picker_utc: true }),
    };
  }
  const length = minLength ?? maxLength;
  const sized = length === undefined ? undefined : `^[^]{${minLength ?? 0},${maxLength ?? ""}}$`;
  const shown = withoutUnicode(pattern ?? sized);
  return {
    // An input of one line drops the line breaks of a text.
    widget: pattern === undefined || accepts(pattern, "a\nb") ? "text" : "string",
    ...(shown !== undefined && { pattern: [shown, formIn(errorMessage)] }),
  };
}

/** What may follow a day, and how an editor writes it. */
const times = [
  ["", ""],
  ["T09:00:00Z", "[T]HH:mm:ss[Z]"],
  ["T09:00:00.000Z", "[T]HH:mm:ss.SSS[Z]"],
  ["T09:00Z", "[T]HH:mm[Z]"],
] as const;

const accepts = (pattern: unknown, text: string): boolean =>
  typeof pattern === "string" && new RegExp(pattern, "u").test(text);

/** `lowercase letters`, of `Must be lowercase letters.` */
const formIn = (message: unknown): string => String(message ?? "another form").replace(/^Must be (.*)\.$/s, "$1");

/** The same pattern without the flag u, which editors do not set. Undefined if there is none. */
function withoutUnicode(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return undefined;
  const plain = pattern.replaceAll("\\p{Cc}", "\\x00-\\x1f\\x7f-\\x9f").replaceAll("\\p{Cs}", "");
  return /\\p|\\u\{|[\ud800-\udfff]/i.test(plain) ? undefined : plain;
}

/** Editors write paths in lowercase, and a file must not contradict its path. */
function patternInPath({ type, pattern, errorMessage }: EditorSchema): Options {
  const form = withoutUnicode(pattern);
  if (type !== "string") return {};
  const both = `^(?=[a-z0-9_-]+$)${form === undefined ? "" : `(?=[^]*?(?:${form}))`}`;
  return { pattern: [both, form === undefined ? "lowercase letters, digits, - and _" : formIn(errorMessage)] };
}

/** `createdAt` and `created_at` are Created at. */
export function labelFor(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])|[_\s-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
