import * as z from "zod";
import type { Deprecation } from "./deprecation.ts";
import { withoutFlags } from "./json-pattern.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** An entry of any resource, for code that handles all resources alike. */
export type Item = Readonly<Record<string, unknown>>;

interface Described {
  /** The name of the type in programs, such as EdgeNode. */
  readonly title: string;
  /** Describes one item, or the document, in a sentence for the API's consumers. */
  readonly meaning: string;
  /**
   * By the path of a field, its meaning for consumers, without its form. `fields[].name` is the name of each object in
   * the list `fields`.
   */
  readonly meanings: Readonly<Record<string, string>>;
  readonly deprecated: Readonly<Record<string, Deprecation>>;
}

/** A document. Its content in a deployment's file lacks the fields with one value only, which `documentOf` adds. */
export interface DocumentResource extends Described {
  readonly content: (vocabulary: Vocabulary) => z.ZodType<Item>;
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Item>;
  documentOf(content: Item): Item;
  readonly example: Item;
}

export interface Reference {
  /** The path of the field: `parts[].maker`. */
  readonly field: string;
  /** The parts of the path: `.parts`, `[]` and `.maker`. */
  readonly steps: readonly string[];
  readonly to: string;
  /** The field of the item referred to that content has in place of its key. */
  readonly by?: string | undefined;
}

export interface Resource extends Described {
  readonly noun: string;
  readonly nouns: string;
  /** The field that identifies an item: the last field of a composite key; see `keyFields`. */
  readonly key: string;
  /** An anchored regular expression that every value of `key` matches, and nothing that is unsafe in a path. */
  readonly keyForm: string;
  readonly scope: readonly { readonly field: string; readonly form: string }[];
  /** Exactly the declared fields, in their order, which is the order of the keys in the JSON. */
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Item>;
  /** Fields whose value is null or the key of an item of another resource, within lists and objects as well. */
  readonly references: readonly Reference[];
  /**
   * Fields with times that are not before the time of another field, unless one of them is null. The schema contains no
   * other rule on several fields.
   */
  readonly notBefore: readonly { readonly field: string; readonly than: string }[];
  /** Fields whose change alters the data of the items that refer to this one. */
  readonly defining: readonly string[];
  readonly example: Item;
}

type Key = Pick<Resource, "scope" | "key" | "keyForm">;

/** The fields that together identify an item; unique in the resource even if case is ignored. */
export const keyFields = ({ scope, key }: Pick<Key, "scope" | "key">): readonly string[] => [
  ...scope.map(({ field }) => field),
  key,
];

/**
 * The key of an item: its parts, joined by slashes, which no part contains. Undefined if a part is neither a text nor an
 * integer.
 */
export function keyOf({ scope, key, keyForm }: Key, item: unknown): string | undefined {
  // Most keys are one field, and millions of items have one.
  if (scope.length === 0) return keyPart(Object(item)[key], keyForm);
  const parts = [...scope, { field: key, form: keyForm }].map(({ field, form }) => keyPart(Object(item)[field], form));
  return parts.every((part) => part !== undefined) ? parts.join("/") : undefined;
}

export function keyPart(value: unknown, form: string): string | undefined {
  if (form === integerForm) return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Keys and values of filters are parts of paths, on every host and file system. */
export const pathForm = "^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,99}$";

const pathPattern = new RegExp(pathForm);

export const isPathPart = (value: string): boolean => pathPattern.test(value);

/**
 * The value whose page, or the compressed copy of that page, has the name of this value's folder: `x` for `x.json`.
 * Undefined if there is no value with that name.
 */
export const valueOfFile = (value: string): string | undefined =>
  // Most values have no dot, and there may be millions.
  value.includes(".") ? /^(.+)\.json(?:\.br|\.gz)?$/i.exec(value)?.[1] : undefined;

/** An anchored pattern of letters, digits, underscores and hyphens, which matches nothing that is unsafe in a path. */
const safePattern = /^\^(?:[A-Za-z0-9_-]|\[(?:a-z|A-Z|0-9|[A-Za-z0-9_])+-?\]|\(\?:|[()*+?]|\{\d+(?:,\d*)?\})+\$$/;

export const integerForm = "^(?:0|-?[1-9][0-9]*)$";

/** An anchored regular expression that every key of a schema matches, and nothing that is unsafe in a path. */
export function keyFormOf(key: z.core.$ZodType): string {
  const { pattern, type } = z.toJSONSchema(key, { override: withoutFlags });
  if (type === "integer") return integerForm;
  return pattern !== undefined && safePattern.test(pattern) ? pattern : pathForm;
}
