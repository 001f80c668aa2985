// What the items of a collection claim of the paths below its name: their keys and other names, and the values by which
// filters list them. Paths may ignore case, so a claim excludes all others that differ from it in case only.
import * as z from "zod";
import { type Derived, type Filter, slugOf } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, isPathPart, keyOf, pathForm, valueOfFile } from "../../src/resource.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { type Fault, fault, type Spot } from "./fault.ts";
import { keyTable } from "./key-table.ts";
import { isWellFormed } from "./link.ts";
import { type Origin, spotOf } from "./origin.ts";
import type { Path } from "./source.ts";
import { dotted, isAccepted } from "./validate.ts";
import { causeOf, wrongValue } from "./wrong.ts";

export interface Claims {
  /**
   * `derived`: the values that functions derive, if the item has its form. The fields of other items are checked as far as
   * they have theirs.
   */
  take(index: number, item: unknown, origin: Origin, derived?: Derived): void;
  /** Once all items are known. */
  faults(): readonly Fault[];
}

/** A name or a value of a filter, and where an item has it. */
interface Claim {
  readonly index: number;
  readonly value: string;
  readonly at: Spot;
}

/** `originOf` and `itemOf` return what is known of an item by its index. */
export function claimsOf(
  operation: ListOperation,
  schema: z.ZodType,
  originOf: (index: number) => Origin,
  itemOf: (index: number) => Item,
): Claims {
  const { resource, item: single } = operation;
  const fields = fieldsOf(operation, schema);
  const faults: Fault[] = [];
  const keys = keyTable((index) => keyOf(resource, itemOf(index))?.toLowerCase());
  /** Other names, and the values of filters after the parameter. */
  const claims = new Map<string, Claim>();
  const likeFiles: (Claim & { readonly file: string })[] = [];

  function keyClaim(folded: string): Claim | undefined {
    const index = keys.find(folded);
    if (index === undefined) return undefined;
    const at = spotOf(originOf(index), undefined, [resource.key], "use");
    return { index, value: keyOf(resource, itemOf(index)) ?? "", at };
  }

  function claimKey(index: number, key: string, item: unknown, origin: Origin): void {
    const folded = key.toLowerCase();
    const isFirst = !claims.has(folded) && keys.add(folded, index);
    if (!isFirst) {
      const first = claims.get(folded) ?? keyClaim(folded);
      // If an alias of YAML gives two items the same text, its use is the mistake.
      const name = resource.scope.length === 0 ? resource.key : "key";
      if (first !== undefined)
        faults.push(taken(operation, name, key, spotOf(origin, item, [resource.key], "use"), first.at));
    }
    const file = resource.scope.length === 0 ? valueOfFile(key) : undefined;
    if (file !== undefined) likeFiles.push({ index, value: key, file, at: spotOf(origin, item, [resource.key]) });
  }

  function claimName(claim: Claim, key: string | undefined, field: string): void {
    const folded = claim.value.toLowerCase();
    const first = claims.get(folded) ?? keyClaim(folded);
    if (first === undefined) claims.set(folded, claim);
    else if (first.index !== claim.index && claim.value !== key)
      faults.push(taken(operation, "name", claim.value, claim.at, first.at));
    else if (first.index === claim.index && first.value !== claim.value) faults.push(alike(field, claim, first));
  }

  /** Values of a filter that have one form are one part of a path. */
  function claimValue({ name, filter, seen }: Field, claim: Claim): void {
    const form = filter?.by === "slug" ? slugOf(claim.value) : claim.value.toLowerCase();
    const url = `${filter?.param}\n${form}`;
    const first = form === "" || filter?.accepts.kind === "listed" ? undefined : claims.get(url);
    if (first !== undefined) faults.push(alike(name, claim, first, filter));
    else {
      claims.set(url, claim);
      seen?.add(claim.value);
    }
  }

  function check(field: Field, index: number, text: FieldText, item: unknown, origin: Origin): void {
    const { value, path, name, isKey, wrap } = text;
    const { form, rule, seen } = field;
    if (seen?.has(value)) return;
    const expected = rule(value);
    if (expected === undefined) {
      if (seen !== undefined) claimValue(field, { index, value, at: spotOf(origin, item, path, "use") });
      return;
    }
    const accepts = (other: unknown) =>
      rule(String(other)) === undefined && (form === undefined || isAccepted(form, wrap(other)));
    const at = spotOf(origin, item, path, isKey ? "key" : "value");
    faults.push(wrongValue(at, { name, expected, value, accepts }));
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
        for (const { value, path } of textsIn(Object(item)[aliases], aliases))
          claimName({ index, value, at: spotOf(origin, item, path, "use") }, key, aliases);
      }
      for (const field of fields) {
        for (const text of textsOf(field, item, derived)) check(field, index, text, item, origin);
      }
    },
    faults: () => [
      ...faults,
      ...likeFiles
        .filter(({ file }) => claims.has(file.toLowerCase()) || keys.find(file.toLowerCase()) !== undefined)
        .map(({ value, file, at }) =>
          wrongValue(at, {
            name: resource.key,
            expected: `${folderClause}, because ${quote(file)} is a key as well`,
            value,
          }),
        ),
    ],
  };
}

