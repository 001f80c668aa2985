// What the parts of a schema mean to consumers, by their paths. Of several schemas with one path the outermost counts, and
// of the shapes of a union the first.
import * as z from "zod";
import type { Deprecation } from "../declare/deprecation.ts";
import { deprecations, forms } from "../declare/marks.ts";
import { type Schema, schemasIn } from "./kinds.ts";

/** The descriptions, without those that are the form of a value. */
export const meaningsIn = (schema: Schema): Readonly<Record<string, string>> =>
  byPath(schema, (each) => {
    const meaning = z.globalRegistry.get(each)?.description;
    return meaning === forms.of(each)?.text ? undefined : meaning;
  });

export const noticesIn = (schema: Schema): Readonly<Record<string, Deprecation>> =>
  byPath(schema, (each) => deprecations.of(each));

function byPath<Value>(schema: Schema, readOf: (each: Schema) => Value | undefined): Readonly<Record<string, Value>> {
  const found: (readonly [path: string, value: Value])[] = [];
  for (const [path, each] of schemasIn(schema)) {
    const value = readOf(each);
    if (value !== undefined) found.unshift([path, value]);
  }
  return Object.fromEntries(found);
}
