// Converts zod's issues to faults, each at its value or key, and omits issues that follow from others.
import * as z from "zod";
import { withArticle } from "../../src/api.ts";
import { schemasAt } from "../../src/kinds.ts";
import { vocabularyOf } from "../../src/vocabulary.ts";
import { quote } from "../quote.ts";
import { closest } from "../slips.ts";
import { clauseOf, clauseOfIssue, clauseOrNull } from "../wording.ts";
import { type Fault, fault, type WithFaults } from "./faults/fault.ts";
import { fieldsOf } from "./fields.ts";
import { bodyField, hasBody } from "./formats/markdown.ts";
import { type Entry, isPartial, type Path } from "./source.ts";

/**
 * Returns the value as parsed by its schema. `names` is the noun of the whole value in messages, or its file, and the
 * noun of several values. If the field `elsewhere` is missing, the caller reports it.
 */
export function validate<T>(
  entry: Entry,
  schema: z.ZodType<T>,
  names: Names,
  elsewhere?: string,
): WithFaults<T | undefined> {
  const result = schema.safeParse(entry.value, { error: clauseOfIssue });
  if (result.success) {
    if (isKept(entry.value, result.data)) return [result.data, []];
    const subject: Subject = { ...entry, schema, ...names, missing: new Map() };
    return [undefined, lostIn(entry.value, result.data).map((path) => lostValue(subject, path))];
  }
  const nearest = result.error.issues.flatMap(nearestBranch);
  const issues = firstOfEachPath(nearest.map((issue) => ofWholeList(entry.value, schema, issue)));
  const subject: Subject = { ...entry, schema, ...names, missing: missingFields(entry.value, issues) };
  const misspelt = misspeltFields(subject, issues);
  const faults = issues.flatMap((issue): readonly Fault[] => {
    const path = pathOf(issue);
    const owner = path.slice(0, -1);
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownField(subject, path, key));
    if (issue.code === "invalid_key") return [wrongKey(subject, path, issue.issues)];
    if (isPartial(valueAt(entry.value, path))) return [];
    if (!isMissing(entry.value, path)) return [wrongValue(subject, path, issue)];
    const told = misspelt.has(idOf(path)) || isPartial(valueAt(entry.value, owner)) || dotted(path) === elsewhere;
    const expected = formOrNull(issue.message, schemasAt(schema, path));
    return told ? [] : [missingField(subject, path, expected)];
  });
  return [undefined, faults];
}

/**
 * Whether an accepted value can be published as it is. Some schemas accept Infinity and NaN, which JSON does not have, and
 * zod drops `__proto__` from records and loose objects.
 */
export function isKept(value: unknown, parsed: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, each]) => !isDropped(key, parsed) && isKept(each, Object(parsed)[key]));
}

const isDropped = (key: string, parsed: unknown): boolean => key === "__proto__" && !Object.hasOwn(Object(parsed), key);

/** The paths of the values for which `isKept` is false. */
function lostIn(value: unknown, parsed: unknown): readonly Path[] {
  if (typeof value !== "object" || value === null) return isKept(value, parsed) ? [] : [[]];
  return Object.entries(value).flatMap(([key, each]): readonly Path[] => {
    const step = Array.isArray(value) ? Number(key) : key;
    if (isDropped(key, parsed)) return [[step]];
    return lostIn(each, Object(parsed)[key]).map((path) => [step, ...path]);
  });
}

function lostValue(subject: Subject, path: Path): Fault {
  if (path.at(-1) === "__proto__") return unknownField(subject, path.slice(0, -1), "__proto__");
  return wrongValue(subject, path, { code: "custom", path: [...path], message: "a number that JSON can hold" });
}

type Issue = z.core.$ZodIssue;

export interface Names {
  readonly noun: string;
  /** Undefined for a file. */
  readonly nouns: string | undefined;
}

interface Subject extends Entry, Names {
  readonly schema: z.core.$ZodType;
  /** The missing fields of each object, by the `idOf` of its path. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** If several shapes are accepted, the issues of the shape that is nearest of those with the value's outermost type. */
function nearestBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const near = issue.errors
    .filter((branch) => !branch.some(isOtherShape))
    .reduce<readonly Issue[] | undefined>(
      (least, branch) => (least === undefined || countOf(branch) < countOf(least) ? branch : least),
      undefined,
    );
  return near?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(nearestBranch) ?? [issue];
}

const countOf = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);

/** A missing element of a list is an issue of the list. */
function ofWholeList(value: unknown, schema: z.core.$ZodType, issue: Issue): Issue {
  const path = pathOf(issue);
  const owner = path.slice(0, -1);
  if (typeof path.at(-1) !== "number" || !isMissing(value, path)) return issue;
  const message = schemasAt(schema, owner).map(clauseOf).join(" or ");
  return { code: "custom", path: [...owner], message };
}

const isOtherShape = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

/**
 * Keeps the first issue of each path: a value of the wrong type also has the wrong form. Unknown fields are issues of
 * the object and not of its value.
 */
function firstOfEachPath(issues: readonly Issue[]): readonly Issue[] {
  const told = new Set<string>();
  return issues.filter((issue) => {
    const id = idOf(pathOf(issue));
    if (issue.code === "unrecognized_keys") return true;
    if (told.has(id)) return false;
    told.add(id);
    return true;
  });
}

