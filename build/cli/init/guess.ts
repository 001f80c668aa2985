// The narrowest form that all values have: values → fields as code, the key and the filters of a collection.
import * as z from "zod";
import { slug, time } from "../../../src/declare/forms.ts";
import { hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import { slugOf } from "../../../src/model/filter.ts";
import { type Item, isPathPart, valueOfFile } from "../../../src/model/key.ts";
import { areAlike, isName, isReservedParameter } from "../../declaration/names.ts";
import { valuesProblem } from "../../declaration/options/filters.ts";

/** A form of values. */
export interface Form {
  readonly kind: "text" | "integer" | "boolean" | "choice" | "list" | "other";
  /** An expression of TypeScript, in lines if it has fields. */
  readonly code: string;
  /** What the expression imports from stillapi/forms. */
  readonly uses: readonly string[];
  /** Whether some of the values are null. */
  readonly isNullable: boolean;
  /** The texts of a choice. */
  readonly choices?: readonly string[];
  /** The form of the values of a list. */
  readonly element?: Form;
}

export interface GuessedField {
  readonly name: string;
  readonly form: Form;
  readonly isOptional: boolean;
}

/** The fields of some items, in the order in which they occur first. */
export function guessFields(items: readonly Item[], depth = 0): readonly GuessedField[] {
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
    form: formOf(present, depth + 1),
    isOptional: present.length < items.length,
  }));
}

/** The field of a schema. */
export const codeOfField = ({ name, form, isOptional }: GuessedField): string =>
  `${propertyName(name)}: ${form.code}${isOptional ? ".optional()" : ""},`;

/** The name of a property, in quotes if it needs them. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Lists and objects that nest deeper are not described. */
const maxDepth = 7;

function formOf(values: readonly unknown[], depth: number): Form {
  const present = values.filter((value) => value !== null);
  const isNullable = present.length < values.length;
  if (present.length === 0) return formWith(isNullable ? "z.null()" : "z.unknown()", { isNullable });
  if (depth > maxDepth && present.some(hasFields)) return formWith("z.unknown()", { isNullable });
  const form = formOfPresent(present, depth);
  return isNullable ? { ...form, code: `${form.code}.nullable()`, isNullable } : form;
}

const formWith = (code: string, more: Partial<Form> = {}): Form => ({
  kind: "other",
  code,
  uses: [],
  isNullable: false,
  ...more,
});

function formOfPresent(values: readonly unknown[], depth: number): Form {
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number");
  const lists = values.filter((value) => Array.isArray(value));
  const objects = values.filter(isObject);
  const forms: Form[] = [];
  if (texts.length > 0) forms.push(formOfTexts(texts));
  if (numbers.length > 0) {
    const areIntegers = numbers.every((value) => Number.isSafeInteger(value));
    forms.push(areIntegers ? formWith("z.int()", { kind: "integer" }) : formWith("z.number()"));
  }
  if (values.some((value) => typeof value === "boolean")) forms.push(formWith("z.boolean()", { kind: "boolean" }));
  if (lists.length > 0) {
    const element = formOf(lists.flat(), depth + 1);
    forms.push(formWith(`z.array(${element.code})`, { kind: "list", element, uses: element.uses }));
  }
  if (objects.length > 0) forms.push(formOfObjects(objects, depth));
  const [first, ...others] = forms;
  if (first !== undefined && others.length === 0) return first;
  const uses = forms.flatMap((form) => form.uses);
  return formWith(`z.union([${forms.map(({ code }) => code).join(", ")}])`, { uses });
}

/** Objects with more names than this are records, and so are those with more than the second one, if most names are rare. */
const maxNames = 40;
const maxCommonNames = 12;

function formOfObjects(objects: readonly Item[], depth: number): Form {
  const counts = countNames(objects);
  const rare = [...counts.values()].filter((count) => 2 * count < objects.length);
  // An optional field cannot have the name of a property of every object.
  const isInherited = [...counts].some(([name, count]) => name in Object.prototype && count < objects.length);
  const isMostlyRare = counts.size > maxCommonNames && 3 * rare.length > 2 * counts.size;
  if (isInherited || isMostlyRare || counts.size > maxNames) {
    const values = formOf(
      objects.flatMap((object) => Object.values(object)),
      depth + 1,
    );
    return formWith(`z.record(z.string(), ${values.code})`, { uses: values.uses });
  }
  const fields = guessFields(objects, depth);
  const lines = fields.map((field) => indented(codeOfField(field), 2));
  const uses = fields.flatMap(({ form }) => form.uses);
  return formWith(lines.length === 0 ? "z.strictObject({})" : `z.strictObject({\n${lines.join("\n")}\n})`, { uses });
}

