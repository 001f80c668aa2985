// Converts zod's issues to faults, each at its value or key, and omits issues that follow from others.
import * as z from "zod";
import { vocabularyOf } from "../../src/vocabulary.ts";
import { closest } from "../slips.ts";
import { type Fault, fault, type WithFaults } from "./faults/fault.ts";
import { fieldsOf } from "./fields.ts";
import { type Entry, isPartial, type Path, unread } from "./source.ts";

/**
 * Returns the value as parsed by its schema. `noun` names the whole value in messages. If the field `elsewhere` is
 * missing, the caller reports it.
 */
export function validate<T>(
  entry: Entry,
  schema: z.ZodType<T>,
  noun: string,
  elsewhere?: string,
): WithFaults<T | undefined> {
  const result = schema.safeParse(entry.value);
  if (result.success) return [result.data, []];
  const issues = firstOfEachPath(result.error.issues.flatMap(nearestBranch));
  const subject: Subject = { ...entry, schema, noun, missing: missingFields(entry.value, issues) };
  const misspelt = misspeltFields(subject, issues);
  const faults = issues.flatMap((issue): readonly Fault[] => {
    const path = pathOf(issue);
    const owner = path.slice(0, -1);
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownField(subject, path, key));
    if (valueAt(entry.value, path) === unread) return [];
    if (!isMissing(entry.value, path)) return [wrongValue(subject, path, issue)];
    const told = misspelt.has(idOf(path)) || isPartial(valueAt(entry.value, owner)) || dotted(path) === elsewhere;
    return told ? [] : [missingField(subject, path, issue.message)];
  });
  return [undefined, faults];
}

type Issue = z.core.$ZodIssue;

interface Subject extends Entry {
  readonly schema: z.core.$ZodType;
  readonly noun: string;
  /** The missing fields of each object, by the `idOf` of its path. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** If several shapes are accepted, the issues of the shape that has the value's outermost type. */
function nearestBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const near = issue.errors.find((branch) => !branch.some(isOtherShape));
  return near?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(nearestBranch) ?? [issue];
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
  return fault("unknown-field", subject.source, at, () => ({ owner: nameOf(subject, path), field, meant, known }));
}

function missingField(subject: Subject, path: Path, expected: string): Fault {
  const owner = path.slice(0, -1);
  const details = { owner: nameOf(subject, owner), field: String(path.at(-1)), expected };
  return fault("missing-field", subject.source, { path: [...subject.path, ...owner] }, () => details);
}

function wrongValue(subject: Subject, path: Path, issue: Issue): Fault {
  const value = valueAt(subject.value, path);
  const at = { path: [...subject.path, ...path] };
  const shapes = schemasAt(subject.schema, path);
  const form = path.length === 0 ? `an object with ${shapes.flatMap(fieldsOf).join(", ")}` : issue.message;
  // For a nullable value, some issues describe only its form.
  const isNullable = shapes.some((shape) => shape instanceof z.ZodNull) && !form.endsWith(", or null");
  const accepts = (other: unknown) => shapes.some((shape) => z.safeParse(shape, other).success);
  const expected = isNullable ? `${form}, or null` : form;
  const expectation = { name: nameOf(subject, path), expected, value, accepts };
  if (isOfWrongType(issue, value)) return fault("wrong-type", subject.source, at, () => expectation);
  const meant = typeof value === "string" ? closest(value, literalsOf(issue)) : undefined;
  const vocabulary = shapes.flatMap((shape) => vocabularyOf.get(shape)?.name ?? [])[0];
  return fault("wrong-value", subject.source, at, () => ({ ...expectation, meant, vocabulary }));
}

function isOfWrongType(issue: Issue, value: unknown): boolean {
  // zod reports 1.5 in place of an integer as a wrong type; to its author it is a number with a wrong value.
  if (issue.code === "invalid_type") return !(typeof value === "number" && /^(?:int|number)$/.test(issue.expected));
  if (issue.code === "invalid_union") {
    return issue.errors.every((branch) => branch.some((each) => isOtherShape(each) && isOfWrongType(each, value)));
  }
  return typeof value !== "string" && issue.code === "invalid_value";
}

/** The accepted words, if there is a choice of words. */
function literalsOf(issue: Issue): readonly string[] {
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap(literalsOf);
  return issue.code === "invalid_value" ? issue.values.filter((each) => typeof each === "string") : [];
}

/** The name of the value at a path: `fields[2].name`, or the noun for an empty path. */
function nameOf({ noun }: Subject, path: Path): string {
  if (path.length > 0) return dotted(path);
  // File names have no article.
  return noun.includes(".") ? noun : `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun}`;
}

/** zod's type allows symbols as keys; JSON and YAML have none. */
const pathOf = (issue: Issue): Path => issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

const dotted = (path: Path): string =>
  path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");

/** A unique text for a path, whatever its keys contain. */
const idOf = (path: Path): string => JSON.stringify(path);

const has = (owner: unknown, field: string): boolean =>
  typeof owner === "object" && owner !== null && Object.hasOwn(owner, field);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((owner, step) => (has(owner, String(step)) ? Object(owner)[step] : undefined), value);

/** The schemas of the value at a path: several if it may have several shapes. */
function schemasAt(schema: z.core.$ZodType, path: Path): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return schemasAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => schemasAt(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return [schema];
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, rest);
  const child: z.core.$ZodType | undefined = schema instanceof z.ZodObject ? schema.shape[step] : undefined;
  return child === undefined ? [] : schemasAt(child, rest);
}
