// What the items of a collection claim of the paths below its name: their keys and other names, and the values by which
// filters list them. Paths may ignore case, so a claim excludes all others that differ from it in case only.
import * as z from "zod";
import { type Derived, type Filter, slugOf } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { isPathPart, keyOf, pathForm, valueOfFile } from "../../src/resource.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { type Fault, fault, type Spot } from "./fault.ts";
import { isWellFormed } from "./link.ts";
import { type Origin, spotOf } from "./origin.ts";
import type { Path } from "./source.ts";
import { dotted, isAccepted } from "./validate.ts";
import { wrongValue } from "./wrong.ts";

export interface Claims {
  /**
   * `derived`: the values that functions derive, if the item has its form. The fields of other items are checked as far as
   * they have theirs.
   */
  take(index: number, item: unknown, origin: Origin, derived?: Derived): void;
  /** Once all items are known. */
  faults(): readonly Fault[];
}

/** Who claimed something, and where. */
interface Owner {
  readonly index: number;
  readonly value: string;
  readonly at: Spot;
}

/** `originOf` returns the origin of an item by its index. */
export function claimsOf(operation: ListOperation, schema: z.ZodType, originOf: (index: number) => Origin): Claims {
  const { resource, item: single } = operation;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const fields = fieldsOf(operation);
  const faults: Fault[] = [];
  /** By the folded key or other name. A key has only the index of its item, for there may be millions. */
  const owners = new Map<string, number | Owner>();
  const likeFiles: { readonly key: string; readonly file: string; readonly at: Spot }[] = [];
  const spotOfOwner = (owner: number | Owner): Spot =>
    typeof owner === "number" ? spotOf(originOf(owner), undefined, [resource.key], "use") : owner.at;

  function claimKey(index: number, key: string, item: unknown, origin: Origin): void {
    const folded = key.toLowerCase();
    const first = owners.get(folded);
    // If an alias of YAML gives two items the same text, its use is the mistake.
    if (first === undefined) owners.set(folded, index);
    else
      faults.push(
        taken(operation, keyName(operation), key, spotOf(origin, item, [resource.key], "use"), spotOfOwner(first)),
      );
    const file = valueOfFile(key);
    if (file !== undefined) likeFiles.push({ key, file, at: spotOf(origin, item, [resource.key]) });
  }

  function claimName(index: number, key: string | undefined, value: string, at: Spot, field: string): void {
    const folded = value.toLowerCase();
    const first = owners.get(folded);
    if (first === undefined) owners.set(folded, { index, value, at });
    if (first === undefined || value === key) return;
    const isOwn = typeof first === "number" ? first === index : first.index === index;
    const own = typeof first === "number" ? (key ?? "") : first.value;
    if (!isOwn) faults.push(taken(operation, "name", value, at, spotOfOwner(first)));
    else if (own !== value) faults.push(alike(field, { value, at }, { value: own, at: spotOfOwner(first) }));
  }

  function checkField(field: Field, item: unknown, isRight: boolean, origin: Origin): void {
    const value: unknown = Object(item)[field.name];
    // Most values are a text that is right, and millions of items have one.
    if (typeof value === "string" && (field.seen?.has(value) ?? field.rule(value) === undefined)) return;
    const form = shape[field.name];
    if (!isRight && (form === undefined || !isAccepted(form, value))) return;
    eachText(value, [field.name], (text, path, wrap) => {
      if (field.seen?.has(text)) return;
      const expected = field.rule(text);
      if (expected === undefined) {
        if (field.seen !== undefined) claimValue(field, text, spotOf(origin, item, path, "use"));
        return;
      }
      const isKey = path.length > 1 && !Array.isArray(value);
      const name = isKey ? `Each key of ${field.name}` : dotted(path);
      const accepts = (other: unknown) =>
        field.rule(String(other)) === undefined && form !== undefined && isAccepted(form, wrap(other));
      const at = spotOf(origin, item, path, isKey ? "key" : "value");
      faults.push(fault("wrong-value", at, wrongValue({ name, expected, value: text, accepts })));
    });
  }

  /** Checks what the function of a filter returned. */
  function checkDerived(field: Field, text: string, item: unknown, origin: Origin): void {
    if (field.seen?.has(text)) return;
    const expected = field.rule(text);
    const at = spotOf(origin, item, []);
    if (expected === undefined) claimValue(field, text, at);
    else {
      const accepts = (other: unknown) => field.rule(String(other)) === undefined;
      const expectation = { name: `The value of the filter ${field.name}`, expected, value: text, accepts };
      faults.push(fault("wrong-value", at, wrongValue(expectation)));
    }
  }

  /** Values of a filter that have one form are one part of a path. */
  function claimValue({ name, filter, seen, forms }: Field, value: string, at: Spot): void {
    const form = filter?.by === "slug" ? slugOf(value) : value.toLowerCase();
    const first = forms?.get(form);
    if (first !== undefined && form !== "") {
      faults.push(alike(name, { value, at }, first, filter));
      return;
    }
    forms?.set(form, { value, at });
    seen?.add(value);
  }

  return {
    take(index, item, origin, derived) {
      const isRight = derived !== undefined;
      const key = keyOf(resource, item);
      // A value without the form of a key is reported as that, and must change anyway.
      if (key !== undefined && (isRight || [key, key.toLowerCase()].some((each) => isWellFormed(operation, each))))
        claimKey(index, key, item, origin);
      const aliases = single?.aliases;
      if (aliases !== undefined) {
        eachText(Object(item)[aliases], [aliases], (text, path) =>
          claimName(index, key, text, spotOf(origin, item, path, "use"), aliases),
        );
      }
      for (const field of fields) {
        if (field.filter?.by !== "function") checkField(field, item, isRight, origin);
        else for (const text of derived?.get(field.name) ?? []) checkDerived(field, text, item, origin);
      }
    },
    faults: () => [
      ...faults,
      // A composite key is no value of a filter.
      ...likeFiles
        .filter(({ file }) => resource.scope.length === 0 && owners.has(file.toLowerCase()))
        .map(({ key, file, at }) => {
          const expected = `${folderClause}, because ${quote(file)} is a key as well`;
          const expectation = { name: resource.key, expected, value: key, accepts: () => false };
          return fault("wrong-value", at, wrongValue(expectation));
        }),
    ],
  };
}

