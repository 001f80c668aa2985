// Keys of items and values of filters are parts of paths. A schema may allow others; they are reported where they occur.
import * as z from "zod";
import type { ListOperation } from "../../src/operation.ts";
import { isPathPart, pathForm, wordsOfPaths } from "../../src/resource.ts";
import { type Fault, fault } from "./faults/fault.ts";
import type { Entry } from "./source.ts";

/** Returns the clause behind "must be …" if a value cannot be a part of a path. */
export type PathRule = (value: string) => string | undefined;

/** By the name of a field. Fields whose schema allows nothing else have no rule. */
export function pathRules({ resource, filters }: ListOperation): ReadonlyMap<string, PathRule> {
  const rules = new Map<string, PathRule>();
  // The values of other filters are keys, and checked as such.
  for (const { field, accepts } of filters) if (accepts.kind !== "keys") rules.set(field, partOnly);
  const { keyForm: form } = resource;
  const anyCase = new RegExp(form, "i");
  if (form === pathForm) rules.set(resource.key, (value) => partOnly(value) ?? freeOnly(value));
  else if (wordsOfPaths.some((word) => anyCase.test(word))) rules.set(resource.key, freeOnly);
  return rules;
}

const partOnly: PathRule = (value) =>
  isPathPart(value)
    ? undefined
    : "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ ~ -, and no dot at the start";

const freeOnly: PathRule = (value) =>
  wordsOfPaths.includes(value.toLowerCase())
    ? `a key that paths do not use: not ${wordsOfPaths.join(", ")}`
    : undefined;

/** Reports values that are right by the schema of the items, but cannot be parts of paths. */
export function checkPathParts(
  entries: readonly Entry[],
  operation: ListOperation,
  schema: z.ZodType,
): readonly Fault[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  return [...pathRules(operation)].flatMap(([field, rule]) => {
    const form = shape[field];
    const accepts = (value: unknown): boolean =>
      form !== undefined && z.safeParse(form, value).success && rule(String(value)) === undefined;
    return entries.flatMap((entry) => {
      const value: unknown = Object(entry.value)[field];
      const expected = isScalar(value) ? rule(String(value)) : undefined;
      if (expected === undefined || form === undefined || !z.safeParse(form, value).success) return [];
      const details = {
        name: field,
        expected,
        value,
        accepts,
        owners: undefined,
        meant: undefined,
        vocabulary: undefined,
      };
      return [fault("wrong-value", entry.source, { path: [...entry.path, field] }, () => details)];
    });
  });
}

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
