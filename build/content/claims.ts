// What the items of a collection claim of the paths below its name: their keys and other names, and the values by which
// filters list them. Paths may ignore case, so a claim excludes all others that differ from it in case only.
import * as z from "zod";
import { type Derived, type Filter, slugOf } from "../../src/model/filter.ts";
import { type Item, keyOf, valueOfFile } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { pathForm } from "../../src/model/path-form.ts";
import type { Draft, Log, Path, Spot } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { isAccepted } from "./explain.ts";
import { isWellFormed, longestKey } from "./link.ts";
import { type Origin, spotOf } from "./origin.ts";
import { folderClause, folderRule, partRule, type Rule } from "./path-rules.ts";
import { dotted } from "./validate.ts";
import { wrong } from "./wrong.ts";

export interface Claims {
  /**
   * `derived`: the values that functions derive, if the item has its form. The fields of other items are checked as far as
   * they have theirs.
   */
  take(index: number, item: Item, origin: Origin, derived?: Derived): void;
  /** Once all items are known. */
  finish(): void;
}

/** A key, another name or a value of a filter, and where an item has it. */
interface Claim {
  readonly index: number;
  readonly value: string;
  readonly at: Spot;
}

/** `originOf` and `itemOf` return what is known of an item by its index. */
export function claimsOf(
  operation: ListOperation,
  schema: z.ZodType,
  log: Pick<Log, "report">,
  originOf: (index: number) => Origin,
  itemOf: (index: number) => Item,
): Claims {
  const { item: single, noun, scope } = operation;
  const fields = fieldsOf(operation, schema);
  const keyAt = (index: number): string => keyOf(operation, itemOf(index)) ?? "";
  const keys = keyTable((index) => keyAt(index).toLowerCase());
  const names = new Map<string, Claim>();
  /** The keys that end like the files of others. */
  const likeFiles: (Claim & { readonly file: string })[] = [];
  /** The first values with each form, by the parameter of their filter and the form. */
  const values = new Map<string, Claim>();

  const keyClaim = (index: number | undefined): Claim | undefined =>
    index === undefined
      ? undefined
      : { index, value: keyAt(index), at: spotOf(originOf(index), undefined, [operation.key]) };

  const taken = (name: string, value: string, at: Spot, first: Claim): Draft => ({
    code: "not-unique",
    at,
    text: (_, placeOf) => ({
      text: `The ${name} ${quote(value)} is taken by another ${noun}, at ${placeOf(first.at)}.`,
      hint: "Each needs its own; case makes no difference.",
    }),
  });

  function claimKey(index: number, key: string, item: Item, origin: Origin): void {
    const url = key.toLowerCase();
    const first = names.get(url) ?? keyClaim(keys.claim(url, index));
    if (first !== undefined) {
      const name = scope.length === 0 ? operation.key : "key";
      log.report(taken(name, key, spotOf(origin, item, [operation.key]), first));
    }
    // A composite key is no value of a filter.
    const file = scope.length === 0 ? valueOfFile(key) : undefined;
    if (file !== undefined) likeFiles.push({ index, value: key, file, at: spotOf(origin, item, [operation.key]) });
  }

  function claimName(own: Claim, key: string | undefined, field: string): void {
    const { index, value, at } = own;
    const url = value.toLowerCase();
    const first = names.get(url) ?? keyClaim(keys.find(url));
    if (first === undefined) names.set(url, own);
    if (first === undefined || value === key) return;
    if (first.index !== index) log.report(taken("alias", value, at, first));
    else if (first.value !== value) log.report(alike(field, own, first));
  }

  /** Values of a filter that have one form are one part of a path. Returns whether this one may be there. */
  function claimValue({ param, by, accepts }: Filter, field: string, own: Claim): boolean {
    const form = by === "slug" ? slugOf(own.value) : own.value.toLowerCase();
    if (form === "" || accepts.kind === "listed") return true;
    const first = values.get(`${param} ${form}`);
    if (first === undefined) values.set(`${param} ${form}`, own);
    else log.report(alike(field, own, first));
    return first === undefined;
  }

  function check(field: Field, index: number, { value, path, isKey }: FieldText, item: Item, origin: Origin): void {
    const { name, rule, seen, filter } = field;
    if (seen?.has(value)) return;
    const expected = rule(value);
    const at = spotOf(origin, item, path, isKey ? "key" : "value");
    if (expected !== undefined) {
      const ofField = isKey ? `Each key of ${name}` : dotted(path);
      const subject = path.length === 0 ? `The value of the filter ${name}` : ofField;
      log.report(wrong("wrong-value", at, { name: subject, expected, value }));
    } else if (filter !== undefined && claimValue(filter, name, { index, value, at })) seen?.add(value);
  }

  return {
    take(index, item, origin, derived) {
      const key = keyOf(operation, item);
      // A value without the form of a key is reported as that, and must change anyway.
      const isKey = derived !== undefined || [key, key?.toLowerCase()].some((each) => isWellFormed(operation, each));
      if (key !== undefined && isKey) claimKey(index, key, item, origin);
      const aliases = single?.aliases;
      for (const { value, path } of aliases === undefined ? none : textsIn(item[aliases], aliases))
        claimName({ index, value, at: spotOf(origin, item, path) }, key, aliases ?? "");
      for (const field of fields)
        for (const text of textsOf(field, item, derived)) check(field, index, text, item, origin);
    },
    finish() {
      for (const { value, file, at } of likeFiles) {
        if (!names.has(file.toLowerCase()) && keys.find(file.toLowerCase()) === undefined) continue;
        const expected = `${folderClause}, because ${quote(file)} is a key as well`;
        log.report(wrong("wrong-value", at, { name: operation.key, expected, value }));
      }
    },
  };
}

