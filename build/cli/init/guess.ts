// The narrowest form that all values have: values → forms of fields, the key and the filters of a collection.
import * as z from "zod";
import { slug, time } from "../../../src/declare/forms.ts";
import { hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import { slugOf } from "../../../src/model/filter.ts";
import { type Item, isPathPart, valueOfFile } from "../../../src/model/key.ts";
import { areAlike, isName, isReservedParameter } from "../../declaration/names.ts";
import { valuesProblem } from "../../declaration/uses.ts";

/** A form of values. `isNullable`: whether some of the values are null. */
export type Form = {
  readonly isNullable: boolean;
} /** `code` is an expression of TypeScript; `uses` is what it imports from stillapi/forms. */ & (
  | {
      readonly kind: "scalar";
      readonly type: "text" | "integer" | "number";
      readonly code: string;
      readonly uses?: string;
    }
  | { readonly kind: "boolean" | "null" | "unknown" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly element: Form }
  | { readonly kind: "object"; readonly fields: readonly GuessedField[] }
  | { readonly kind: "record"; readonly values: Form }
  | { readonly kind: "union"; readonly forms: readonly Form[] }
);

export interface GuessedField {
  readonly name: string;
  readonly form: Form;
  readonly isOptional: boolean;
}

/** The empty cells of CSV are null, so its texts are not empty where null is accepted. */
interface Options {
  readonly areCells: boolean;
}

/** The fields of some items, in the order in which they occur first. */
export function fieldsOf(items: readonly Item[], options: Options, depth = 0): readonly GuessedField[] {
  const values = new Map<string, unknown[]>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      // No schema can have it: check reports the items.
      if (name === "__proto__") continue;
      const others = values.get(name);
      if (others === undefined) values.set(name, [value]);
      else others.push(value);
    }
  }
  return [...values].map(([name, present]) => ({
    name,
    form: formOf(present, options, depth + 1),
    isOptional: present.length < items.length,
  }));
}

/** Lists and objects that nest deeper are not described. */
const maxDepth = 7;

function formOf(values: readonly unknown[], options: Options, depth = 0): Form {
  const isNullable = values.includes(null);
  if (depth > maxDepth && values.some(hasFields)) return { kind: "unknown", isNullable };
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number");
  const lists = values.filter((value) => Array.isArray(value));
  const objects = values.filter(isObject);
  const forms: Form[] = [];
  if (texts.length > 0) forms.push(formOfTexts(texts, isNullable, options));
  if (numbers.length > 0) {
    const isInteger = numbers.every((value) => Number.isSafeInteger(value));
    const type = isInteger ? "integer" : "number";
    forms.push({ kind: "scalar", type, code: isInteger ? "z.int()" : "z.number()", isNullable });
  }
  if (values.some((value) => typeof value === "boolean")) forms.push({ kind: "boolean", isNullable });
  if (lists.length > 0) forms.push({ kind: "list", element: formOf(lists.flat(), options, depth + 1), isNullable });
  if (objects.length > 0) forms.push(formOfObjects(objects, isNullable, options, depth));
  const [first, ...others] = forms;
  if (first === undefined) return { kind: values.length > 0 ? "null" : "unknown", isNullable };
  if (others.length === 0) return first;
  return { kind: "union", forms: forms.map((form) => ({ ...form, isNullable: false })), isNullable };
}

/** Objects with more names than this are records if most names are rare, or all values have the same fields. */
const maxNames = 12;

/** Objects with more names than this are records. */
const maxFields = 40;

