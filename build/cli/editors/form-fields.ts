// The fields of a form of a git-based editor, from the schema that other editors have. A field has a widget:
// https://decapcms.org/docs/widgets/
import { isObject, ownField } from "../../../src/model/fields.ts";
import type { Reference, WrittenItem } from "../../../src/model/operation.ts";
import type { EditorSchema } from "./schema.ts";

export type FormOptions = Readonly<Record<string, unknown>>;

interface FormContext extends Pick<WrittenItem, "references" | "assets" | "meanings"> {
  /** The field that is the text of a Markdown file. */
  readonly body: string | undefined;
  /** The fields that are parts of the path of a file. */
  readonly inPath: readonly string[];
  /** The widget that chooses an item. Undefined if the collection has no form. */
  readonly relationTo: (reference: Reference) => FormOptions | undefined;
}

/**
 * The fields of an object; a string says why a required one has none, as a clause. Editors keep the values of others.
 * `mayLack`: whether the object may be absent, so that no field of it may be required or have a default.
 */
export function fieldsOf(
  { properties = {}, required = [] }: EditorSchema,
  context: FormContext,
  path = "",
  mayLack = false,
): readonly FormOptions[] | string {
  const fields: FormOptions[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = !mayLack && [required].flat().includes(name);
    const at = path === "" ? name : `${path}.${name}`;
    const widget = widgetOf(schema, at, context, !isRequired);
    if (typeof widget === "string" && isRequired) return widget;
    if (typeof widget === "string") continue;
    // Editors take an empty list for no value.
    const mustFill = isRequired && (!isList(widget) || Number(widget["min"]) > 0);
    fields.push({
      name,
      label: labelFor(name),
      ...widget,
      default: mayLack ? undefined : (schema["default"] ?? defaultOf(widget, isRequired)),
      // A file must not contradict its path, which editors write in lowercase.
      ...(context.inPath.includes(at) && { pattern: ["^[a-z0-9_-]+$", "lowercase letters, digits, - and _"] }),
      required: mustFill ? undefined : false,
      hint: "choose_url" in widget ? ownField(context.meanings, at) : schema.description,
    });
  }
  return fields;
}

const isList = ({ widget, multiple }: FormOptions): boolean => widget === "list" || multiple === true;

/** Without a default, editors write neither an empty list nor false, and start a list of objects with one. */
function defaultOf(widget: FormOptions, isRequired: boolean): unknown {
  if (isList(widget) && (isRequired || ("fields" in widget && !(Number(widget["min"]) > 0)))) return [];
  return widget["widget"] === "boolean" && isRequired ? false : undefined;
}

/** The widget for the values that are not null. */
function widgetOf(schema: EditorSchema, at: string, context: FormContext, mayLack = false): FormOptions | string {
  const asset = context.assets.find(({ field }) => field === at);
  if (asset !== undefined) return { widget: asset.isImage ? "image" : "file", choose_url: false };
  const reference = context.references.find(({ field }) => field === at);
  const relation = reference && context.relationTo(reference);
  if (relation !== undefined) return relation;
  const shapes = (schema.anyOf ?? []).filter((one) => one.type !== "null");
  if (shapes.length === 1) return widgetOf({ ...schema, ...shapes[0], anyOf: [] }, at, context, mayLack);
  const listed = shapes.length > 0 ? shapes.map((one) => one["const"]) : (schema["enum"] ?? [schema["const"]]);
  const values = [listed].flat().filter((value) => value !== null);
  const names = [schema["enumDescriptions"]].flat();
  const optionOf = (value: unknown, name: unknown) => (name ? { label: `${value} – ${name}`, value } : value);
  if (values.every((value) => /string|number/.test(typeof value)))
    return { widget: "select", options: values.map((value, index) => optionOf(value, names[index])) };
  const [type, other] = [schema.type].flat().filter((one) => one !== "null");
  // Such as the keys of items, or any other text.
  if (shapes.length > 0 && shapes.every((one) => one.type === "string" || "enum" in one)) return { widget: "string" };
  if (other !== undefined || type === undefined) return `no form shows ${at}, which has values of different forms`;
  if (type === "string") return at === context.body ? { widget: "markdown" } : stringWidget(schema);
  if (type === "boolean") return { widget: "boolean" };
  if (type === "array") return listWidget(schema, at, context, mayLack);
  const { minimum: min, maximum: max } = schema;
  if (type !== "object") return { widget: "number", value_type: type === "integer" ? "int" : "float", min, max };
  if (schema.properties === undefined) return `no form shows ${at}, which has any keys`;
  const fields = fieldsOf(schema, context, at, mayLack);
  return typeof fields === "string" ? fields : { widget: "object", fields };
}

function listWidget(schema: EditorSchema, at: string, context: FormContext, mayLack: boolean): FormOptions | string {
  const { items, minItems: min, maxItems: max } = schema;
  const inner = isObject(items) ? widgetOf(items, `${at}[]`, context) : "";
  if (typeof inner === "string" || isList(inner)) return `no form shows the elements of ${at}`;
  const { widget, fields } = inner;
  // An editor starts it with an element, or writes an empty list. It never leaves the list out.
  if (widget === "object" && mayLack && Number(min) > 0) return `no form shows an absent ${at}`;
  if (widget === "select" || widget === "relation") return { ...inner, multiple: true, min, max };
  const name = at.replace(/^.*\./, "");
  return { widget: "list", min, max, ...(fields ? { fields } : { field: { name, label: labelFor(name), ...inner } }) };
}

function stringWidget({ pattern, errorMessage, minLength: min = 0, maxLength: max }: EditorSchema): FormOptions {
  const accepts = (text: string) => typeof pattern === "string" && new RegExp(pattern, "u").test(text);
  const isWritten = (format: string, day: string) =>
    accepts(
      format
        .replace("YYYY-MM-DD", day)
        .replace(/[HmsS]/g, "0")
        .replace(/[[\]]/g, ""),
    );
  const format = timeFormats.find((one) => isWritten(one, "2026-11-20") && !isWritten(one, "2026-02-30"));
  if (format === "YYYY-MM-DD") return { widget: "datetime", format, date_format: format, time_format: false };
  if (format !== undefined) return { widget: "datetime", format, picker_utc: true };
  const sized = min === 0 && max === undefined ? undefined : `^[^]{${min},${max ?? ""}}$`;
  // Editors do not set the flag u.
  const shown = String(pattern ?? sized).replace(/\\p\{C([cs])\}/g, (_, kind) => (kind === "c" ? control : ""));
  const isShown = (pattern ?? sized) !== undefined && !/\\p|\\u\{|[\ud800-\udfff]/i.test(shown);
  const form = String(errorMessage ?? "another form").replace(/^Must be (.*)\.$/s, "$1");
  // An input of one line drops the line breaks of a text.
  const widget = pattern === undefined || accepts("a\nb") ? "text" : "string";
  return { widget, ...(isShown && { pattern: [shown, form] }) };
}

const control = String.raw`\x00-\x1f\x7f-\x9f`;

/** How editors write days and times. */
const timeFormats = ["", "[T]HH:mm:ss[Z]", "[T]HH:mm:ss.SSS[Z]", "[T]HH:mm[Z]"].map((end) => `YYYY-MM-DD${end}`);

/** `createdAt` and `created_at` are Created at. */
export function labelFor(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])|[_\s-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