const alike = (field: string, { value, at }: Claim, first: Claim): Draft => ({
  code: "alike",
  at,
  text: (_, placeOf) => ({
    text: `The values ${quote(value)} and ${quote(first.value)} of ${field}, the latter at ${placeOf(first.at)}, are the same in paths, which may ignore case.`,
    hint: "Write both alike, change one of them, or let a function derive the values of a filter.",
  }),
});

/** A field whose values are parts of paths, or a filter whose function returns such values. */
interface Field {
  /** The name of the field, or the parameter of the filter. */
  readonly name: string;
  /** The schema of the field, if there is one. */
  readonly form: z.core.$ZodType | undefined;
  readonly rule: Rule;
  readonly filter?: Filter;
  /** The values of a filter that have been checked. */
  readonly seen?: Set<string>;
}

function fieldsOf({ scope, key, keyForm, filters, item }: ListOperation, schema: z.ZodType): readonly Field[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const parts = [...scope, { field: key, form: keyForm }];
  const fields = [
    ...parts.map(({ field, form }) => ({ name: field, rule: form === pathForm ? partRule : keyRule })),
    ...(item?.aliases === undefined ? [] : [{ name: item.aliases, rule: partRule }]),
    // The values of other filters are keys, and checked as such.
    ...filters
      .filter(({ accepts }) => accepts.kind !== "keys")
      .map((filter) => ({ name: filter.field ?? filter.param, rule: ruleOf(filter), filter, seen: new Set<string>() })),
  ];
  return fields.map((field) => ({ ...field, form: shape[field.name] }));
}

function ruleOf({ by, accepts }: Filter): Rule {
  if (by === "slug") return (text) => folderRule(slugOf(text) || "-");
  if (by !== "function" || accepts.kind !== "listed") return folderRule;
  return (text) => (accepts.values.includes(text) ? undefined : `one of its values: ${listed(accepts.values)}`);
}

/** A key whose schema allows only characters of paths. File systems have names of at most 255 bytes, endings included. */
const keyRule: Rule = (text) =>
  text.length === 0 || text.length > longestKey
    ? `a key of 1 to ${longestKey} characters, for it is the name of a file`
    : undefined;

/** A text in a field of an item, or a key of its record. The path is empty for what a function derives. */
interface FieldText {
  readonly value: string;
  readonly path: Path;
  readonly isKey?: boolean;
}

const none: readonly FieldText[] = [];

/** The texts that must be parts of paths, except for some that are right. */
function textsOf({ name, form, filter, rule, seen }: Field, item: Item, derived?: Derived): readonly FieldText[] {
  if (filter?.by === "function") return (derived?.get(name) ?? []).map((value) => ({ value, path: [] }));
  const value = item[name];
  // Most values are a text that is right, and millions of items have one.
  if (typeof value === "string" && (seen === undefined ? rule(value) === undefined : seen.has(value))) return none;
  const isRight = derived !== undefined || (form !== undefined && isAccepted(form, value));
  return isRight ? textsIn(value, name) : none;
}

/** The texts in a field: its value, the elements of its list or the keys of its record. */
function textsIn(field: unknown, name: string): readonly FieldText[] {
  if (field === null || field === undefined) return none;
  if (typeof field !== "object") return [{ value: String(field), path: [name] }];
  if (!Array.isArray(field)) return Object.keys(field).map((value) => ({ value, path: [name, value], isKey: true }));
  return field.flatMap((each: unknown, index) =>
    each === null || typeof each === "object" ? none : { value: String(each), path: [name, index] },
  );
}

/**
 * The items that claim keys in lowercase; `keyOf` returns that of an item. A Map of a million strings takes three times as
 * long to make, a tenth of the time in which a million items are read: here a key is a 32-bit hash in one array, and keys
 * are compared only if their hashes are equal.
 */
function keyTable(keyOf: (item: number) => string) {
  let size = 1 << 10;
  let count = 0;
  /** The hash of a key and its item plus 1, which is 0 if the place is free. */
  let places = new Uint32Array(2 * size);

  /** The place of a key, or the free place for it. */
  function placeOf(hash: number, isSame: (item: number) => boolean): number {
    let place = hash & (size - 1);
    for (let item = places[2 * place + 1]; item !== 0; item = places[2 * place + 1]) {
      if (places[2 * place] === hash && isSame((item ?? 0) - 1)) break;
      place = (place + 1) & (size - 1);
    }
    return 2 * place;
  }

  function grow(): void {
    const old = places;
    size *= 2;
    places = new Uint32Array(2 * size);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const place = placeOf(old[at] ?? 0, () => false);
      places.set(old.subarray(at, at + 2), place);
    }
  }

  return {
    find(key: string): number | undefined {
      const item = places[placeOf(hashOf(key), (other) => keyOf(other) === key) + 1] ?? 0;
      return item === 0 ? undefined : item - 1;
    },
    /** Returns the item that has claimed the key already. */
    claim(key: string, item: number): number | undefined {
      const hash = hashOf(key);
      const place = placeOf(hash, (other) => keyOf(other) === key);
      const first = places[place + 1] ?? 0;
      if (first !== 0) return first - 1;
      places[place] = hash;
      places[place + 1] = item + 1;
      if (2 * ++count > size) grow();
      return undefined;
    },
  };
}

/** FNV-1a of the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