function formOfObjects(objects: readonly Item[], isNullable: boolean, options: Options, depth: number): Form {
  const counts = new Map<string, number>();
  for (const name of objects.flatMap((object) => Object.keys(object))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const rare = [...counts.values()].filter((count) => 2 * count < objects.length);
  // An optional field cannot have the name of a property of every object.
  const isInherited = [...counts].some(([name, count]) => name in Object.prototype && count < objects.length);
  const values = objects.flatMap((object) => Object.values(object));
  const isMany = counts.size > maxNames;
  if (
    isInherited ||
    counts.size > maxFields ||
    (isMany && (3 * rare.length > 2 * counts.size || areAlikeObjects(values)))
  ) {
    return { kind: "record", values: formOf(values, options, depth + 1), isNullable };
  }
  return { kind: "object", fields: fieldsOf(objects, options, depth), isNullable };
}

/** Whether all values are objects with the same fields. */
function areAlikeObjects(values: readonly unknown[]): boolean {
  const namesOf = (value: unknown): string | undefined =>
    isObject(value) ? JSON.stringify(Object.keys(value).sort()) : undefined;
  const names = namesOf(values[0]);
  return names !== undefined && values.every((value) => namesOf(value) === names);
}

const maxChoices = 12;

/** Fewer texts do not show that values repeat. */
const minTexts = 4;

function formOfTexts(texts: readonly string[], isNullable: boolean, { areCells }: Options): Form {
  const distinct = new Set(texts);
  const scalar = (code: string, uses?: string): Form => ({
    kind: "scalar",
    type: "text",
    code,
    isNullable,
    ...(uses !== undefined && { uses }),
  });
  const all = [...distinct];
  const areOf = (form: z.ZodType): boolean => all.every((text) => form.safeParse(text).success);
  if (areOf(time)) return scalar("time", "time");
  if (areOf(z.iso.date())) return scalar("z.iso.date()");
  const prefix = /^([a-z]+)_[a-z0-9]+$/.exec(all[0] ?? "")?.[1];
  if (prefix !== undefined && all.every((text) => new RegExp(`^${prefix}_[a-z0-9]+$`).test(text)))
    return scalar(`id(${JSON.stringify(prefix)})`, "id");
  if (distinct.size <= maxChoices && texts.length >= Math.max(2 * distinct.size, minTexts) && all.every(isWord))
    return { kind: "choice", values: all.sort(), isNullable };
  const pattern = codePattern(all);
  if (pattern !== undefined && !isNullable) return scalar(`z.string().regex(/${pattern}/)`);
  if (areOf(slug)) return scalar("slug", "slug");
  return scalar(areCells && isNullable ? "z.string().min(1)" : "z.string()");
}

/** Whether a text may be one of a few choices: one short line. */
const isWord = (text: string): boolean => /^(?!\s)[^\p{Cc}\p{Cs}]{1,40}$/u.test(text) && text.trim() === text;

/** The numbers of characters of a code. */
const minCode = 2;
const maxCode = 8;

/** The pattern of codes such as `LHR` or `0041`. */
function codePattern(texts: readonly string[]): string | undefined {
  const lengths = texts.map(({ length }) => length);
  const shortest = lengths.reduce((one, other) => Math.min(one, other));
  const longest = lengths.reduce((one, other) => Math.max(one, other));
  const characters = ["0-9", "A-Z", "A-Z0-9"].find((set) => {
    const form = new RegExp(`^[${set}]+$`);
    return texts.every((text) => form.test(text));
  });
  if (characters === undefined || shortest < minCode || longest > maxCode) return undefined;
  return `^[${characters}]{${shortest === longest ? shortest : `${shortest},${longest}`}}$`;
}

export interface GuessedKey {
  readonly fields: readonly string[];
  /** Whether the values of the fields are a key of every item. */
  readonly isUnique: boolean;
  /** A value that cannot be a part of an address. The field is unique, and so are the slugs of its values. */
  readonly unfit?: string;
}

const preferred = ["id", "code", "slug", "key", "index", "name"];

/** At most this many fields are tried in pairs. */
const maxPaired = 8;

/** The key of some items; undefined if no field can be one. */
export function keyOf(fields: readonly GuessedField[], items: readonly Item[]): GuessedKey | undefined {
  const rank = ({ name }: GuessedField): number =>
    (preferred.indexOf(name.toLowerCase()) + 1 || 9) + (isIdName(name) ? 0 : 1);
  const ranked = fields.filter(isKeyField).sort((one, other) => rank(one) - rank(other));
  const able = ranked.filter(({ name }) => items.every((item) => isKeyValue(ownField(item, name))));
  const single = able.find(({ name }) => areUnique(items, [name]));
  if (single !== undefined) return { fields: [single.name], isUnique: true };
  const tried = able.slice(0, maxPaired).map(({ name }) => name);
  const pairs = tried.flatMap((one, index) => tried.slice(index + 1).map((other) => [one, other]));
  const pair = pairs.find((names) => areUnique(items, names));
  if (pair !== undefined) return { fields: pair, isUnique: true };
  const sluggable = ranked.find(({ name }) => haveSlugs(items.map((item) => String(ownField(item, name)))));
  if (sluggable !== undefined) {
    const unfit = items.map((item) => ownField(item, sluggable.name)).find((value) => !isKeyValue(value));
    return { fields: [sluggable.name], isUnique: false, unfit: String(unfit) };
  }
  const best = able[0] ?? ranked[0];
  return best === undefined ? undefined : { fields: [best.name], isUnique: false };
}

const isIdName = (name: string): boolean => /(?:^|[_ -])id$/i.test(name) || /[a-z]I[dD]$/.test(name);

const isKeyField = ({ form, isOptional }: GuessedField): boolean =>
  !isOptional &&
  !form.isNullable &&
  (form.kind === "scalar" ? form.type !== "number" : form.kind === "choice" && form.values.every(isPathPart));

/** Whether a value can be a part of a path. */
export const isKeyValue = (value: unknown): boolean =>
  (typeof value === "string" || Number.isSafeInteger(value)) &&
  isPathPart(String(value)) &&
  valueOfFile(String(value)) === undefined;

const areUnique = (items: readonly Item[], names: readonly string[]): boolean => {
  const seen = new Set<string>();
  for (const item of items) {
    const key = names.map((name) => String(ownField(item, name)).toLowerCase()).join("/");
    if (seen.size === seen.add(key).size) return false;
  }
  return true;
};

/** Whether each text has a slug that no other one has. */
function haveSlugs(texts: readonly string[]): boolean {
  const slugs = new Set(texts.map(slugOf));
  return slugs.size === texts.length && !slugs.has("");
}

/** A filter by a field. `isSlug`: by the slugs of its values. */
export interface GuessedFilter {
  readonly param: string;
  readonly field: string;
  readonly isSlug: boolean;
}

const maxFilters = 6;

/** The filters by fields of few values. */
export function filtersOf(fields: readonly GuessedField[], key: readonly string[]): readonly GuessedFilter[] {
  const filters: GuessedFilter[] = [];
  for (const { name, form } of fields) {
    const values = form.kind === "list" ? form.element : form;
    const param = slugOf(name.replaceAll("_", " ")).replaceAll("-", name.includes("_") ? "_" : "-");
    const isTaken = filters.some((filter) => areAlike(filter.param, param));
    if (filters.length === maxFilters || key.includes(name) || isTaken) continue;
    if (!isName(param) || isReservedParameter(param)) continue;
    if (values.kind === "boolean") filters.push({ param, field: name, isSlug: false });
    if (values.kind !== "choice" || values.values.length < 2) continue;
    const isSlug = valuesProblem(values.values) !== undefined;
    if (!isSlug || haveSlugs(values.values)) filters.push({ param, field: name, isSlug });
  }
  return filters;
}
