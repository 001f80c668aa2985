// Checks values by their schemas, and converts zod's issues to faults, each at its value or key. Issues that follow from
// others are left out.
import * as z from "zod";
import { vocabularyOf } from "../../src/declare/vocabulary.ts";
import { withArticle } from "../../src/model/api.ts";
import { hasFields, ownField } from "../../src/model/fields.ts";
import { type Kind, kindsOf, type Schema, schemasAt } from "../../src/model/kinds.ts";
import { explain, has, idOf, isAccepted, type Refusal, typeOf, typesOf, valueAt } from "../explain/explain.ts";
import { missingField, unknownField, wrong } from "../explain/wrong.ts";
import type { Draft, Log, Part, Path } from "../messages.ts";
import { quote, shown } from "../text/quote.ts";
import { closest } from "../text/slips.ts";
import { clauseOrNull } from "../text/wording.ts";

/** The place of a value, or a key, in the value that is checked. */
export type PlaceIn = (path: Path, part?: Part) => Draft["at"];

/**
 * Returns the value as its schema answers it, which is the value itself if its JSON is the same; undefined if it is refused.
 * Without `report`, refusals are not explained. `reported`: the paths of values whose refusals follow from faults
 * that are reported already.
 */
export type Validate<T> = (
  value: unknown,
  at: PlaceIn,
  report: Log["report"] | undefined,
  reported?: readonly Path[],
) => T | undefined;

/** For the values of a collection. Compiling a schema takes milliseconds, which pays if there are many values. */
export function validatorOfMany<T>(schema: z.ZodType<T>, noun: string): Validate<T> {
  const cached = compiled.get(schema) as z.ZodType<T> | undefined;
  const quick = cached ?? z.compile(schema);
  compiled.set(schema, quick);
  return validator(schema, noun, quick);
}

const compiled = new WeakMap<z.ZodType, z.ZodType>();

