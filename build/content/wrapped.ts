// A file should contain a plain list of items. If it contains one object of lists instead, as the API's answers and
// many exports do, that is one fault, and the items are read nevertheless.
import type { Resource } from "../../src/resource.ts";
import { fault } from "./faults/fault.ts";
import { fieldsOf } from "./fields.ts";
import type { Reading } from "./read.ts";
import type { Entry } from "./source.ts";

/** The reading without an object around the items. */
export function unwrapped(reading: Reading, { nouns, schema }: Resource): Reading {
  const [entry, second] = reading.entries;
  if (entry === undefined || second !== undefined || reading.rows.length > 0) return reading;
  const keys = wrappersIn(entry.value, fieldsOf(schema({})));
  if (keys.length === 0) return reading;
  const faults = keys.map((key) =>
    fault("wrapped-items", entry.source, { path: [...entry.path, key], part: "key" }, () => ({ nouns, key })),
  );
  const entries = keys.flatMap((key) => entriesIn(entry, key));
  return { ...reading, entries, faults: [...reading.faults, ...faults] };
}

/** The keys of lists of objects, if the value is an object without fields of the resource. */
function wrappersIn(value: unknown, fields: readonly string[]): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (fields.some((field) => Object.hasOwn(value, field))) return [];
  return Object.entries(value).flatMap(([key, list]) => (isListOfObjects(list) ? [key] : []));
}

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "object" && each !== null);

function entriesIn({ source, path, value }: Entry, key: string): readonly Entry[] {
  const list: readonly unknown[] = Object(value)[key];
  return list.map((each, index) => ({ source, path: [...path, key, index], value: each }));
}
