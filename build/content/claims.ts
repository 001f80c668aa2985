// What the items of a collection claim of the paths below its name: their keys and other names, and the values by which
// filters list them. Paths may ignore case, so a claim excludes all others that differ from it in case only.
import * as z from "zod";
import { type Derived, type Filter, slugOf } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, isPathPart, keyOf, pathForm, valueOfFile } from "../../src/resource.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { claimTable } from "./claim-table.ts";
import { type Fault, fault, type Spot } from "./fault.ts";
import { isWellFormed } from "./link.ts";
import { type Origin, spotOf } from "./origin.ts";
import type { Path } from "./source.ts";
import { dotted, isAccepted } from "./validate.ts";
import { causeOf, wrong } from "./wrong.ts";

export interface Claims {
  /**
   * `derived`: the values that functions derive, if the item has its form. The fields of other items are checked as far as
   * they have theirs.
   */
  take(index: number, item: Item, origin: Origin, derived?: Derived): void;
  /** Once all items are known. */
  faults(): readonly Fault[];
}

/** A key, another name or a value of a filter, and where an item has it. */
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
  const { item: single, noun, nouns, scope } = operation;
  const fields = fieldsOf(operation, schema);
  const faults: Fault[] = [];
  const likeFiles: (Claim & { readonly file: string })[] = [];
  /** The claims that are no keys. Their owners in the table are odd; a key has that of its item, for there may be millions. */
  const others: (Claim & { readonly url: string })[] = [];
  const keyAt = (index: number): string => keyOf(operation, itemOf(index)) ?? "";
  const table = claimTable((owner) =>
    owner % 2 === 1 ? (others[(owner - 1) / 2]?.url ?? "") : keyAt(owner / 2).toLowerCase(),
  );

  /** The first values with each form, by the parameter of their filter and the form. */
  const values = new Map<string, Claim>();

  /** Returns the earlier claim of the same URL, if there is one. */
  function claim(url: string, own: Claim | number): Claim | undefined {
    const first = table.claim(url, typeof own === "number" ? 2 * own : 2 * others.push({ ...own, url }) - 1);
    if (first === undefined) return undefined;
    if (first % 2 === 1) return others[(first - 1) / 2];
    const index = first / 2;
    return { index, value: keyAt(index), at: spotOf(originOf(index), undefined, [operation.key], "use") };
  }

  const taken = (name: string, value: string, at: Spot, { at: other }: Claim): Fault =>
    fault("not-unique", at, (_, placeOf) => {
      const { file, line, column } = placeOf(other);
      return {
        message: `The ${name} ${quote(value)} is taken by another ${noun}, at ${file}:${line}:${column}.`,
        hint: "Each needs its own; case makes no difference.",
        cause: causeOf(`values of ${name} are taken by other ${nouns}, in ${file}`, quote(value)),
      };
    });

  function claimKey(index: number, key: string, item: Item, origin: Origin): void {
    const first = claim(key.toLowerCase(), index);
    // If an alias of YAML gives two items the same text, its use is the mistake.
    if (first !== undefined)
      faults.push(
        taken(scope.length === 0 ? operation.key : "key", key, spotOf(origin, item, [operation.key], "use"), first),
      );
    // A composite key is no value of a filter.
    const file = scope.length === 0 ? valueOfFile(key) : undefined;
    if (file !== undefined) likeFiles.push({ index, value: key, file, at: spotOf(origin, item, [operation.key]) });
  }

  function claimName(own: Claim, key: string | undefined, field: string): void {
    const { index, value, at } = own;
    const first = claim(value.toLowerCase(), own);
    if (first === undefined || value === key) return;
    if (first.index !== index) faults.push(taken("name", value, at, first));
    else if (first.value !== value) faults.push(alike(field, own, first));
  }

  /** Values of a filter that have one form are one part of a path. Returns whether this one may be there. */
  function claimValue({ param, by, accepts }: Filter, field: string, own: Claim): boolean {
    const form = by === "slug" ? slugOf(own.value) : own.value.toLowerCase();
    if (form === "" || accepts.kind === "listed") return true;
    const first = values.get(`${param} ${form}`);
    if (first === undefined) values.set(`${param} ${form}`, own);
    else faults.push(alike(field, own, first, by === "slug" ? `${param}=${form}` : undefined));
    return first === undefined;
  }

  function check(field: Field, index: number, text: FieldText, item: Item, origin: Origin): void {
    const { value, path, name, isKey } = text;
    const { rule, seen, filter, form } = field;
    if (seen?.has(value)) return;
    const expected = rule(value);
    if (expected !== undefined) {
      const accepts = (other: unknown) =>
        rule(String(other)) === undefined && path.length === 1 && form !== undefined && isAccepted(form, other);
      faults.push(
        wrong("wrong-value", spotOf(origin, item, path, isKey ? "key" : "value"), { name, expected, value, accepts }),
      );
    } else if (filter !== undefined) {
      // Each place of a value that differs in case is a fault.
      if (claimValue(filter, field.name, { index, value, at: spotOf(origin, item, path, "use") })) seen?.add(value);
    }
  }

  return {
    take(index, item, origin, derived) {
      const key = keyOf(operation, item);
      // A value without the form of a key is reported as that, and must change anyway.
      const isKey =
        derived !== undefined || [key, key?.toLowerCase()].some((each = "") => isWellFormed(operation, each));
      if (key !== undefined && isKey) claimKey(index, key, item, origin);
      const aliases = single?.aliases;
      for (const { value, path } of aliases === undefined ? none : textsIn(item[aliases], aliases))
        claimName({ index, value, at: spotOf(origin, item, path, "use") }, key, aliases ?? "");
      for (const field of fields)
        for (const text of textsOf(field, item, derived)) check(field, index, text, item, origin);
    },
    faults: () => [
      ...faults,
      ...likeFiles
        .filter(({ file }) => table.has(file.toLowerCase()))
        .map(({ value, file, at }) => {
          const expected = `${folderClause}, because ${quote(file)} is a key as well`;
          return wrong("wrong-value", at, { name: operation.key, expected, value });
        }),
    ],
  };
}

