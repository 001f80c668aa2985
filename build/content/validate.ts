// Checks values by their schemas. Reports why a value is refused, or would not be published as it is written.
import * as z from "zod";
import { withArticle } from "../../src/model/api.ts";
import { hasFields, ownField } from "../../src/model/fields.ts";
import { type Schema, schemasAt } from "../../src/model/kinds.ts";
import { clauseErrors, idOf, isAccepted, type Refusal, whyRefused } from "../explain/explain.ts";
import { dotted, faultsOf, type Written } from "../explain/faults.ts";
import type { Draft, Log, Part, Path } from "../messages.ts";
import { shown, shownError } from "../text/quote.ts";
import { onceFor } from "../values/once.ts";

/** The place of a value, or a key, in the value that is checked. */
export type PlaceIn = (path: Path, part?: Part) => Draft["at"];

/**
 * Returns the value as its schema answers it, which is the value itself if its JSON is the same; undefined if it is refused.
 * Without `report`, refusals are not explained.
 */
export type Validate<T> = (
  value: unknown,
  at: PlaceIn,
  report: Log["report"] | undefined,
  known?: Known,
) => T | undefined;

/** Facts about a value that its schema does not have. */
interface Known {
  /** The paths of values whose refusals follow from faults that are reported already. */
  readonly reported?: readonly Path[];
  readonly written?: Written | undefined;
}

/** For the values of a collection. Compiling a schema takes milliseconds, which pays if there are many values. */
export function validatorOfMany<T>(schema: z.ZodType<T>, noun: string): Validate<T> {
  return validator(schema, calledBy(noun), compiled(schema) as z.ZodType<T>);
}

const compiled = onceFor((schema: z.ZodType): z.ZodType => z.compile(schema));

/** The name of a value at the start of a message, and the word for a name in its objects. */
interface Called {
  readonly name: string;
  readonly noun: "field" | "key";
}

/** `A node`, with fields. */
export function calledBy(noun: string): Called {
  const name = withArticle(noun);
  return { name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, noun: "field" };
}

/** For a single value. */
export function validator<T>(schema: z.ZodType<T>, { name, noun }: Called, quick = schema): Validate<T> {
  return (value, at, report, { reported = [], written } = {}) => {
    try {
      // The words of the issues are a third of the time that a refused value takes.
      const result = quick.safeParse(value, report === undefined ? undefined : clauseErrors);
      if (result.success && isSame(value, result.data))
        return hasSameNames(value, result.data) ? (value as T) : result.data;
      if (report === undefined) return undefined;
      const subject = {
        value,
        at,
        nameOf: (path: Path) => (path.length > 0 ? dotted(path) : name),
        noun,
        written,
      };
      const refusals = whyRefused(schema, value, result);
      const changes = changesIn(value, result.success ? result.data : value);
      const all = [...refusals, ...furtherRefusals(refusals, changes, schema)];
      // Without an error the value would be published.
      if (all.length === 0) throw new Error("it refuses a value, and does not say why");
      const isReported = ({ path }: Refusal) =>
        reported.some((other) => idOf(other) === idOf(path.slice(0, other.length)));
      faultsOf(
        subject,
        all.filter((refusal) => !isReported(refusal)),
      ).forEach(report);
      return undefined;
    } catch (error) {
      if (report === undefined) return undefined;
      // A check of the declaration throws, or returns a promise.
      report({ code: "not-made", at: at([]), text: `A check of the schema fails: ${shownError(error)}` });
      return undefined;
    }
  };
}

/**
 * Whether a value is published as it is written. zod adds defaults; it also drops `__proto__` from records, trims URLs, and
 * accepts some numbers that JSON does not have.
 */
function isSame(value: unknown, parsed: unknown): boolean {
  if (!hasFields(value) || !hasFields(parsed)) return value === parsed && !isInexact(value);
  for (const key in value) {
    if (!isSame(value[key], ownField(parsed, key))) return false;
  }
  return true;
}

/** Whether a value that is the same as its schema answers it has all fields of the answer, in the same order. */
function hasSameNames(value: unknown, parsed: unknown): boolean {
  if (!hasFields(value) || !hasFields(parsed)) return true;
  const names = Object.keys(parsed);
  let count = 0;
  for (const name in value) {
    if (names[count] !== name) return false;
    count++;
    const part = value[name];
    if (typeof part === "object" && !hasSameNames(part, ownField(parsed, name))) return false;
  }
  return count === names.length;
}

/**
 * A part of a value that would not be published as it is written, and the value that would be: the same one for a number that
 * loses digits.
 */
interface Change {
  readonly path: Path;
  readonly value: unknown;
  readonly becomes: unknown;
}

function changesIn(value: unknown, parsed: unknown, path: Path = []): readonly Change[] {
  if (isSame(value, parsed)) return [];
  if (!hasFields(value) || !hasFields(parsed)) return [{ path, value, becomes: parsed }];
  return Object.entries(value).flatMap(([key, part]) =>
    changesIn(part, ownField(parsed, key), [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const isInexact = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/** Refusals for the changes in parts that are not refused yet. */
function furtherRefusals(refusals: readonly Refusal[], changes: readonly Change[], schema: Schema): readonly Refusal[] {
  const refused = new Set(refusals.map(({ path, field }) => idOf(field === undefined ? path : [...path, field])));
  const isRefused = ({ path }: Change): boolean =>
    [...path.keys(), path.length].some((length) => refused.has(idOf(path.slice(0, length))));
  return changes.filter((one) => !isRefused(one)).map((one) => refusalOfChange(one, schema));
}

function refusalOfChange({ path, value, becomes }: Change, schema: Schema): Refusal {
  if (path.at(-1) === "__proto__") {
    const owner = path.slice(0, -1);
    return {
      path: owner,
      message: "",
      field: "__proto__",
      schemas: schemasAt(schema, owner),
      accepts: () => true,
    };
  }
  const schemas = schemasAt(schema, path);
  const message =
    typeof becomes === "number" ? "a number that a 64-bit float holds exactly" : publishedClause(value, becomes);
  return {
    path,
    message,
    schemas,
    accepts: (other) => schemas.some((part) => isPublished(part, other)),
  };
}

const publishedClause = (value: unknown, becomes: unknown): string =>
  typeof value === "string" && value.trim() === becomes
    ? "written without spaces at its ends"
    : `written as it is published: ${shown(JSON.stringify(becomes) ?? "nothing")}`;

/** Whether a schema accepts a value, which is published as it is written. */
const isPublished = (schema: Schema, value: unknown): boolean =>
  isAccepted(schema, value) && isSame(value, z.safeParse(schema, value).data);
