// Links items: keys must be unique, and references must lead to existing items. Faulty items count as well, so that a
// fault in an item is not reported again for every reference to it.
import type { ListOperation } from "../../src/operation.ts";
import { keyOf, keyPart } from "../../src/resource.ts";
import { closest } from "../slips.ts";
import { type Fault, fault } from "./faults/fault.ts";
import type { Reading } from "./read.ts";
import { type Entry, isPartial, type Path } from "./source.ts";

/** The keys of a resource's entries. */
export interface Keys {
  readonly noun: string;
  readonly nouns: string;
  /** The key field, of a composite key the last one. */
  readonly field: string;
  /** The name of the key in messages. */
  readonly name: string;
  /** The key of an item, if it has the type of one. */
  readonly keyIn: (item: unknown) => string | undefined;
  /** The key that a reference holds, if it has the type of one. */
  readonly partOf: (value: unknown) => string | undefined;
  /** The keys as written. */
  readonly known: ReadonlySet<string>;
  /** Possible keys of entries whose key field is misspelt or contains a number. */
  readonly possible: ReadonlySet<string>;
  /** False if a part of the content is unreadable, so that an unknown key may exist. */
  readonly whole: boolean;
  readonly wellFormed: (text: string) => boolean;
  /** A file that could hold just the item with a key. */
  readonly fileFor: (key: string) => string;
  /** The known key that a text is probably a misspelling of. */
  readonly meantBy: (text: string) => string | undefined;
}

/** The parts of a reading that concern keys. */
type Held = Pick<Reading, "entries" | "rows" | "whole">;

/** `whole` is false if the readings lack files of the resource. */
export function keysOf({ name, resource }: ListOperation, readings: readonly Held[], whole: boolean): Keys {
  const { noun, nouns, key: field, scope } = resource;
  const known = new Set<string>();
  const possible = new Set<string>();
  let partial = readings.some((reading) => !reading.whole);
  for (const { rows, entries } of readings) {
    for (const { names } of rows) for (const key of names) known.add(key);
    for (const { value } of entries) {
      const key = keyOf(resource, value);
      if (key !== undefined) known.add(key);
      else if (isPartial(value) || isPartial(Object(value)[field])) partial = true;
      else for (const each of primitivesIn(value)) possible.add(String(each));
    }
  }
  const forms = [...scope.map(({ form }) => form), resource.keyForm].map((form) => new RegExp(form));
  return {
    noun,
    nouns,
    field,
    name: scope.length === 0 ? field : "key",
    keyIn: (value) => keyOf(resource, value),
    partOf: (value) => keyPart(value, resource.keyForm),
    known,
    possible,
    whole: whole && !partial,
    wellFormed: (text) => text.split("/").every((part, index) => forms[index]?.test(part)),
    fileFor: (key) => `${name}/${key}.yaml`,
    meantBy: guesser(known),
  };
}

/** Caches suggestions, because many references often have the same fault. */
function guesser(known: ReadonlySet<string>): Keys["meantBy"] {
  const guesses = new Map<string, string | undefined>();
  let sorted: readonly string[] | undefined;
  return (text) => {
    // Of equally similar keys it is the first, wherever they are written.
    sorted ??= [...known].sort();
    const guess = guesses.has(text) ? guesses.get(text) : closest(text, sorted);
    guesses.set(text, guess);
    return guess;
  };
}

export function textAt(value: unknown, field: string): string | undefined {
  const text: unknown = Object(value)[field];
  return typeof text === "string" ? text : undefined;
}

const primitivesIn = (value: unknown): readonly unknown[] =>
  (typeof value === "object" && value !== null ? Object.values(value) : [value]).filter(
    (each) => typeof each !== "object",
  );

/**
 * Compares keys ignoring case, because they may become file names. A value without the form of a key is reported as
 * that, and must change anyway.
 */
export function checkUnique(keys: Keys, entries: readonly Entry[]): readonly Fault[] {
  const { keyIn, wellFormed } = keys;
  const firsts = new Map<string, Entry>();
  const faults: Fault[] = [];
  for (const entry of entries) {
    const value = keyIn(entry.value);
    if (value === undefined) continue;
    const folded = value.toLowerCase();
    if (!wellFormed(value) && !wellFormed(folded)) continue;
    const first = firsts.get(folded);
    if (first === undefined) firsts.set(folded, entry);
    else faults.push(taken(entry, keys, value, first));
  }
  return faults;
}

function taken(entry: Entry, { noun, nouns, field, name }: Keys, value: string, { source, path }: Entry): Fault {
  // If an alias gives two items the same text, its use is the mistake.
  return fault("not-unique", entry.source, { path: [...entry.path, field], part: "use" }, (placeOf) => ({
    noun,
    nouns,
    key: name,
    value,
    first: placeOf(source, { path: [...path, field], part: "use" }),
  }));
}

/**
 * `field` may be a path within lists and objects: `parts[].maker`. If a union has references to several collections
 * there, the value must be a key of one of them. `toAdd`: whether to suggest a file that could hold the item.
 */
export function checkReference(
  entries: readonly Entry[],
  field: string,
  targets: readonly Keys[],
  toAdd: boolean,
): readonly Fault[] {
  const [target] = targets;
  if (target === undefined) return [];
  const steps = stepsOf(field);
  return entries.flatMap((entry) =>
    valuesAt(entry.value, steps).flatMap(([path, each]) => {
      const value = target.partOf(each);
      if (value === undefined || !targets.every((keys) => isUnknown(value, keys))) return [];
      const { noun, field: key, meantBy, fileFor } = target;
      const at = { path: [...entry.path, ...path] };
      const add = toAdd ? fileFor(value) : undefined;
      return [fault("no-such-item", entry.source, at, () => ({ noun, key, value, meant: meantBy(value), add }))];
    }),
  );
}

/** `parts[].maker` has the steps `parts`, `[]` and `maker`. */
const stepsOf = (field: string): readonly string[] => field.match(/\[\d*\]|[^.[\]]+/g) ?? [];

/** The values at a path: `[]` is each element of a list, `*` each value of a record. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly (readonly [Path, unknown])[] {
  if (step === undefined) return [[[], value]];
  return keysAt(value, step).flatMap((key) =>
    valuesAt(Object(value)[key], rest).map(([path, each]) => [[key, ...path], each] as const),
  );
}

function keysAt(value: unknown, step: string): Path {
  if (Array.isArray(value)) {
    if (step === "[]") return [...value.keys()];
    const index = Number(/^\[(\d+)\]$/.exec(step)?.[1] ?? Number.NaN);
    return index < value.length ? [index] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return step === "*" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
}

/** Whether a reference certainly leads to no item. A value without the form of a key is reported as that instead. */
export const isUnknown = (value: string, { known, possible, whole, wellFormed }: Keys): boolean =>
  whole && !known.has(value) && !possible.has(value) && wellFormed(value);
