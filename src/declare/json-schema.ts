// Schemas in the language JSON Schema. zod converts them, but leaves out what it cannot express. Here each keyword that
// limits values is checked, or the program refuses the schema.
import * as z from "zod";
import { fieldOf, hasFields, isObject, ownField } from "../model/fields.ts";
import { jsonPattern } from "../model/json-pattern.ts";
import { convertParts, definitionOf, type Schema } from "../model/kinds.ts";
import { refusals, type SchemaRefusal } from "./marks.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a JSON schema says of each schema that zod makes of it, apart from its limits and its description. */
type Notes = z.core.$ZodRegistry<Json>;

/** The fields that a schema names. Their values are not known to TypeScript. */
type ShapeOf<JsonSchema> = JsonSchema extends { readonly properties: infer Properties }
  ? { readonly [Field in keyof Properties]: z.ZodAny }
  : z.core.$ZodLooseShape;

/**
 * The schema of an object from a JSON schema of draft 4, 7 or 2020-12: `fromJsonSchema(service)` after
 * `import service from "./service.schema.json" with { type: "json" }`. `$ref` leads to a place within it.
 */
export function fromJsonSchema<JsonSchema extends object>(schema: JsonSchema): z.ZodObject<ShapeOf<JsonSchema>> {
  const notes: Notes = z.registry();
  const root: Json = Object(schema);
  // Items are objects.
  const typedRoot = limitsIn(root).some((keyword) => choosing.includes(keyword)) ? root : { type: "object", ...root };
  const converted = z.fromJSONSchema(prepared(typedRoot, root, []) as z.core.JSONSchema.JSONSchema, {
    registry: notes,
  });
  // The program reports a schema that is not of an object.
  return checked(converted, notes) as z.ZodObject<ShapeOf<JsonSchema>>;
}

/** The keywords that limit the values of some types. zod leaves them out if there is no type. */
const typed = (
  "minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf properties required " +
  "additionalProperties patternProperties propertyNames minProperties maxProperties items prefixItems additionalItems " +
  "minItems maxItems uniqueItems contains"
).split(" ");

/** The keywords beside which zod leaves out others. */
const choosing = ["$ref", "allOf", "anyOf", "oneOf", "enum", "const"];

const unsupported = (
  "not if then else dependencies dependentRequired dependentSchemas nullable unevaluatedItems unevaluatedProperties " +
  "$dynamicRef $recursiveRef"
).split(" ");

const limiting: ReadonlySet<string> = new Set(["type", ...typed, ...choosing, ...unsupported]);

const limitsIn = (schema: Json): readonly string[] => Object.keys(schema).filter((keyword) => limiting.has(keyword));

/** The formats that zod checks as JSON Schema defines them. */
const formats = /^(?:email|uri|uuid|date-time|date|time|duration|hostname|ipv4|ipv6)$/;

/** Why a schema cannot be checked as it is. */
function refusalOf(schema: Json): SchemaRefusal | undefined {
  const keywords = limitsIn(schema);
  const refused = keywords.find((keyword) => unsupported.includes(keyword));
  if (refused !== undefined) return { clause: `has the keyword ${refused}, which is not supported`, hint: useRefine };
  const chosen = keywords.find((keyword) => choosing.includes(keyword));
  const isOfValues = chosen === "enum" || chosen === "const";
  const beside = keywords.find((keyword) => keyword !== chosen && !(isOfValues && keyword === "type"));
  if (chosen !== undefined && beside !== undefined)
    return { clause: `has the keyword ${beside} beside ${chosen}`, hint: "Join them in one schema." };
  if (chosen === undefined && beside !== undefined && schema["type"] === undefined)
    return { clause: `has the keyword ${beside} without type`, hint: 'Add "type".' };
  const { allOf, format, patternProperties, required } = schema;
  if (Array.isArray(allOf) && allOf.length !== 1)
    return { clause: "has the keyword allOf with several schemas", hint: "Join them in one schema." };
  if (typeof format === "string" && [schema["type"]].flat().includes("string") && !formats.test(format))
    return {
      clause: `has the format ${format}, which is not supported`,
      hint: "Write a pattern, or leave the format out.",
    };
  if (required !== undefined && !Array.isArray(required))
    return { clause: "has the keyword required without a list", hint: "Name the fields in required of the object." };
  const isMixed = ["properties", "required", "additionalProperties"].some((keyword) =>
    isFilled(ownField(schema, keyword)),
  );
  if (isObject(patternProperties) && (isMixed || Object.keys(patternProperties).length > 1))
    return { clause: "has patternProperties beside other fields", hint: useRefine };
  return undefined;
}

const useRefine = "Leave it out, and add .refine() to the schema.";

const isFilled = (value: unknown): boolean => typeof value === "object" && Object.keys(value ?? {}).length > 0;

