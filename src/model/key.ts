// Items and their keys, which are parts of paths.
import * as z from "zod";
import { fieldOf } from "./fields.ts";
import { withoutFlags } from "./json-pattern.ts";
import { pathForm } from "./path-form.ts";

/** An item of any collection, or a document, for code that handles all alike. */
export type Item = Readonly<Record<string, unknown>>;

export interface Key {
  /** The field that identifies an item: the last field of a composite key; see `keyFields`. */
  readonly key: string;
  /** An anchored regular expression that every value of `key` matches, and nothing that is unsafe in a path. */
  readonly keyForm: string;
  /** The fields of a composite key before the last one. */
  readonly scope: readonly { readonly field: string; readonly form: string }[];
}

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
  // Most keys are one field, and there may be millions of items.
  if (scope.length === 0) return keyPart(fieldOf(item, key), keyForm);
  const parts = [...scope, { field: key, form: keyForm }].map(({ field, form }) => keyPart(fieldOf(item, field), form));
  return parts.every((part) => part !== undefined) ? parts.join("/") : undefined;
}

export function keyPart(value: unknown, form: string): string | undefined {
  if (form === integerForm) return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" ? value : undefined;
}

const pathPattern = new RegExp(pathForm);

export const isPathPart = (value: string): boolean => pathPattern.test(value);

/** Whether a value could be a part of a path if it had no tilde. */
export const hasOnlyTilde = (value: string): boolean => value.includes("~") && isPathPart(value.replaceAll("~", "-"));

/**
 * A file and a folder cannot have one name: the folder of the value `x.json` would be the file of the value `x`, and that of
 * `x.json.br` its compressed copy. Returns `x` for these values, and undefined for others.
 */
export const valueOfFile = (value: string): string | undefined =>
  // Most values have no dot, and there may be millions.
  value.includes(".") ? /^(.+)\.json(?:\.br|\.gz)?$/i.exec(value)?.[1] : undefined;

/** Whether a value can have a folder below the paths of its list. */
export const isFolderName = (value: string): boolean => isPathPart(value) && valueOfFile(value) === undefined;

/** An anchored pattern of letters, digits, underscores and hyphens, which matches nothing that is unsafe in a path. */
const safePattern = /^\^(?:[A-Za-z0-9_-]|\[(?:a-z|A-Z|0-9|[A-Za-z0-9_])+-?\]|\(\?:|[()*+?]|\{\d+(?:,\d*)?\})+\$$/;

export const integerForm = "^(?:0|-?[1-9][0-9]*)$";

/** An anchored regular expression that every key of a schema matches, and nothing that is unsafe in a path. */
export function keyFormOf(key: z.core.$ZodType): string {
  const { pattern, type } = z.toJSONSchema(key, { override: withoutFlags });
  if (type === "integer") return integerForm;
  return pattern !== undefined && safePattern.test(pattern) ? pattern : pathForm;
}
