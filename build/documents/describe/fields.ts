// The fields of a resource from its zod schema, for the reference and for the tables that authors read.
import type * as z from "zod";
import type { Api } from "../../../src/model/api.ts";
import { fieldOf, hasFields, ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import { isOptional, type Kind, kindsOf, type Schema, shapesIn, stepInto } from "../../../src/model/kinds.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { inDeclaration, type Log } from "../../messages.ts";
import { formClause } from "../../text/wording.ts";
import { integer, listed } from "../../text/words.ts";

export interface Field {
  /**
   * `fields[].name` is the name of each object in the list `fields`, `names.*` each value of a record, `latlng[0]` the
   * first value of a list of a fixed length.
   */
  readonly path: string;
  /** In the terms of JSON, such as `integer or null`. */
  readonly type: string;
  readonly isOptional: boolean;
  /** The form of the values; undefined if the type or the words imply it. */
  readonly form: string | undefined;
  /** The allowed values, if they are listed. */
  readonly words: readonly string[];
  readonly meaning: string;
  /** A value; undefined if the example lacks the field. */
  readonly example: unknown;
}

type Meanings = Readonly<Record<string, string>>;

/** In the order of the schema. The fields of an object follow the field that contains it. */
export const documentedFields = (schema: z.ZodType<Item>, meanings: Meanings, example: Item): readonly Field[] =>
  fieldsIn(kindsOf(schema), "", meanings, example);

/** Whether items may have fields that are not in the schema. */
export const hasFurtherFields = (schema: z.ZodType<Item>): boolean => kindsOf(schema).some(isLoose);

/** Warns of fields that the reference cannot explain. */
export function warnOfUndescribed({ operations }: Api, log: Log): void {
  for (const operation of operations) {
    const fields = undescribedFields(operation);
    if (fields.length === 0) continue;
    const [start, them] = fields.length === 1 ? ["1 field", "it"] : [`${integer(fields.length)} fields`, "them"];
    const have = fields.length === 1 ? "has" : "have";
    const text = `${start} of ${operation.name} ${have} no .describe(), by which the reference explains ${them} to consumers: ${listed(fields)}.`;
    log.report({ code: "undescribed", at: operation.placeOf("schema") ?? inDeclaration, text });
  }
}

/** The fields without a meaning. The elements of a list share the meaning of the list. */
export const undescribedFields = ({ schema, meanings }: Operation): readonly string[] =>
  documentedFields(schema({}), meanings, {})
    .filter(({ path, meaning }) => meaning === "" && !/[\]*]$/.test(path))
    .map(({ path }) => path);

/** `kinds` are the kinds of the value at a path: several if the value may have several shapes. */
function fieldsIn(kinds: readonly Kind[], path: string, meanings: Meanings, example: unknown): readonly Field[] {
  const shapes = shapesIn(kinds);
  const objects = shapes.flatMap((shape) => (shape.kind === "object" ? [shape.fields] : []));
  const ofObjects = [...new Set(objects.flatMap(Object.keys))].flatMap((name) => {
    const schemas = objects.flatMap((fields) => ownField(fields, name) ?? []);
    // A field that not all shapes have is optional.
    const mayLack = schemas.length < shapes.length || schemas.some(isOptional);
    return fieldAt(schemas, stepInto(path, `.${name}`), meanings, fieldOf(example, name), mayLack);
  });
  const elements = shapes.flatMap((shape) => (shape.kind === "array" ? [shape.element] : []));
  const values = shapes.flatMap((shape) => (shape.kind === "record" ? [shape.values] : []));
  const tuples = shapes.flatMap((shape) => (shape.kind === "tuple" ? [tupleItems(shape)] : []));
  const length = Math.max(0, ...tuples.map((items) => items.length));
  const ofTuples = Array.from({ length }, (_, index) => {
    const schemas = tuples.flatMap((items) => items[index] ?? []);
    return fieldAt(schemas, `${path}[${index}]`, meanings, fieldOf(example, index), false);
  });
  return [
    ...ofObjects,
    ...elementsAt(elements, `${path}[]`, meanings, fieldOf(example, 0)),
    ...elementsAt(values, `${path}.*`, meanings, firstValueOf(example)),
    ...ofTuples.flat(),
  ];
}

