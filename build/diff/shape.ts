// The fields of an answer with their types, from its JSON schema, and what programs lose if one schema replaces another.
import { jsonPattern } from "../../src/json-pattern.ts";

/** A JSON schema. */
export type Rules = Readonly<Record<string, unknown>>;

interface Field {
  /** The path of the list or object that has the field. */
  readonly parent: string | undefined;
  /** Each value matches at least one of these. */
  readonly rules: readonly Rules[];
  readonly isOptional: boolean;
}

/**
 * By path: `places[].name`; `names.*` are the values of a record, `position[0]` is an element of a tuple. The objects of a
 * union count as one that has the fields of all. The root has the path "".
 */
export type Shape = ReadonlyMap<string, Field>;

export function shapeOf(root: Rules): Shape {
  const shape = new Map<string, Field>();
  const add = (path: string, schemas: readonly Rules[], parent: string | undefined, isOptional: boolean) => {
    const rules = schemas.flatMap(kindsOf);
    shape.set(path, { parent, rules, isOptional });
    const inside = rules.map(childrenOf).filter(({ length }) => length > 0);
    for (const step of new Set(inside.flat().map((child) => child.step))) {
      const own = inside.flat().filter((child) => child.step === step);
      const mayLack = own.length < inside.length || own.some((child) => child.isOptional);
      add(
        `${path}${step}`.replace(/^\./, ""),
        own.map(({ schema }) => schema),
        path,
        mayLack,
      );
    }
  };
  add("", [root], undefined, false);
  return shape;
}

/** The alternatives of a union, and the types of a schema that has several, each by itself. */
function kindsOf(rules: Rules): readonly Rules[] {
  const { type } = rules;
  const all = rules["anyOf"] ?? rules["oneOf"];
  if (Array.isArray(all)) return all.flatMap(kindsOf);
  if (!Array.isArray(type) || valuesOf(rules) !== undefined) return [rules];
  return type.map((each) => (each === "null" ? { type: each } : { ...rules, type: each }));
}

interface Child {
  readonly step: string;
  readonly schema: Rules;
  readonly isOptional: boolean;
}

function childrenOf(rules: Rules): readonly Child[] {
  const { properties = {}, required, prefixItems, items, additionalProperties } = rules;
  const names = [required ?? []].flat();
  const places = [prefixItems ?? []].flat();
  const child = (step: string, schema: unknown, isOptional = false): Child => ({
    step,
    schema: Object(schema),
    isOptional,
  });
  return [
    ...Object.entries(Object(properties)).map(([name, schema]) => child(`.${name}`, schema, !names.includes(name))),
    ...places.map((each, index) => child(`[${index}]`, each)),
    ...(isSchema(items) ? [child(places.length > 0 ? `[${places.length}]` : "[]", items)] : []),
    ...(isRecord(rules) ? [child(".*", additionalProperties)] : []),
  ];
}

const isSchema = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Only the schema of a record has rules for names. */
const isRecord = ({ propertyNames, additionalProperties }: Rules): boolean =>
  propertyNames !== undefined && isSchema(additionalProperties);

/** The paths of the objects that may have fields which the schema does not name; `item` for the whole. */
export const openIn = (shape: Shape): readonly string[] =>
  [...shape].flatMap(([path, { rules }]) =>
    rules.some((each) => isSchema(each["additionalProperties"]) && !isRecord(each)) ? [path || "item"] : [],
  );

/** Each field with its type: `string`, `integer or null, optional`, `easy or hard`. */
export const typesIn = (shape: Shape): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...shape].slice(1).map(([path, { rules, isOptional }]) => {
      const names = rules.flatMap((each) => valuesOf(each)?.map(String) ?? typesOf(each));
      return [path, `${[...new Set(names)].join(" or ")}${isOptional ? ", optional" : ""}`];
    }),
  );

/** The types of JSON, `integer`, or `any value` for a schema without a type. */
const typesOf = (rules: Rules): readonly unknown[] => valuesOf(rules)?.map(typeOf) ?? [rules["type"] ?? "any value"];

const typeOf = (value: unknown): string => (value === null ? "null" : typeof value);

/** Fields are removed, may be missing, or have values that were not allowed: of the same types, or of others. */
export type FieldLoss = readonly [kind: "removed" | "optional" | "widened" | "retyped", path: string];

/** Nothing is reported inside of a field that is removed or has another type. */
export function lossesBetween(before: Shape, after: Shape): readonly FieldLoss[] {
  const losses: FieldLoss[] = [];
  const gone = new Set<string | undefined>();
  for (const [path, { parent, rules, isOptional }] of before) {
    const now = after.get(path);
    const types = rules.flatMap(typesOf);
    // An integer is a number.
    const isKnown = (type: unknown) => types.includes(type) || (type === "number" && types.includes("integer"));
    const isCovered = now?.rules.every((each) => rules.some((old) => covers(old, each)));
    const isRetyped = !isCovered && now?.rules.flatMap(typesOf).every(isKnown) === false;
    if (now === undefined || isRetyped || gone.has(parent)) gone.add(path);
    if (gone.has(parent)) continue;
    if (now === undefined) losses.push(["removed", path]);
    else if (now.isOptional && !isOptional) losses.push(["optional", path]);
    if (isCovered === false) losses.push([isRetyped ? "retyped" : "widened", path]);
  }
  return losses;
}

/** What limits no value, and what the fields inside have. */
const otherRules =
  /^(?:description|title|examples|default|deprecated|readOnly|\$?id|\$schema|\$comment|properties|required|additionalProperties|items|prefixItems)$/;

/** Whether every value of `own` certainly matches `old`, apart from the fields inside. */
function covers(old: Rules, own: Rules): boolean {
  const values = valuesOf(own);
  if (values !== undefined) return values.every((value) => accepts(old, value));
  if (valuesOf(old) !== undefined) return false;
  return Object.entries(old).every(([rule, limit]) => {
    const now = own[rule];
    if (otherRules.test(rule) || JSON.stringify(now) === JSON.stringify(limit)) return true;
    if (rule === "type") return limit === "number" && now === "integer";
    if (typeof now !== "number" || typeof limit !== "number") return false;
    return /^min|^exclusiveMin/.test(rule) ? now >= limit : /^max|^exclusiveMax/.test(rule) && now <= limit;
  });
}

/** The values of an enum or a constant. */
export function valuesOf(rules: Rules): readonly unknown[] | undefined {
  if ("const" in rules) return [rules["const"]];
  return Array.isArray(rules["enum"]) ? rules["enum"] : undefined;
}

function accepts(rules: Rules, value: unknown): boolean {
  const known = valuesOf(rules);
  if (known !== undefined) return known.includes(value);
  const { type, pattern } = rules;
  if (type === "integer" ? !Number.isInteger(value) : type !== undefined && type !== typeOf(value)) return false;
  return typeof pattern !== "string" || jsonPattern(pattern)?.test(String(value)) === true;
}
