// Keys of items and values of filters are parts of paths. A schema may allow others; they are reported where they occur.
import * as z from "zod";
import { aliasesIn, type Filter, textOf, valuesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { isPathPart, pathForm, valueOfFile, wordsOfPaths } from "../../src/resource.ts";
import { quote } from "../quote.ts";
import { type Fault, fault } from "./faults/fault.ts";
import type { Keys } from "./link.ts";
import type { Entry, Path } from "./source.ts";

/** Returns the clause behind "must be …" if a value, or a part of it, cannot be a part of a path. `text` is as in `textOf`. */
export type PathRule = (text: string) => string | undefined;

/** By the name of a field. Fields whose schema allows nothing else have no rule. */
function pathRules({ resource, filters, item }: ListOperation): ReadonlyMap<string, PathRule> {
  const rules = new Map<string, PathRule>();
  const add = (field: string, rule: PathRule) => {
    const other = rules.get(field);
    rules.set(field, other === undefined ? rule : (text) => other(text) ?? rule(text));
  };
  // The values of other filters are keys, and checked as such.
  for (const filter of filters) if (filter.accepts.kind !== "keys") add(filter.field, inFilter(filter));
  for (const { field, form } of [...resource.scope, { field: resource.key, form: resource.keyForm }]) {
    const anyCase = new RegExp(form, "i");
    if (form === pathForm) add(field, nameOnly);
    else if (wordsOfPaths.some((word) => anyCase.test(word))) add(field, freeOnly);
  }
  if (item?.aliases !== undefined) {
    add(item.aliases, (text) => firstOf(aliasesIn(text), nameOnly));
  }
  return rules;
}

/** The rules for lines that are not parsed. `checkKeyFolders` has to see the keys that may have such a folder. */
export function plainRules(operation: ListOperation): ReadonlyMap<string, PathRule> {
  const rules = pathRules(operation);
  const { key } = operation.resource;
  return new Map([...rules, [key, (text) => rules.get(key)?.(text) ?? valueOfFile(text)]]);
}

/** Each of the filter's values has to be a part of paths. */
const inFilter =
  (filter: Filter): PathRule =>
  (text) =>
    filter.by === "value" ? folderOnly(text) : firstOf(valuesIn(filter, text), folderOnly);

const firstOf = (values: readonly string[], rule: PathRule): string | undefined =>
  values.map(rule).find((problem) => problem !== undefined);

const partOnly: PathRule = (value) =>
  isPathPart(value)
    ? undefined
    : "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ ~ -, and no dot at the start";

/** The folder of one value must not have the name of the file of another one. */
const folderOnly: PathRule = (value) =>
  partOnly(value) ??
  (valueOfFile(value) === undefined ? undefined : "a part of paths without the ending .json, .json.br or .json.gz");

const freeOnly: PathRule = (value) =>
  wordsOfPaths.includes(value.toLowerCase())
    ? `a key that paths do not use: not ${wordsOfPaths.join(", ")}`
    : undefined;

const nameOnly: PathRule = (name) => partOnly(name) ?? freeOnly(name);

/** Reports keys whose listings, if a filter accepts keys, would have a folder with the name of another key's file. */
export function checkKeyFolders(entries: readonly Entry[], { keyIn, known, field, name }: Keys): readonly Fault[] {
  // A composite key is no value of a filter.
  if (name !== field) return [];
  const taken = new Set<string>();
  return entries.flatMap((entry) => {
    const key = keyIn(entry.value);
    const other = key === undefined ? undefined : valueOfFile(key);
    if (other === undefined) return [];
    if (taken.size === 0) for (const each of known) taken.add(each.toLowerCase());
    if (!taken.has(other.toLowerCase())) return [];
    const expected = `a part of paths without the ending .json, .json.br or .json.gz, because ${quote(other)} is a key as well`;
    const details = {
      name: field,
      expected,
      value: key,
      accepts: () => false,
      owners: undefined,
      meant: undefined,
      vocabulary: undefined,
    };
    return [fault("wrong-value", entry.source, { path: [...entry.path, field] }, () => details)];
  });
}

/** Reports values that are right by the schema of the items, but cannot be parts of paths. */
export function checkPathParts(
  entries: readonly Entry[],
  operation: ListOperation,
  schema: z.ZodType,
): readonly Fault[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  return [...pathRules(operation)].flatMap(([field, rule]) => {
    const form = shape[field];
    const isValid = (value: unknown): boolean => form !== undefined && z.safeParse(form, value).success;
    return entries.flatMap((entry) => {
      const whole: unknown = Object(entry.value)[field];
      if (!isValid(whole) || problemOf(rule, whole) === undefined) return [];
      return partsOf(field, whole).flatMap(({ name, path, part, value, wrap }) => {
        const expected = problemOf(rule, wrap(value));
        if (expected === undefined) return [];
        const accepts = (other: unknown): boolean => isValid(wrap(other)) && problemOf(rule, wrap(other)) === undefined;
        const details = { name, expected, value, accepts, owners: undefined, meant: undefined, vocabulary: undefined };
        return [fault("wrong-value", entry.source, { path: [...entry.path, field, ...path], part }, () => details)];
      });
    });
  });
}

interface Part {
  readonly name: string;
  readonly path: Path;
  readonly part: "value" | "key";
  readonly value: unknown;
  /** The value of a field that has nothing but this part. */
  readonly wrap: (value: unknown) => unknown;
}

/** A value, the elements of a list, or the keys of a record. */
function partsOf(field: string, whole: unknown): readonly Part[] {
  if (typeof whole !== "object" || whole === null)
    return [{ name: field, path: [], part: "value", value: whole, wrap: (value) => value }];
  if (Array.isArray(whole)) {
    const wrap = (value: unknown) => [value];
    return whole.map((value, index) => ({ name: `${field}[${index}]`, path: [index], part: "value", value, wrap }));
  }
  return Object.entries(whole).map(([key, value]) => {
    const wrap = (other: unknown) => ({ [String(other)]: value });
    return { name: `Each key of ${field}`, path: [key], part: "key", value: key, wrap };
  });
}

export const meets = (rule: PathRule, value: unknown): boolean => problemOf(rule, value) === undefined;

function problemOf(rule: PathRule, value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : rule(text);
}