/** `listing`: the filter that would list both, if their case is not all in which they differ. */
const alike = (field: string, { value, at }: Claim, first: Claim, listing?: string): Fault =>
  fault("alike", at, (_, placeOf) => {
    const { file, line, column } = placeOf(first.at);
    const how = listing ? `would both be listed by ${listing}` : "differ in case only, and paths may ignore case";
    return {
      message: `The values ${quote(value)} and ${quote(first.value)} of ${field}, the latter at ${file}:${line}:${column}, ${how}.`,
      hint: "Write both alike, change one of them, or let a function derive the values of a filter.",
      cause: causeOf(`values of ${field} differ from others in nothing that paths have`, quote(value)),
    };
  });

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
  /** The values of a filter that have been checked. */
  readonly seen?: Set<string>;
}

function fieldsOf({ scope, key, keyForm, filters, item }: ListOperation, schema: z.ZodType): readonly Field[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const parts = [...scope, { field: key, form: keyForm }];
  const fields = [
    ...parts.map(({ field, form }) => ({ name: field, rule: form === pathForm ? partRule : keyRule })),
    ...(item?.aliases === undefined ? [] : [{ name: item.aliases, rule: partRule }]),
    // The values of other filters are keys, and checked as such.
    ...filters
      .filter(({ accepts }) => accepts.kind !== "keys")
      .map((filter) => ({ name: filter.field ?? filter.param, rule: ruleOf(filter), filter, seen: new Set<string>() })),
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

/** A key whose schema allows only characters of paths. File systems have names of at most 255 bytes, endings included. */
const keyRule: Rule = (text) =>
  text.length === 0 || text.length > 200 ? "a key of 1 to 200 characters, for it is the name of a file" : undefined;

/** A text in a field of an item; `name` starts a sentence about it. */
interface FieldText {
  readonly value: string;
  readonly path: Path;
  readonly name: string;
  readonly isKey?: boolean;
}

const none: readonly FieldText[] = [];

/** The texts that must be parts of paths, except for some that are right. */
function textsOf({ name, form, filter, rule, seen }: Field, item: Item, derived?: Derived): readonly FieldText[] {
  if (filter?.by === "function")
    return (derived?.get(name) ?? []).map((value) => ({ value, path: [], name: `The value of the filter ${name}` }));
  const value = item[name];
  // Most values are a text that is right, and millions of items have one.
  if (typeof value === "string" && (seen === undefined ? rule(value) === undefined : seen.has(value))) return none;
  const isRight = derived !== undefined || (form !== undefined && isAccepted(form, value));
  return isRight ? textsIn(value, name) : none;
}

/** The texts in a field: its value, the elements of its list or the keys of its record. */
function textsIn(field: unknown, name: string): readonly FieldText[] {
  if (field === null || field === undefined) return none;
  if (typeof field !== "object") return [{ value: String(field), path: [name], name }];
  if (!Array.isArray(field))
    return Object.keys(field).map((value) => ({
      value,
      path: [name, value],
      name: `Each key of ${name}`,
      isKey: true,
    }));
  return [...field.entries()].flatMap(([index, each]) =>
    each === null || typeof each === "object"
      ? none
      : { value: String(each), path: [name, index], name: dotted([name, index]) },
  );
}