function taken({ resource: { noun, nouns } }: ListOperation, key: string, value: string, at: Spot, other: Spot): Fault {
  return fault("not-unique", at, (_, placeOf) => {
    const { file, line, column } = placeOf(other);
    return {
      message: `The ${key} ${quote(value)} is taken by another ${noun}, at ${file}:${line}:${column}.`,
      hint: "Each needs its own; case makes no difference.",
      cause: causeOf(`values of ${key} are taken by other ${nouns}, in ${file}`, quote(value)),
    };
  });
}

function alike(field: string, { value, at }: Claim, first: Claim, filter?: Filter): Fault {
  return fault("alike", at, (_, placeOf) => {
    const { file, line, column } = placeOf(first.at);
    const how =
      filter?.by === "slug"
        ? `would both be listed by ${filter.param}=${slugOf(value)}`
        : "differ in case only, and paths may ignore case";
    return {
      message: `The values ${quote(value)} and ${quote(first.value)} of ${field}, the latter at ${file}:${line}:${column}, ${how}.`,
      hint: `Write both alike, or ${filter === undefined ? "change one of them" : "let a function derive the values of the filter"}.`,
      cause: causeOf(`values of ${field} differ from others in nothing that paths have`, quote(value)),
    };
  });
}

/** Returns the clause behind "must be …" if a text cannot be a part of a path. */
type Rule = (text: string) => string | undefined;

/** A field whose values are parts of paths, or a filter whose function returns such values. */
interface Field {
  /** The name of the field, or the parameter of the filter. */
  readonly name: string;
  /** The schema of the field, if there is one. */
  readonly form: z.core.$ZodType | undefined;
  readonly rule: Rule;
  readonly filter?: Filter;
  /** The values that are right; undefined for keys, of which each is another one. */
  readonly seen?: Set<string>;
}

function fieldsOf({ resource, filters, item }: ListOperation, schema: z.ZodType): readonly Field[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const parts = [...resource.scope, { field: resource.key, form: resource.keyForm }];
  const fields = [
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
      })),
  ];
  return fields.map((field) => ({ ...field, form: shape[field.name] }));
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

/** A text in a field of an item. */
interface FieldText {
  readonly value: string;
  readonly path: Path;
  /** The start of a sentence about it. */
  readonly name: string;
  readonly isKey?: boolean;
  /** Returns the value of a field that has nothing but another text there. */
  readonly wrap: (other: unknown) => unknown;
}

const same = (other: unknown): unknown => other;

/** The texts that must be parts of paths, except for some that are right. */
function textsOf({ name, form, filter, rule, seen }: Field, item: unknown, derived?: Derived): readonly FieldText[] {
  if (filter?.by === "function") {
    const values = derived?.get(name) ?? [];
    return values.map((value) => ({ value, path: [], name: `The value of the filter ${name}`, wrap: same }));
  }
  const value: unknown = Object(item)[name];
  // Most values are a text that is right, and millions of items have one.
  if (typeof value === "string" && (seen === undefined ? rule(value) === undefined : seen.has(value))) return none;
  const isRight = derived !== undefined || (form !== undefined && isAccepted(form, value));
  return isRight ? textsIn(value, name) : none;
}

const none: readonly FieldText[] = [];

/** The texts in a field: its value, the elements of its list or the keys of its record. */
function textsIn(field: unknown, name: string): readonly FieldText[] {
  if (field === null || field === undefined) return none;
  if (typeof field !== "object") return [{ value: String(field), path: [name], name, wrap: same }];
  if (!Array.isArray(field))
    return Object.entries(field).map(([key, each]) => {
      const wrap = (other: unknown) => ({ [String(other)]: each });
      return { value: key, path: [name, key], name: `Each key of ${name}`, isKey: true, wrap };
    });
  return [...field.entries()].flatMap(([index, each]) => {
    if (each === null || typeof each === "object") return none;
    return { value: String(each), path: [name, index], name: dotted([name, index]), wrap: (other) => [other] };
  });
}