/** How many objects have each of their names. */
export function countNames(objects: readonly Item[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of objects.flatMap((object) => Object.keys(object))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export const indented = (code: string, by: number): string => code.replaceAll(/^/gm, " ".repeat(by));

const maxChoices = 12;

/** Fewer texts do not show that values repeat. */
const minTexts = 4;

function formOfTexts(texts: readonly string[]): Form {
  const all = [...new Set(texts)];
  const text = (code: string, ...uses: readonly string[]): Form => formWith(code, { kind: "text", uses });
  const areOf = (form: z.ZodType): boolean => all.every((one) => form.safeParse(one).success);
  if (areOf(time)) return text("time", "time");
  if (areOf(z.iso.date())) return text("z.iso.date()");
  if (all.length <= maxChoices && texts.length >= Math.max(2 * all.length, minTexts) && all.every(isWord)) {
    const choices = all.sort();
    const code = choices.length === 1 ? "z.literal" : "z.enum";
    return formWith(`${code}(${choices.length === 1 ? JSON.stringify(choices[0]) : textsAsCode(choices)})`, {
      kind: "choice",
      choices,
    });
  }
  // Digits and hyphens alone are rather a number, a code or a day.
  if (areOf(slug) && all.some((one) => /[a-z]/.test(one))) return text("slug", "slug");
  return text("z.string()");
}

/** A list of texts as code. */
export const textsAsCode = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;

/** Whether a text may be one of a few choices: one short line. */
const isWord = (text: string): boolean => /^(?!\s)[^\p{Cc}\p{Cs}]{1,40}$/u.test(text) && text.trim() === text;

export interface GuessedKey {
  readonly fields: readonly string[];
  /** Whether the values of the fields are a key of every item. */
  readonly isUnique: boolean;
}

const preferred = ["id", "code", "slug", "key", "index", "name"];

/** At most this many fields are tried in pairs. */
const maxPaired = 8;

/** The key of some items, or the field of which a person can make one. */
export function guessKey(fields: readonly GuessedField[], items: readonly Item[]): GuessedKey {
  const rank = ({ name }: GuessedField): number =>
    (preferred.indexOf(name.toLowerCase()) + 1 || 9) + (isIdName(name) ? 0 : 1);
  const ranked = fields.filter(isKeyField).sort((one, other) => rank(one) - rank(other));
  const able = ranked.filter(({ name }) => items.every((item) => isKeyValue(ownField(item, name))));
  const tried = able.slice(0, maxPaired).map(({ name }) => name);
  const pairs = tried.flatMap((one, index) => tried.slice(index + 1).map((other) => [one, other]));
  const key = [...able.map(({ name }) => [name]), ...pairs].find((names) => areUnique(items, names));
  if (key !== undefined) return { fields: key, isUnique: true };
  const best = ranked.find(({ name }) => areUnique(items, [name])) ?? able[0] ?? fields[0];
  return { fields: [best?.name ?? "id"], isUnique: false };
}

const isIdName = (name: string): boolean => /(?:^|[_ -])id$/i.test(name) || /[a-z]I[dD]$/.test(name);

const isKeyField = ({ form: { kind, isNullable }, isOptional }: GuessedField): boolean =>
  !isOptional && !isNullable && (kind === "text" || kind === "integer" || kind === "choice");

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
export function guessFilters(fields: readonly GuessedField[], key: readonly string[]): readonly GuessedFilter[] {
  const filters: GuessedFilter[] = [];
  for (const { name, form } of fields) {
    const { kind, choices = [] } = form.element ?? form;
    const param = slugOf(name.replaceAll("_", " ")).replaceAll("-", name.includes("_") ? "_" : "-");
    const isTaken = filters.some((filter) => areAlike(filter.param, param));
    if (filters.length === maxFilters || key.includes(name) || isTaken) continue;
    if (!isName(param) || isReservedParameter(param)) continue;
    const isSlug = choices.length > 0 && valuesProblem(choices) !== undefined;
    if (kind === "boolean" || (choices.length > 1 && (!isSlug || haveSlugs(choices))))
      filters.push({ param, field: name, isSlug });
  }
  return filters;
}