const keyName = ({ resource: { scope, key } }: ListOperation): string => (scope.length === 0 ? key : "key");

function taken({ resource: { noun, nouns } }: ListOperation, key: string, value: string, at: Spot, other: Spot): Fault {
  return fault("not-unique", at, (_, placeOf) => {
    const first = placeOf(other);
    return {
      message: `The ${key} ${quote(value)} is taken by another ${noun}, at ${first.file}:${first.line}:${first.column}.`,
      hint: "Each needs its own; case makes no difference.",
      cause: { several: `values of ${key} are taken by other ${nouns}, in ${first.file}`, value: quote(value) },
    };
  });
}

type Claimed = Pick<Owner, "value" | "at">;

const alike = (field: string, { value, at }: Claimed, first: Claimed, filter?: Filter): Fault =>
  fault("alike", at, (_, placeOf) => {
    const { file, line, column } = placeOf(first.at);
    const how =
      filter?.by === "slug"
        ? `would both be listed by ${filter.param}=${slugOf(value)}`
        : "differ in case only, and paths may ignore case";
    return {
      message: `The values ${quote(value)} and ${quote(first.value)} of ${field}, the latter at ${file}:${line}:${column}, ${how}.`,
      hint: `Write both alike, or ${derivation(filter) ?? "change one of them"}.`,
      cause: { several: `values of ${field} differ from others in nothing that paths have`, value: quote(value) },
    };
  });

/** What helps if the data is somebody else's. */
function derivation(filter: Filter | undefined): string | undefined {
  if (filter?.field === undefined || !/^[\w$]+$/.test(filter.field)) return undefined;
  const values = { value: `slugify(item.${filter.field})`, elements: `item.${filter.field}.map(slugify)` };
  const returned = filter.by === "value" || filter.by === "elements" ? values[filter.by] : undefined;
  return returned && `let a function derive the filter: ${filter.param}: (item) => ${returned}`;
}

/** Returns the clause behind "must be …" if a text cannot be a part of a path. */
type Rule = (text: string) => string | undefined;

/** A field whose values are parts of paths, or a filter whose function returns such values. */
interface Field {
  /** The name of the field, or the parameter of the filter. */
  readonly name: string;
  readonly rule: Rule;
  readonly filter?: Filter;
  /** The values that are right; undefined for keys, of which each is another one. */
  readonly seen?: Set<string>;
  /** If the values that occur are those of a filter: the first value with each form. */
  readonly forms?: Map<string, Claimed> | undefined;
}

function fieldsOf({ resource, filters, item }: ListOperation): readonly Field[] {
  const parts = [...resource.scope, { field: resource.key, form: resource.keyForm }];
  return [
    ...parts.map(({ field, form }) => ({ name: field, rule: form === pathForm ? partRule : keyRule })),
    ...(item?.aliases === undefined ? [] : [{ name: item.aliases, rule: partRule }]),
    // The values of other filters are keys, and checked as such.
    ...filters
      .filter(({ accepts }) => accepts.kind !== "keys")
      .map((filter) => ({
        name: filter.field ?? filter.param,
        rule: ruleOf(filter),
        filter,
        seen: new Set<string>(),
        forms: filter.accepts.kind === "listed" ? undefined : new Map(),
      })),
  ];
}

const partRule: Rule = (text) =>
  isPathPart(text)
    ? undefined
    : "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ ~ -, and no dot at the start";

const folderClause = "a part of paths without the ending .json, .json.br or .json.gz";

/** The folder of one value must not have the name of the file of another one. */
const folderRule: Rule = (text) => partRule(text) ?? (valueOfFile(text) === undefined ? undefined : folderClause);

function ruleOf({ by, accepts }: Filter): Rule {
  if (by === "slug") return (text) => folderRule(slugOf(text) || "-");
  if (by !== "function" || accepts.kind !== "listed") return folderRule;
  return (text) => (accepts.values.includes(text) ? undefined : `one of its values: ${listed(accepts.values)}`);
}

/** File systems have names of at most 255 bytes, endings included. */
const longestKey = 200;

/** A key whose schema allows only characters of paths. */
const keyRule: Rule = (text) =>
  text.length === 0 || text.length > longestKey
    ? `a key of 1 to ${longestKey} characters, for it is the name of a file`
    : undefined;

/**
 * Visits the texts in a field: its value, the elements of its list or the keys of its record. `wrap` returns the value of
 * a field that has nothing but another text there.
 */
function eachText(
  value: unknown,
  path: Path,
  visit: (text: string, path: Path, wrap: (other: unknown) => unknown) => void,
): void {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") {
    visit(String(value), path, (other) => other);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(key, [...path, key], (other) => ({ [String(other)]: each }));
    else if (each !== null && typeof each !== "object") visit(String(each), [...path, Number(key)], (other) => [other]);
  }
}
