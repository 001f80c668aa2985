// Descriptions, notices and tones for consumers in a schema, by path. If several schemas have one path, the outermost
// counts; in a union, the first shape.
import * as z from "zod";
import type { Deprecation } from "../declare/deprecation.ts";
import { deprecations, forms, type Tones, tones } from "../declare/marks.ts";
import { type Schema, schemasIn } from "./kinds.ts";

/** The descriptions, except those of forms of values. */
export const meaningsIn = (schema: Schema): Readonly<Record<string, string>> =>
  byPath(schema, (part) => {
    const meaning = z.globalRegistry.get(part)?.description;
    return meaning === forms.of(part)?.text ? undefined : meaning;
  });

export const noticesIn = (schema: Schema): Readonly<Record<string, Deprecation>> =>
  byPath(schema, (part) => deprecations.of(part));

export const tonesIn = (schema: Schema): Readonly<Record<string, Tones>> => byPath(schema, (part) => tones.of(part));

function byPath<Value>(schema: Schema, readOf: (part: Schema) => Value | undefined): Readonly<Record<string, Value>> {
  const values: (readonly [path: string, value: Value])[] = [];
  for (const [path, part] of schemasIn(schema)) {
    const value = readOf(part);
    if (value !== undefined) values.unshift([path, value]);
  }
  return Object.fromEntries(values);
}
