// Checks values by their schemas, and converts zod's issues to faults, each at its value or key. Issues that follow from
// others are left out.
import * as z from "zod";
import { withArticle } from "../../src/api.ts";
import { compilableOf } from "../../src/complete-resource.ts";
import { schemasAt } from "../../src/kinds.ts";
import { vocabularyOf } from "../../src/vocabulary.ts";
import { quote, shown } from "../text/quote.ts";
import { closest } from "../text/slips.ts";
import { clauseOf, clauseOfIssue, clauseOrNull } from "../text/wording.ts";
import { type Fault, fault, type Spot, type WithFaults } from "./fault.ts";
import type { Part } from "./formats/format.ts";
import { bodyField, hasBody } from "./formats/markdown.ts";
import type { Path } from "./source.ts";
import { missingField, unknownField, wrong } from "./wrong.ts";

/** What a value is in messages: the noun of one, or its file, and the noun of several, which a file has not. */
export interface Names {
  readonly noun: string;
}

/** The place of a value, or a key, in the value that is checked. */
export type PlaceIn = (path: Path, part?: Part) => Spot;

/** Returns the value as its schema answers it; undefined if it has faults. */
export type Validate<T> = (value: unknown, at: PlaceIn) => WithFaults<T | undefined>;

const none: readonly Fault[] = [];

/** For the values of a collection. Compiled code takes milliseconds to make, and pays for many values. */
export function validatorOfMany<T>(schema: z.ZodType<T>, names: Names): Validate<T> {
  const known = compiled.get(schema) as z.ZodType<T> | undefined;
  const quick = known ?? z.compile(compilableOf(schema));
  compiled.set(schema, quick);
  return validator(schema, names, quick);
}

const compiled = new WeakMap<z.ZodType, z.ZodType>();

/** For a single value. */
export function validator<T>(schema: z.ZodType<T>, { noun }: Names, quick = schema): Validate<T> {
  return (value, at) => {
    let result: z.ZodSafeParseResult<T>;
    try {
      result = quick.safeParse(value);
      if (result.success && isSame(value, result.data)) return [result.data, none];
      if (!result.success) result = schema.safeParse(value, { error: clauseOfIssue });
    } catch (error) {
      return [undefined, [failed(error, at([]))]];
    }
    const subject = { value, at, schema, noun };
    if (result.success) return [undefined, changesIn(value, result.data).map((each) => changed(subject, each))];
    return [undefined, faultsOf(subject, result.error.issues)];
  };
}

/** A check of the declaration throws, or returns a promise. */
function failed(error: unknown, at: Spot): Fault {
  if (error instanceof z.core.$ZodAsyncError)
    return fault("not-made", at, "A check of the schema is async, but items are checked at once.");
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return fault("not-made", at, `A check of the schema fails: ${shown(reason, 300).replace(/\.$/, "")}.`);
}

/**
 * Whether a value is published as it was written. zod adds defaults; it also drops `__proto__` from records, trims URLs,
 * and accepts some numbers that JSON does not have.
 */