function missingFields(value: unknown, issues: readonly Issue[]): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  for (const issue of issues) {
    const path = pathOf(issue);
    if (issue.code === "unrecognized_keys" || !isMissing(value, path)) continue;
    const owner = idOf(path.slice(0, -1));
    const fields = missing.get(owner) ?? [];
    fields.push(String(path.at(-1)));
    missing.set(owner, fields);
  }
  return missing;
}

const isMissing = (value: unknown, path: Path): boolean =>
  path.length > 0 && !has(valueAt(value, path.slice(0, -1)), String(path.at(-1)));

/** The `idOf` of the missing fields that unknown fields are misspellings of. */
const misspeltFields = ({ missing }: Subject, issues: readonly Issue[]): ReadonlySet<string> =>
  new Set(
    issues.flatMap((issue) => {
      if (issue.code !== "unrecognized_keys") return [];
      const owner = pathOf(issue);
      const fields = missing.get(idOf(owner)) ?? [];
      return issue.keys.flatMap((key) => closest(key, fields) ?? []).map((field) => idOf([...owner, field]));
    }),
  );

function unknownField(subject: Subject, path: Path, field: string): Fault {
  const known = schemasAt(subject.schema, path).flatMap(fieldsOf);
  const meant = closest(field, subject.missing.get(idOf(path)) ?? []) ?? closest(field, known);
  const at = { path: [...subject.path, ...path, field], part: "key" } as const;
  const isBody = subject.source.format === "markdown" && path.length === 0 && field === bodyField;
  return fault("unknown-field", subject.source, at, () => ({
    owner: nameOf(subject, path),
    field,
    meant,
    known,
    isBody,
  }));
}

function missingField(subject: Subject, path: Path, expected: string): Fault {
  const owner = path.slice(0, -1);
  const owners = ownersOf(subject, owner);
  const { format, text } = subject.source;
  const isBody = format === "markdown" && path.length === 1 && path[0] === bodyField && !hasBody(text);
  const details = { owner: nameOf(subject, owner), owners, field: String(path.at(-1)), expected, isBody };
  // In CSV the field is a column, which is missing in the header.
  return fault("missing-field", subject.source, { path: [...subject.path, ...path] }, () => details);
}

/** The key of a record. */
function wrongKey(subject: Subject, path: Path, issues: readonly Issue[]): Fault {
  const owner = path.slice(0, -1);
  const key = String(path.at(-1));
  const expected = issues[0]?.message ?? "another one";
  const forms = schemasAt(subject.schema, owner).flatMap((each) => (each instanceof z.ZodRecord ? [each.keyType] : []));
  const accepts = (other: unknown) => forms.some((form) => z.safeParse(form, other).success);
  const at = { path: [...subject.path, ...path], part: "key" } as const;
  return fault("wrong-key", subject.source, at, () => ({ owner: nameOf(subject, owner), key, expected, accepts }));
}

function wrongValue(subject: Subject, path: Path, issue: Issue): Fault {
  const value = valueAt(subject.value, path);
  const at = { path: [...subject.path, ...path] };
  const shapes = schemasAt(subject.schema, path);
  const isWhole = path.length === 0 && issue.code !== "custom";
  const form = isWhole ? `an object with ${shapes.flatMap(fieldsOf).join(", ")}` : issue.message;
  const accepts = (other: unknown) => shapes.some((shape) => z.safeParse(shape, other).success);
  const expected = formOrNull(form, shapes);
  const expectation = { name: nameOf(subject, path), owners: ownersOf(subject, path), expected, value, accepts };
  if (isOfWrongType(issue, value)) return fault("wrong-type", subject.source, at, () => expectation);
  const meant = typeof value === "string" ? closest(value, literalsOf(issue)) : undefined;
  const vocabulary = shapes.flatMap((shape) => vocabularyOf.get(shape)?.name ?? [])[0];
  return fault("wrong-value", subject.source, at, () => ({ ...expectation, meant, vocabulary }));
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
  if (issue.code === "invalid_union")
    return [...issue.errors.flat().flatMap(literalsOf), ...kindsIn(issue).filter(isText)];
  return issue.code === "invalid_value" ? issue.values.filter(isText) : [];
}

const isText = (value: unknown): value is string => typeof value === "string";

/** The values of a field that decides which shape an object has. */
const kindsIn = (issue: Issue): readonly unknown[] =>
  issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];

/** The name of the value at a path: `fields[2].name`, or the noun for an empty path. */
function nameOf({ noun }: Subject, path: Path): string {
  if (path.length > 0) return dotted(path);
  const name = withArticle(noun);
  // File names have no article.
  return noun.includes(".") ? noun : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The noun of several whole values. */
const ownersOf = ({ nouns }: Subject, path: Path): string | undefined => (path.length === 0 ? nouns : undefined);

/** zod's type allows symbols as keys; JSON and YAML have none. */
const pathOf = (issue: Issue): Path => issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

const dotted = (path: Path): string =>
  path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `[${quote(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");

/** A unique text for a path, whatever its keys contain. */
const idOf = (path: Path): string => JSON.stringify(path);

const has = (owner: unknown, field: string): boolean =>
  typeof owner === "object" && owner !== null && Object.hasOwn(owner, field);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((owner, step) => (has(owner, String(step)) ? Object(owner)[step] : undefined), value);
