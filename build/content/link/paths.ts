// The rules for parts of paths: keys, aliases, and values of filters. Paths may ignore case, so two values of a filter must
// differ in more than case.

import * as z from "zod";
import { eachAt, ownField } from "../../../src/model/fields.ts";
import { type Filter, isOpenFilter, slugOf } from "../../../src/model/filter.ts";
import { hasOnlyTilde, type Item, isFolderName, isPathPart, valueOfFile } from "../../../src/model/key.ts";
import type { DerivedValues, ListOperation } from "../../../src/model/operation.ts";
import { pathForm } from "../../../src/model/path-form.ts";
import { isAccepted } from "../../explain/explain.ts";
import { dotted } from "../../explain/faults.ts";
import { wrong } from "../../explain/words.ts";
import type { Draft, Log, Path, Spot } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { listed } from "../../text/words.ts";
import type { At } from "../formats/value.ts";

/** Returns the clause after "must be …" if a text cannot be a part of a path. */
type Rule = (text: string) => string | undefined;

const partRule: Rule = (text) => {
  if (isPathPart(text)) return undefined;
  if (hasOnlyTilde(text)) return "a part of paths without ~, which many programs send as %7E";
  return "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start";
};

export const folderClause = "a part of paths without the ending .json, .json.br or .json.gz";

/** The folder of the value `x.json` would have the name of the file of the value `x`. */
export const folderRule: Rule = (text) =>
  partRule(text) ?? (valueOfFile(text) === undefined ? undefined : folderClause);

/** A key is the name of a file. File systems have names of at most 255 bytes, endings included. */
export const maxKeyLength = 200;

/** A key whose schema allows only characters of paths. */
const keyRule: Rule = (text) =>
  text.length === 0 || text.length > maxKeyLength
    ? `a key of 1 to ${maxKeyLength} characters, because it is the name of a file`
    : undefined;

function ruleOf({ by, accepts }: Filter): Rule {
  if (by !== "function" || accepts.kind !== "listed") return folderRule;
  return (text) => (accepts.values.includes(text) ? undefined : `one of its values: ${listed(accepts.values)}`);
}

/**
 * `derived`: the values that functions derive from a valid item; undefined for a faulty one, of which only the valid fields
 * are checked.
 */
export type CheckPaths = (item: Item, derived: DerivedValues | undefined, at: At, report: Log["report"]) => void;

/** Returns the function that checks the parts of paths in the items of a collection, one item after the other. */
export function pathChecker(operation: ListOperation, schema: z.ZodType): CheckPaths {
  const fields = pathFieldsOf(operation, schema);
  /** The first values with each form, by the parameter of their filter and the form. */
  const values = new Map<string, PathValue>();
  /** The filters and aliases of which a text without a slug is reported. */
  const withoutSlug = new Set<PathField>();
  const checkFolders = folderChecker(operation);
  return (item, derived, at, report) => {
    for (const field of fields) for (const text of textsOf(field, item, derived)) check(field, text, at, report);
    checkFolders?.(item, at, report);
  };

  function check(field: PathField, { value, path, isKey }: FieldText, itemAt: At, report: Log["report"]): void {
    const { name, rule, seen, filter, isSlug } = field;
    if (seen?.has(value)) return;
    // The warning about a reference that leads nowhere says it.
    if (filter !== undefined && isOpenFilter(filter) && !isFolderName(value)) return;
    const part = isSlug ? slugOf(value) : value;
    const expected = isSlug && part === "" ? undefined : rule(part);
    const at = itemAt.spot(path, isKey ? "key" : "value");
    if (expected !== undefined) {
      const ofField = isKey ? `Each key of ${name}` : dotted(path);
      const subject = path.length === 0 ? `The value of the filter ${name}` : ofField;
      report(
        wrong("wrong-value", at, { name: subject, expected, value, otherwise: slugHint(filter, value, operation) }),
      );
      return;
    }
    if (part === "" && /[\p{L}\p{N}]/u.test(value) && !withoutSlug.has(field)) {
      withoutSlug.add(field);
      report(noSlug(field, { value, at }));
    }
    if (filter === undefined) return;
    const first = firstAlike(filter, { value, at });
    if (first === undefined) seen?.add(value);
    else report(alike(name, { value, at }, first, isSlug));
  }

  /** Values of a filter that become the same part of a path are alike. Returns the first of them; undefined for the first. */
  function firstAlike({ param, by, accepts }: Filter, pathValue: PathValue): PathValue | undefined {
    const form = by === "slug" ? slugOf(pathValue.value) : pathValue.value.toLowerCase();
    if (form === "" || accepts.kind === "listed") return undefined;
    const first = values.get(`${param} ${form}`);
    if (first === undefined) values.set(`${param} ${form}`, pathValue);
    return first;
  }
}

/** A filter can have slugs for values, but not one by a key, a reference or a word. */
function slugHint(filter: Filter | undefined, value: string, { scope, key }: ListOperation): string | undefined {
  if (filter === undefined || filter.accepts.kind === "words" || isOpenFilter(filter)) return undefined;
  if (filter.by !== "value" && filter.by !== "elements") return undefined;
  if (filter.field === key || scope.some(({ field }) => field === filter.field)) return undefined;
  const slug = slugOf(value);
  return slug === "" ? undefined : `With { field, slug: true }, the filter ${filter.param} has the value ${slug}.`;
}

/**
 * Returns the function that checks the folders of single items, which are the first parts of their keys: a file system that
 * ignores case takes `A/x` and `a/y` for one folder. Undefined if the items have no files, or their keys have one part.
 */