function isSame(value: unknown, parsed: unknown): boolean {
  if (!isObject(value) || !isObject(parsed))
    return value === parsed && (typeof value !== "number" || Number.isFinite(value));
  for (const key in value) {
    if (key === "__proto__" && !Object.hasOwn(parsed, key)) return false;
    if (!isSame(value[key], parsed[key])) return false;
  }
  return true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

type Change = readonly [path: Path, parsed: unknown];

/** The innermost values for which `isSame` is false, and what they have become. */
function changesIn(value: unknown, parsed: unknown): readonly Change[] {
  if (!isObject(value) || !isObject(parsed)) return isSame(value, parsed) ? [] : [[[], parsed]];
  return Object.entries(value).flatMap(([key, each]): readonly Change[] => {
    const step = Array.isArray(value) ? Number(key) : key;
    if (key === "__proto__" && !Object.hasOwn(parsed, key)) return [[[step], undefined]];
    return changesIn(each, parsed[key]).map(([path, own]) => [[step, ...path], own]);
  });
}

function changed(subject: Subject, [path, parsed]: Change): Fault {
  if (path.at(-1) === "__proto__") return unknown(subject, path.slice(0, -1), "__proto__", []);
  const isNumber = typeof parsed === "number" || typeof valueAt(subject.value, path) === "number";
  const message = isNumber
    ? "a number that JSON can hold"
    : `written as it is published: ${shown(JSON.stringify(parsed) ?? "nothing")}`;
  return wrongAt(subject, path, { code: "custom", path: [...path], message });
}

type Issue = z.core.$ZodIssue;

interface Subject extends Names {
  readonly value: unknown;
  readonly at: PlaceIn;
  readonly schema: z.core.$ZodType;
}

function faultsOf(subject: Subject, found: readonly Issue[]): readonly Fault[] {
  const issues = firstOfEachPath(found.flatMap(nearestBranch).map((issue) => ofWholeList(subject, issue)));
  /** The missing fields by the `idOf` of their objects. */
  const missing = new Map<string, string[]>();
  for (const path of issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? [] : [pathOf(issue)]))) {
    const owner = idOf(path.slice(0, -1));
    if (isMissing(subject.value, path)) missing.set(owner, [...(missing.get(owner) ?? []), String(path.at(-1))]);
  }
  // An unknown field may be a missing one, misspelt.
  const misspelt = issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [];
    const fields = missing.get(idOf(pathOf(issue))) ?? [];
    return issue.keys.flatMap((key) => closest(key, fields) ?? []).map((field) => idOf([...pathOf(issue), field]));
  });
  return issues.flatMap((issue): readonly Fault[] => {
    const path = pathOf(issue);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => unknown(subject, path, key, missing.get(idOf(path)) ?? []));
    if (issue.code === "invalid_key") return [wrongKeyAt(subject, path, issue.issues)];
    if (!isMissing(subject.value, path)) return [wrongAt(subject, path, issue)];
    return misspelt.includes(idOf(path)) ? [] : [missingAt(subject, path, issue)];
  });
}

/** If several shapes are accepted, the issues of the shape that is nearest of those with the value's outermost type. */
function nearestBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const branches = issue.errors.filter((branch) => !branch.some(isOtherShape));
  const [near] = branches.toSorted((one, other) => countOf(one) - countOf(other));
  return near?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(nearestBranch) ?? [issue];
}

const countOf = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);

const isOtherShape = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

/** A missing element of a list is an issue of the list. */
function ofWholeList({ value, schema }: Subject, issue: Issue): Issue {
  const path = pathOf(issue);
  if (typeof path.at(-1) !== "number" || !isMissing(value, path)) return issue;
  const owner = path.slice(0, -1);
  return { code: "custom", path: owner, message: schemasAt(schema, owner).map(clauseOf).join(" or ") };
}

/** A value of the wrong type also has the wrong form. Unknown fields are issues of the object and not of its value. */
function firstOfEachPath(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const id = idOf(pathOf(issue));
    const isFirst = issue.code === "unrecognized_keys" || !seen.has(id);
    if (issue.code !== "unrecognized_keys") seen.add(id);
    return isFirst;
  });
}

/** `missing`: the fields that the object lacks. */
function unknown(subject: Subject, path: Path, field: string, missing: readonly string[]): Fault {
  const known = schemasAt(subject.schema, path).flatMap(fieldsOf);
  const meant = closest(field, missing) ?? closest(field, known);
  const at = subject.at([...path, field], "key");
  const isBody = at.source.format === "markdown" && path.length === 0 && field === bodyField;
  return fault("unknown-field", at, () => unknownField(nameOf(subject, path), field, known, meant, isBody));
}

function missingAt(subject: Subject, path: Path, { message }: Issue): Fault {
  const owner = path.slice(0, -1);
  const field = String(path.at(-1));
  const at = subject.at(path);
  const { format, text } = at.source;
  const isBody = format === "markdown" && owner.length === 0 && field === bodyField && !hasBody(text);
  const expected = isBody ? "Write text below the front matter." : formOrNull(message, schemasAt(subject.schema, path));
  return fault("missing-field", at, () => missingField(nameOf(subject, owner), field, expected));
}

