// Values that must not be alike, because they are parts of paths: other names of items and keys, and the values of a filter
// that occur. Paths may ignore case.
import { type Filter, slugOf, textOf, valuesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Fault, fault } from "./faults/fault.ts";
import type { Keys } from "./link.ts";
import type { NamedColumn } from "./rows.ts";
import type { Entry, Path } from "./source.ts";

/** Whether every item of an operation has to be parsed because of its other names. */
export const hasAliases = ({ item }: ListOperation): boolean => item?.aliases !== undefined;

/** Compares aliases with the keys of all items and with one another. An item's own key is no conflict. */
export function checkAliases(entries: readonly Entry[], { item }: ListOperation, keys: Keys): readonly Fault[] {
  const field = item?.aliases;
  if (field === undefined) return [];
  const { noun, nouns } = keys;
  const firsts = new Map<string, Place>();
  for (const entry of entries) {
    const value = keys.keyIn(entry.value);
    const isFirst = value !== undefined && !firsts.has(value.toLowerCase());
    if (isFirst) firsts.set(value.toLowerCase(), { entry, path: [...entry.path, keys.field], value });
  }
  return entries.flatMap((entry) =>
    valuesAt(entry, field).flatMap(({ path, value }) => {
      const first = firsts.get(value.toLowerCase());
      if (first === undefined) firsts.set(value.toLowerCase(), { entry, path, value });
      if (first === undefined || (first.entry === entry && first.value === value)) return [];
      if (first.entry === entry) return [alike({ entry, path, value }, first, field)];
      return [
        fault("not-unique", entry.source, { path, part: "use" }, (placeOf) => ({
          noun,
          nouns,
          key: "name",
          value,
          first: placeOf(first.entry.source, { path: first.path, part: "use" }),
        })),
      ];
    }),
  );
}

interface Place {
  readonly entry: Entry;
  readonly path: Path;
  readonly value: string;
}

/** `request` is what would list both values, if a slug does. */
const alike = ({ entry, path, value }: Place, first: Place, field: string, request?: string): Fault =>
  fault("alike", entry.source, { path, part: "use" }, (placeOf) => ({
    field,
    value,
    other: first.value,
    request,
    first: placeOf(first.entry.source, { path: first.path, part: "use" }),
  }));

/** The texts and integers of a field, or of the list or record in it, with their paths. */
function valuesAt({ value, path }: Entry, field: string): readonly { readonly path: Path; readonly value: string }[] {
  const whole: unknown = Object(value)[field];
  const isObject = typeof whole === "object" && whole !== null;
  const all = Array.isArray(whole)
    ? whole.map((each: unknown, index) => ({ path: [...path, field, index], value: each }))
    : isObject
      ? Object.keys(whole).map((name) => ({ path: [...path, field, name], value: name }))
      : [{ path: [...path, field], value: whole }];
  return all.flatMap(({ path: at, value: each }) => {
    const text = typeof each === "object" ? undefined : textOf(each);
    return text === undefined ? [] : [{ path: at, value: text }];
  });
}

/** Filters whose values are those that occur. */
const openFilters = ({ filters }: ListOperation): readonly Filter[] =>
  filters.filter(({ accepts }) => accepts.kind === "occurring" || accepts.kind === "words");

/** Values with the same form are one part of a path. */
const formOf = ({ by }: Filter, value: string): string => (by === "slug" ? slugOf(value) : value.toLowerCase());

/** The values of a filter in a text, before a slug is made of them. */
const rawValuesIn = (filter: Filter, text: string): readonly string[] =>
  filter.by === "slug" ? [text] : valuesIn(filter, text);

/** Values of a filter that are one part of a path. */
export interface Alike {
  readonly filter: Filter;
  readonly forms: ReadonlySet<string>;
  /** The texts of the field with such values. */
  readonly texts: ReadonlySet<string>;
}

/** `columns` are the columns of all rows. The items of rows are not among the entries. */
export function alikeValues(
  operation: ListOperation,
  columns: readonly NamedColumn[],
  entries: readonly Entry[],
): readonly Alike[] {
  return openFilters(operation).flatMap((filter) => {
    const { field } = filter;
    const texts = columns.flatMap((column) => (column.field === field ? [...column.numbers.keys()] : []));
    const values = new Set([
      ...texts.flatMap((text) => rawValuesIn(filter, text)),
      ...entries.flatMap((entry) => valuesAt(entry, field).map(({ value }) => value)),
    ]);
    const first = new Map<string, string>();
    const forms = new Set<string>();
    for (const value of values) {
      const form = formOf(filter, value);
      if (form !== "" && (first.get(form) ?? value) !== value) forms.add(form);
      first.set(form, value);
    }
    if (forms.size === 0) return [];
    const isAlike = (text: string) => rawValuesIn(filter, text).some((value) => forms.has(formOf(filter, value)));
    return [{ filter, forms, texts: new Set(texts.filter(isAlike)) }];
  });
}

export const checkAlike = (entries: readonly Entry[], all: readonly Alike[]): readonly Fault[] =>
  all.flatMap(({ filter, forms }) => {
    const { field, param, by } = filter;
    const firsts = new Map<string, Place>();
    return entries.flatMap((entry) =>
      valuesAt(entry, field).flatMap(({ path, value }) => {
        const form = formOf(filter, value);
        const first = firsts.get(form);
        if (!forms.has(form)) return [];
        if (first === undefined) firsts.set(form, { entry, path, value });
        if (first === undefined || first.value === value) return [];
        return [alike({ entry, path, value }, first, field, by === "slug" ? `${param}=${form}` : undefined)];
      }),
    );
  });