/** For a single value. `noun`: its name in messages, such as that of its file. */
export function validator<T>(schema: z.ZodType<T>, noun: string, quick = schema): Validate<T> {
  return (value, at, report, reported = []) => {
    try {
      const result = quick.safeParse(value);
      if (result.success && isSame(value, result.data))
        return hasSameNames(value, result.data) ? (value as T) : result.data;
      if (report === undefined) return undefined;
      const subject = { value, at, noun };
      const refusals = result.success ? [] : explain(schema, value);
      const changes = result.success ? changesIn(value, result.data) : inexactIn(value);
      const all = [...refusals, ...furtherRefusals(refusals, changes, schema)];
      // Without an error the value would be published.
      if (all.length === 0) throw new Error("it refuses a value at first, and accepts it later");
      const isReported = ({ path }: Refusal) =>
        reported.some((other) => idOf(other) === idOf(path.slice(0, other.length)));
      draftsOf(
        subject,
        all.filter((refusal) => !isReported(refusal)),
      ).forEach(report);
      return undefined;
    } catch (error) {
      if (report === undefined) return undefined;
      // A check of the declaration throws, or returns a promise.
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
      const text = `A check of the schema fails: ${shown(reason, 300).replace(/\.$/, "")}.`;
      report({ code: "not-made", at: at([]), text });
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

/** A part of a value that would not be published as it is written, and the value that would be. */
interface Change {
  readonly path: Path;
  readonly value: unknown;
  readonly becomes: unknown;
}

function changesIn(value: unknown, parsed: unknown, path: Path = []): readonly Change[] {
  if (isSame(value, parsed)) return [];
  if (!hasFields(value) || !hasFields(parsed)) return [{ path, value, becomes: parsed }];
  return partsOf(value, path).flatMap(([part, at, key]) => changesIn(part, ownField(parsed, key), at));
}

/** The numbers that lose digits. */
function inexactIn(value: unknown, path: Path = []): readonly Change[] {
  if (isInexact(value)) return [{ path, value, becomes: value }];
  if (!hasFields(value)) return [];
  return partsOf(value, path).flatMap(([part, at]) => inexactIn(part, at));
}

const partsOf = (value: object, path: Path): readonly (readonly [part: unknown, path: Path, key: string])[] =>
  Object.entries(value).map(([key, part]) => [part, [...path, Array.isArray(value) ? Number(key) : key], key]);

const isInexact = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/** Refusals for the changes in parts that are not refused yet. */
function furtherRefusals(refusals: readonly Refusal[], changes: readonly Change[], schema: Schema): readonly Refusal[] {
  const refused = new Set(refusals.map(({ path, field }) => idOf(field === undefined ? path : [...path, field])));
  const isRefused = (path: Path): boolean => path.some((_, index) => refused.has(idOf(path.slice(0, index + 1))));
  return changes.flatMap((one) => (refused.has(idOf([])) || isRefused(one.path) ? [] : change(one, schema)));
}

function change({ path, value, becomes }: Change, schema: Schema): Refusal {
  if (path.at(-1) === "__proto__") {
    const owner = path.slice(0, -1);
    return {
      code: "unrecognized_keys",
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
    code: "custom",
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

interface Subject {
  readonly noun: string;
  readonly value: unknown;
  readonly at: PlaceIn;
}

/** An object that lacks fields or has unknown ones. */
interface Owner {
  readonly path: Path;
  readonly missing: Map<string, Refusal>;
  readonly unknown: Map<string, Refusal>;
}

function draftsOf(subject: Subject, refusals: readonly Refusal[]): readonly Draft[] {
  const owners = new Map<string, Owner>();
  const ownerAt = (path: Path): Owner => {
    const owner = owners.get(idOf(path)) ?? { path, missing: new Map(), unknown: new Map() };
    owners.set(idOf(path), owner);
    return owner;
  };
  // The first of each path: a value of the wrong type also has the wrong form.
  const wrongs = new Map<string, Refusal>();
  const note = (refusal: Refusal): void => {
    const id = idOf(refusal.path);
    if (!wrongs.has(id)) wrongs.set(id, refusal);
  };
  for (const refusal of refusals) {
    const { path, field } = refusal;
    const parent = path.slice(0, -1);
    const last = path.at(-1);
    if (field !== undefined) ownerAt(path).unknown.set(field, refusal);
    else if (typeof last !== "string" || has(valueAt(subject.value, parent), last)) note(refusal);
    else {
      const { missing } = ownerAt(parent);
      if (!missing.has(last)) missing.set(last, refusal);
    }
  }
  const ofOwners = [...owners.values()].flatMap(({ path, missing, unknown: fields }) => {
    // An unknown field may be a missing one, misspelt.
    const meant = new Map([...fields.keys()].map((field) => [field, closest(field, [...missing.keys()])]));
    const misspelt = new Set(meant.values());
    return [
      ...[...fields].map(([field, refusal]) => unknown(subject, refusal, field, meant.get(field))),
      ...[...missing].filter(([field]) => !misspelt.has(field)).map(([, refusal]) => missingAt(subject, path, refusal)),
    ];
  });
  const ofValues = [...wrongs.values()].map((refusal) =>
    refusal.code === "invalid_key" ? wrongKeyAt(subject, refusal) : wrongAt(subject, refusal),
  );
  return [...ofOwners, ...ofValues];
}

/** `meant`: the missing field that the unknown one probably is. */
function unknown(subject: Subject, refusal: Refusal, field: string, meant: string | undefined): Draft {
  const { path, schemas } = refusal;
  const text = () => {
    const valid = [...new Set(schemas.flatMap(fieldsOf))];
    const owner = valueAt(subject.value, path);
    const absent = valid.filter((name) => !has(owner, name));
    return unknownField(nameOf(subject, path), field, valid, meant ?? closest(field, absent));
  };
  return { code: "unknown-field", at: subject.at([...path, field], "key"), text };
}

function missingAt(subject: Subject, owner: Path, { path, message, schemas }: Refusal): Draft {
  const field = String(path.at(-1));
  const text = () => missingField(nameOf(subject, owner), field, formOrNull(message, schemas));
  return { code: "missing-field", at: subject.at(path), text };
}

function wrongKeyAt(subject: Subject, { path, message, schemas, accepts }: Refusal): Draft {
  const owner = path.slice(0, -1);
  const of = nameOf(subject, owner);
  return wrong("wrong-value", subject.at(path, "key"), {
    name: `Each key of ${of.charAt(0).toLowerCase()}${of.slice(1)}`,
    expected: message,
    value: String(path.at(-1)),
    accepts,
    words: wordsOf(schemas.flatMap(kindsOf)),
  });
}

function wrongAt(subject: Subject, refusal: Refusal): Draft {
  const { path, code, message, isOtherShape = false, schemas, accepts } = refusal;
  const value = valueAt(subject.value, path);
  const kinds = schemas.flatMap(kindsOf);
  const types = kinds.flatMap(typesOf);
  const isType = types.length > 0 && !types.includes("any") && !types.includes(typeOf(value));
  const isWhole = path.length === 0 && code !== "custom" && !isOtherShape;
  const form = isWhole ? `an object with ${schemas.flatMap(fieldsOf).join(", ")}` : message;
  return wrong(isType ? "wrong-type" : "wrong-value", subject.at(path), {
    name: nameOf(subject, path),
    expected: formOrNull(form, schemas),
    value,
    accepts,
    words: wordsOf(kinds),
    isOtherShape,
    isVocabulary: !isType && schemas.some((schema) => vocabularyOf.has(schema)),
  });
}

const wordsOf = (kinds: readonly Kind[]): readonly string[] =>
  kinds.flatMap((kind) => (kind.kind === "known" ? kind.values.filter(isText) : []));

const isText = (value: unknown): value is string => typeof value === "string";

/** For a nullable value, some issues describe only its form. */
const formOrNull = (form: string, schemas: readonly Schema[]): string =>
  schemas.some((schema) => schema instanceof z.ZodNull) ? clauseOrNull(form) : form;

/** The name of the value at a path: `fields[2].name`, or the noun for an empty path. */
function nameOf({ noun }: Subject, path: Path): string {
  if (path.length > 0) return dotted(path);
  // File names have no article.
  if (noun.includes(".")) return noun;
  const name = withArticle(noun);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `fields[2].name`, as a reader would point at it. */
export const dotted = (path: Path): string =>
  path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^(?=.{1,60}$)[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `[${quote(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");

/** The field names of an object schema, and the keys of a record if they are listed; none for other schemas. */
function fieldsOf(schema: Schema): readonly string[] {
  if (schema instanceof z.ZodRecord) return [...(schema.keyType._zod.values ?? [])].map(String);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