function wrongKeyAt(subject: Subject, path: Path, issues: readonly Issue[]): Fault {
  const owner = path.slice(0, -1);
  const forms = schemasAt(subject.schema, owner).flatMap((each) => (each instanceof z.ZodRecord ? [each.keyType] : []));
  const of = nameOf(subject, owner);
  return wrong("wrong-key", subject.at(path, "key"), {
    name: `Each key of ${of.charAt(0).toLowerCase()}${of.slice(1)}`,
    expected: issues[0]?.message ?? "another one",
    value: String(path.at(-1)),
    accepts: (other) => forms.some((form) => isAccepted(form, other)),
  });
}

function wrongAt(subject: Subject, path: Path, issue: Issue): Fault {
  const value = valueAt(subject.value, path);
  const shapes = schemasAt(subject.schema, path);
  const isWhole = path.length === 0 && issue.code !== "custom";
  const form = isWhole ? `an object with ${shapes.flatMap(fieldsOf).join(", ")}` : issue.message;
  const isType = isOfWrongType(issue, value);
  return wrong(isType ? "wrong-type" : "wrong-value", subject.at(path), {
    name: nameOf(subject, path),
    expected: formOrNull(form, shapes),
    value,
    accepts: (other) => shapes.some((shape) => isAccepted(shape, other)),
    meant: typeof value === "string" ? closest(value, literalsOf(issue)) : undefined,
    isVocabulary: !isType && shapes.some((shape) => vocabularyOf.has(shape)),
  });
}

/** Whether a schema accepts a value. Not, if a check of the declaration fails. */
export function isAccepted(schema: z.core.$ZodType, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success;
  } catch {
    // The value at fault had the same failure, which is reported.
    return false;
  }
}

/** For a nullable value, some issues describe only its form. */
const formOrNull = (form: string, shapes: readonly z.core.$ZodType[]): string =>
  shapes.some((shape) => shape instanceof z.ZodNull) ? clauseOrNull(form) : form;

function isOfWrongType(issue: Issue, value: unknown): boolean {
  // zod reports 1.5 in place of an integer as a wrong type; to its author it is a number with a wrong value.
  if (issue.code === "invalid_type") return !(typeof value === "number" && /^(?:int|number)$/.test(issue.expected));
  if (issue.code === "invalid_value") return isOfNoType(value, issue.values);
  if (issue.code !== "invalid_union") return false;
  if (issue.errors.length === 0) return isOfNoType(value, kindsIn(issue));
  return issue.errors.every((branch) => branch.some((each) => isOtherShape(each) && isOfWrongType(each, value)));
}

const isOfNoType = (value: unknown, others: readonly unknown[]): boolean =>
  others.length > 0 && others.every((other) => typeof other !== typeof value || (other === null) !== (value === null));

/** The accepted words, if there is a choice of words. */
function literalsOf(issue: Issue): readonly string[] {
  const values = issue.code === "invalid_value" ? issue.values : kindsIn(issue);
  const inner = issue.code === "invalid_union" ? issue.errors.flat().flatMap(literalsOf) : [];
  return [...inner, ...values.filter((value) => typeof value === "string")];
}

/** The values of a field that decides which shape an object has. */
const kindsIn = (issue: Issue): readonly unknown[] =>
  issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];

/** The name of the value at a path: `fields[2].name`, or the noun for an empty path. */
function nameOf({ noun }: Subject, path: Path): string {
  if (path.length > 0) return dotted(path);
  // File names have no article.
  if (noun.includes(".")) return noun;
  const name = withArticle(noun);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** zod's type allows symbols as keys; JSON and YAML have none. */
const pathOf = (issue: Issue): (string | number)[] =>
  issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

/** `fields[2].name`, as a reader would point at it. */
export const dotted = (path: Path): string =>
  path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `[${quote(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");

/** A unique text for a path, whatever its keys contain. */
const idOf = (path: Path): string => JSON.stringify(path);

const isMissing = (value: unknown, path: Path): boolean =>
  path.length > 0 && !has(valueAt(value, path.slice(0, -1)), String(path.at(-1)));

const has = (owner: unknown, field: string): boolean => isObject(owner) && Object.hasOwn(owner, field);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((owner, step) => (has(owner, String(step)) ? Object(owner)[step] : undefined), value);

/** The field names of an object schema, and the keys of a record if they are listed; none for other schemas. */
function fieldsOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodRecord) return [...(schema.keyType._zod.values ?? [])].map(String);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