/** The further values of a tuple have one schema. */
const tupleItems = ({ items, rest }: Extract<Kind, { kind: "tuple" }>): readonly Schema[] =>
  rest === undefined ? items : [...items, rest];

const firstValueOf = (record: unknown): unknown => (hasFields(record) ? Object.values(record)[0] : undefined);

/** A field and the fields in it. `schemas` are its schemas in the shapes that have it. */
function fieldAt(
  schemas: readonly Schema[],
  path: string,
  meanings: Meanings,
  example: unknown,
  mayLack: boolean,
): readonly [Field, ...Field[]] {
  const kinds = schemas.flatMap(kindsOf);
  const shapes = shapesIn(kinds);
  const values = shapes.flatMap((shape) => (shape.kind === "known" ? shape.values.map(String) : []));
  const forms = new Set(shapes.map((shape) => (isScalar(shape) ? formClause(shape.schema) : undefined)));
  const field = {
    path,
    type: typeOf(kinds),
    isOptional: mayLack,
    form: forms.size === 1 ? [...forms][0] : undefined,
    words: shapes.every(({ kind }) => kind === "known") ? [...new Set(values)] : [],
    meaning: ownField(meanings, path) ?? "",
    example,
  };
  return [field, ...fieldsIn(kinds, path, meanings, example)];
}

/** The elements of lists or records are a separate field if more than their type is known. */
function elementsAt(schemas: readonly Schema[], path: string, meanings: Meanings, example: unknown): readonly Field[] {
  if (schemas.length === 0) return [];
  const [element, ...inner] = fieldAt(schemas, path, meanings, example, false);
  const { meaning, form, words } = element;
  return meaning === "" && form === undefined && words.length === 0 ? inner : [element, ...inner];
}

const isScalar = ({ kind }: Kind): boolean => kind === "text" || kind === "integer" || kind === "number";

const isLoose = (shape: Kind): boolean =>
  shape.kind === "object" && shape.further !== undefined && kindsOf(shape.further).some(({ kind }) => kind !== "never");

/** The type of a value; `s` at the end of a noun for several values. */
function typeOf(kinds: readonly Kind[], s: "" | "s" = ""): string {
  const isMixed = kinds.some(({ kind }) => kind !== "known" && kind !== "null");
  return [...new Set(kinds.map((shape) => kindName(shape, s, isMixed)))].join(" or ");
}

/** `isMixed`: a literal beside other types is written out. */
function kindName(shape: Kind, s: "" | "s", isMixed: boolean): string {
  switch (shape.kind) {
    case "text":
    case "reference":
    case "words":
      return `string${s}`;
    case "known":
      if (shape.values.length === 1 && isMixed) return JSON.stringify(shape.values[0]);
      return [...new Set(shape.values.map((value) => `${typeof value}${s}`))].join(" or ");
    case "array":
      return `list${s} of ${typeOf(kindsOf(shape.element), "s")}`;
    case "tuple": {
      const [type = "values", ...others] = new Set(
        shape.items.map((item) => typeOf(kindsOf(item), shape.items.length > 1 ? "s" : "")),
      );
      const least = shape.rest === undefined ? "" : "at least ";
      return `list${s} of ${least}${shape.items.length} ${others.length === 0 ? type : "values"}`;
    }
    case "record":
      return `record${s} of ${typeOf(kindsOf(shape.values), "s")}`;
    case "object":
      return isLoose(shape) ? `object${s} with further fields` : `object${s}`;
    case "any":
      return s === "" ? "any" : "values";
    default:
      return `${shape.kind}${s}`;
  }
}