/** The schema in terms that zod converts whole: without references, and with a note in place of what cannot be checked. */
function prepared(schema: unknown, root: Json, refs: readonly unknown[]): unknown {
  if (!isObject(schema)) return schema;
  const refusal = refusalOf(schema);
  if (refusal !== undefined) return { [note]: refusal };
  const { $ref, allOf, ...others } = schema;
  if ($ref !== undefined) {
    const target = targetOf($ref, root);
    const clause = `has the $ref ${$ref}, which ${target === undefined ? "leads nowhere in the schema" : "contains itself"}`;
    if (target === undefined || refs.includes($ref))
      return { [note]: { clause, hint: "Write its schema in its place." } };
    return prepared(isObject(target) ? { ...target, ...others } : target, root, [...refs, $ref]);
  }
  const within = (part: unknown) => prepared(part, root, refs);
  if (Array.isArray(allOf)) return within(isObject(allOf[0]) ? { ...allOf[0], ...others } : allOf[0]);
  const parts = Object.entries(others).map(([keyword, value]) => {
    if (/^(?:properties|patternProperties)$/.test(keyword) && isObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, within(part)]))];
    if (/^(?:anyOf|oneOf|prefixItems|items)$/.test(keyword) && Array.isArray(value))
      return [keyword, value.map(within)];
    return /^(?:items|additional|contains$|propertyNames)/.test(keyword) ? [keyword, within(value)] : [keyword, value];
  });
  const whole: Json = Object.fromEntries(parts);
  // zod checks these two apart from the schema that it makes.
  const hidden = refusalIn(whole["contains"]) ?? refusalIn(whole["propertyNames"]);
  return hidden === undefined ? completed(whole) : { [note]: hidden };
}

/** The keyword of a refusal in a prepared schema. */
const note = "refused by stillapi";

const refusalIn = (part: unknown): unknown =>
  hasFields(part)
    ? (part[note] ??
      Object.values(part)
        .map(refusalIn)
        .find((refusal) => refusal !== undefined))
    : undefined;

/** The place to which a JSON pointer leads (RFC 6901). */
const targetOf = (ref: unknown, root: Json): unknown => {
  const [start, ...steps] = decodeURIComponent(String(ref)).split("/");
  const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return start === "#" ? names.reduce(fieldOf, root) : undefined;
};

/** zod leaves out required fields without properties, limits of lists without items, and the type of an enum. */
function completed(schema: Json): Json {
  const {
    type,
    properties,
    required,
    additionalProperties = true,
    const: only,
    enum: values = [only],
    ...others
  } = schema;
  const isOfType = (value: unknown) => type === undefined || [type].flat().some((each) => isOf(each, value));
  if ("enum" in schema || "const" in schema) return { ...others, enum: [values].flat().filter(isOfType) };
  if (!Array.isArray(required)) return { items: true, ...schema };
  const further = required.filter((name) => fieldOf(properties, name) === undefined);
  const added = Object.fromEntries(further.map((name) => [name, additionalProperties]));
  return { items: true, ...schema, properties: { ...added, ...Object(properties) } };
}

function isOf(type: unknown, value: unknown): boolean {
  if (value === null || Array.isArray(value)) return type === (value === null ? "null" : "array");
  return type === typeof value || (type === "integer" && Number.isInteger(value));
}

/** The schema whose further checks run on its values: zod has them before it, as if they changed values. */
function checked(schema: Schema, notes: Notes): Schema {
  const { [note]: refusal, title, examples } = notes.get(schema) ?? {};
  if (refusal !== undefined) return refusals.mark(z.looseObject({}), refusal as SchemaRefusal);
  const within = (part: Schema) => checked(part, notes);
  const def = definitionOf(schema);
  const further = def.type === "object" && def.catchall ? { catchall: within(def.catchall) } : {};
  const base =
    def.type === "pipe"
      ? withChecks(within(def.out), def.in._zod.def.checks)
      : withChecks(z.core.clone(schema, { ...schema._zod.def, ...convertParts(schema, within), ...further }));
  if (def.type === "default" && !z.core.safeParse(base, def.defaultValue).success)
    return refusals.mark(base, {
      clause: "has a default that it does not accept",
      hint: "Correct it, or leave it out.",
    });
  const { description } = z.globalRegistry.get(schema) ?? {};
  const about = Object.entries({ description, title, examples }).filter(([, text]) => text !== undefined);
  z.globalRegistry.add(base, Object.fromEntries(about));
  return base;
}

type Checks = z.core.$ZodTypeDef["checks"];

const withChecks = (schema: Schema, more: Checks = []): Schema =>
  z.core.clone(schema, { ...schema._zod.def, checks: [...(schema._zod.def.checks ?? []).map(withUnicode), ...more] });

/** Patterns of JSON Schema have the flag u. */
function withUnicode(check: z.core.$ZodCheck<never>): z.core.$ZodCheck<never> {
  if (!(check instanceof z.core.$ZodCheckRegex)) return check;
  const pattern = jsonPattern(check._zod.def.pattern.source);
  return pattern === undefined ? check : z.regex(pattern);
}