function folderChecker({ scope, item: single }: ListOperation) {
  if (single === undefined || scope.length === 0) return undefined;
  /** The first folder with each form. */
  const folders = new Map<string, PathValue>();
  const seen = new Set<string>();
  return (item: Item, at: At, report: Log["report"]): void => {
    let folder = "";
    for (const { field } of scope) {
      folder = `${folder}${String(ownField(item, field))}/`;
      if (seen.has(folder)) continue;
      seen.add(folder);
      const here = { value: folder.slice(0, -1), at: at.spot([field]) };
      const first = folders.get(folder.toLowerCase());
      if (first === undefined) folders.set(folder.toLowerCase(), here);
      else report(alike(field, here, first, false, "Write both alike, or change one of them."));
      // Those below it are in the same folder.
      if (first !== undefined) return;
    }
  };
}

/** A part of a path, and where it is written. */
interface PathValue {
  readonly value: string;
  readonly at: Spot;
}

/** The report of two values of a field that are the same part of a path. */
const alike = (
  field: string,
  { value, at }: PathValue,
  first: PathValue,
  isSlug: boolean,
  hint = "Write both alike if they mean the same, change one of them, or let a function derive the values of a filter.",
): Draft => ({
  code: "not-unique",
  at,
  text: (_, placeOf) => {
    const values = `The values ${quote(value)} and ${quote(first.value)} of ${field}, the latter at ${placeOf(first.at)},`;
    const reason = isSlug
      ? `have the same slug, ${quote(slugOf(value))}`
      : "are the same in paths, which may ignore case";
    return { text: `${values} ${reason}.`, hint };
  },
});

/** The report of the first text of which a filter by slugs, or an alias, has nothing. */
const noSlug = ({ filter }: PathField, { value, at }: PathValue): Draft => {
  const lacking = filter === undefined ? "There is no alias" : `The filter ${filter.param} has no value`;
  return {
    code: "no-slug",
    at,
    text: `${lacking} for ${quote(value)}, because slugs have Latin letters and digits only.`,
    hint: filter === undefined ? "Write it with Latin letters, or leave it out." : "Let a function derive its values.",
  };
};

/** A field whose values are parts of paths, or a filter whose function returns such values. */
interface PathField {
  /** The name of the field, or the parameter of the filter. */
  readonly name: string;
  /** The schema of the field, if there is one. */
  readonly form: z.core.$ZodType | undefined;
  readonly rule: Rule;
  readonly filter?: Filter;
  /** Whether the parts of paths are the slugs of the values. */
  readonly isSlug: boolean;
  /** The values of a filter that have been checked. */
  readonly seen?: Set<string>;
}

function pathFieldsOf({ scope, key, keyForm, filters, item }: ListOperation, schema: z.ZodType): readonly PathField[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const parts = [...scope, { field: key, form: keyForm }];
  const fields = [
    ...parts.map(({ field, form }) => ({ name: field, rule: form === pathForm ? partRule : keyRule, isSlug: false })),
    ...(item?.aliases === undefined ? [] : [{ name: item.aliases.field, rule: partRule, isSlug: item.aliases.isSlug }]),
    // The values of other filters are keys, and are checked as keys.
    ...filters
      .filter((filter) => filter.accepts.kind !== "keys" || isOpenFilter(filter))
      .map((filter) => ({
        name: filter.field ?? filter.param,
        rule: ruleOf(filter),
        filter,
        isSlug: filter.by === "slug",
        seen: new Set<string>(),
      })),
  ];
  return fields.map((field) => ({ ...field, form: ownField(shape, topOf(field)) }));
}

/** The field of the item in which the values are. */
const topOf = ({ name, filter }: Pick<PathField, "name" | "filter">): string => filter?.steps?.[0]?.slice(1) ?? name;

/** A text in a field of an item, or a key of its record. The path is empty if a function derives the text. */
interface FieldText {
  readonly value: string;
  readonly path: Path;
  readonly isKey?: boolean;
}

const none: readonly FieldText[] = [];

/** Whether a text, or its slug, is a part of a path. */
function isPart({ rule, isSlug }: PathField, text: string): boolean {
  const part = isSlug ? slugOf(text) : text;
  return part !== "" && rule(part) === undefined;
}

/** The texts that must be parts of paths, without some that are certainly valid. */
function textsOf(field: PathField, item: Item, derived?: DerivedValues): readonly FieldText[] {
  const { name, form, filter, seen } = field;
  if (filter?.by === "function") return (derived?.get(name) ?? []).map((value) => ({ value, path: [] }));
  const top = topOf(field);
  const value = ownField(item, top);
  // Most values are valid texts, and there may be millions of items.
  if (typeof value === "string" && (seen === undefined ? isPart(field, value) : seen.has(value))) return none;
  const isRight = derived !== undefined || (form !== undefined && isAccepted(form, value));
  if (!isRight) return none;
  if (filter?.steps === undefined) return textsIn(value, [top]);
  const texts: FieldText[] = [];
  eachAt(item, filter.steps, (owner, key, path) => texts.push(...textsIn(ownField(owner, key), path)));
  return texts;
}

/** The texts in the field at a path: its value, the elements of its list or the keys of its record. */
export function textsIn(field: unknown, path: Path): readonly FieldText[] {
  if (field === null || field === undefined) return none;
  if (typeof field !== "object") return [{ value: String(field), path }];
  if (!Array.isArray(field)) return Object.keys(field).map((value) => ({ value, path: [...path, value], isKey: true }));
  return field.flatMap((element: unknown, index) =>
    element === null || typeof element === "object" ? none : { value: String(element), path: [...path, index] },
  );
}
