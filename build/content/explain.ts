// Why a schema refuses a value: zod's issues, but of a value that may have several shapes those of the shape that it
// means. zod reports all shapes, or one of them, without saying to which schema an issue belongs.
import * as z from "zod";
import { hasFields } from "../../src/model/fields.ts";
import { childAt, type Kind, kindsOf, type Schema, schemasAt } from "../../src/model/kinds.ts";
import { choiceOf, clauseOf, clauseOfIssue, eitherOf, isSentence } from "../text/wording.ts";
import type { Path } from "./formats/format.ts";

export type Issue = z.core.$ZodIssue;

/** Why a value, a field or a key is refused. */
export interface Refusal {
  readonly code: Issue["code"];
  readonly path: Path;
  /** The message of the issue: a clause behind "must be", or a message of the declaration. */
  readonly message: string;
  /** The unknown field of the object at the path. */
  readonly field?: string;
  /** Whether the value has the type of a shape, and no shape is more similar than the others. */
  readonly isOtherShape?: boolean;
  /** The schemas of a value on the way to the path, or beside it. */
  readonly schemasAt: (path: Path) => readonly Schema[];
}

/** There is a refusal if there is an issue. `issues` are those of the schema with the value. */
export function explain(schema: Schema, value: unknown, issues: readonly Issue[]): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const choices = new Set<string>();
  for (const issue of issues) {
    const path = pathOf(issue);
    // The way to the key of a record ends at the record.
    const choice = choiceAlong(schema, value, issue.code === "invalid_key" ? path.slice(0, -1) : path);
    if (choice === undefined) refusals.push(...refusalsOf(issue, path, schema));
    else if (choices.size !== choices.add(idOf(choice.path)).size) refusals.push(...refusalsOfChoice(choice, issues));
  }
  return refusals;
}

function refusalsOf(issue: Issue, path: Path, schema: Schema): readonly Refusal[] {
  const { code } = issue;
  const message = code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const refusal: Refusal = { code, path, message, schemasAt: (at) => schemasAt(schema, at) };
  return code === "unrecognized_keys" ? issue.keys.map((field) => ({ ...refusal, field })) : [refusal];
}

/** A value that may have several shapes, and has none of them. */
interface Choice {
  readonly path: Path;
  readonly schema: Schema;
  readonly shapes: readonly Kind[];
  readonly value: unknown;
}

/** The first choice on the way to a value, or at its end. */
function choiceAlong(schema: Schema, value: unknown, path: Path): Choice | undefined {
  const [step, ...rest] = path;
  const shapes = kindsOf(schema).filter(({ kind }) => kind !== "null");
  const [shape, other] = shapes;
  if (value === undefined || shape === undefined) return undefined;
  if (other !== undefined) {
    // A value with a shape is refused by a check of the whole.
    const hasShape = [schema, ...kindsOf(schema).map((each) => each.schema)].some((each) => isAccepted(each, value));
    return hasShape ? undefined : { path: [], schema, shapes, value };
  }
  const child = step === undefined ? undefined : childAt(shape, step);
  if (step === undefined || child === undefined) return undefined;
  const choice = choiceAlong(child, fieldOf(value, step), rest);
  return choice && { ...choice, path: [step, ...choice.path] };
}

/** A shape of the value's type. */
interface Candidate {
  readonly shape: Kind;
  readonly refusals: readonly Refusal[];
  /** The fields whose values tell it from other shapes, as in `type: "circle"`, and those of them that differ. */
  readonly tags: readonly string[];
  readonly wrongTags: readonly string[];
}

function refusalsOfChoice(choice: Choice, issues: readonly Issue[]): readonly Refusal[] {
  const { path, schema, shapes, value } = choice;
  // Of a scalar all shapes are named.
  const similar = hasFields(value) ? shapes.filter((shape) => typesOf(shape).includes(typeOf(value))) : [];
  const names = tagsOf(similar);
  const candidates = similar.map((shape): Candidate => {
    const { error } = z.safeParse(shape.schema, value, { error: clauseOfIssue });
    const tags = names.filter((name) => tagIn(shape, name) !== undefined);
    return {
      shape,
      refusals: explain(shape.schema, value, error?.issues ?? []),
      tags,
      wrongTags: tags.filter((name) => !isAccepted(tagIn(shape, name) ?? z.never(), fieldOf(value, name))),
    };
  });
  const schemasOfWhole = (at: Path) => schemasAt(schema, at.slice(path.length));
  const refusals = refusalsOfMeant(candidates).map((refusal): Refusal => {
    const isOfWhole = refusal.path.length === 0 && refusal.field === undefined;
    const schemasOfMeant = (at: Path) => refusal.schemasAt(at.slice(path.length));
    return {
      ...refusal,
      path: [...path, ...refusal.path],
      schemasAt: isOfWhole ? schemasOfWhole : schemasOfMeant,
    };
  });
  if (refusals.length > 0) return refusals;
  const isOfWhole = (issue: Issue) => /^invalid_(?:union|type)$/.test(issue.code) && idOf(pathOf(issue)) === idOf(path);
  const message = issues.find(isOfWhole)?.message ?? clauseOf(schema);
  return [{ code: "invalid_union", path, message, isOtherShape: candidates.length > 0, schemasAt: schemasOfWhole }];
}

/** Empty if the value means none of the shapes more than another. */
function refusalsOfMeant(candidates: readonly Candidate[]): readonly Refusal[] {
  const meant = candidates.filter(({ tags, wrongTags }) => tags.length > 0 && wrongTags.length === 0);
  if (meant.length > 0) return commonOf(nearest(meant));
  const leastWrong = Math.min(
    ...candidates.flatMap(({ wrongTags }) => (wrongTags.length > 0 ? [wrongTags.length] : [])),
  );
  const possible = candidates.filter(({ wrongTags }) => wrongTags.length === 0 || wrongTags.length === leastWrong);
  const near = nearest(possible);
  // What else is wrong depends on the shape that is meant.
  const tag = near[0]?.wrongTags.find((each) => near.every(({ wrongTags }) => wrongTags.includes(each)));
  if (tag === undefined) return commonOf(near);
  const schemas = possible.map(({ shape, wrongTags }) => (wrongTags.includes(tag) ? tagIn(shape, tag) : undefined));
  const known = schemas.filter((schema) => schema !== undefined);
  const message = choiceOf(known.flatMap(knownValues));
  return [{ code: "invalid_value", path: [tag], message, schemasAt: () => known }];
}

const nearest = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const counts = candidates.map(({ refusals }) => new Set(refusals.map(subjectOf)).size);
  return candidates.filter((_, index) => counts[index] === Math.min(...counts));
};

/** The refusals that all candidates have. Where their reasons differ, each is right. */
function commonOf(candidates: readonly Candidate[]): readonly Refusal[] {
  const [first, ...others] = candidates.map(({ refusals }) => new Map(refusals.map((each) => [subjectOf(each), each])));
  const common: Refusal[] = [];
  for (const [subject, refusal] of first ?? []) {
    const all = [refusal, ...others.flatMap((each) => each.get(subject) ?? [])];
    if (all.length < candidates.length) continue;
    const messages = all.map(({ message }) => message);
    common.push({
      ...refusal,
      message: messages.find(isSentence) ?? eitherOf(messages),
      schemasAt: (path) => all.flatMap((each) => each.schemasAt(path)),
    });
  }
  return common;
}

/** The value, key or unknown field that is refused. */
const subjectOf = ({ path, code, field }: Refusal): string => JSON.stringify([path, code === "invalid_key", field]);

/** The fields that have known values in a shape, and other values or none in another one. */
function tagsOf(shapes: readonly Kind[]): readonly string[] {
  const names = new Set(shapes.flatMap((shape) => (shape.kind === "object" ? Object.keys(shape.fields) : [])));
  const valuesIn = (shape: Kind, name: string): string => {
    const tag = tagIn(shape, name);
    return JSON.stringify(tag && knownValues(tag)) ?? "";
  };
  return [...names].filter((name) => new Set(shapes.map((shape) => valuesIn(shape, name))).size > 1);
}

/** The schema of a field that has only known values. */
function tagIn(shape: Kind, name: string): Schema | undefined {
  const field = shape.kind === "object" && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
  return field !== undefined && knownValues(field).length > 0 ? field : undefined;
}

/** The values of a field; none if it has others as well. */
function knownValues(field: Schema): readonly z.core.util.Primitive[] {
  const values: z.core.util.Primitive[] = [];
  for (const each of kindsOf(field)) {
    if (each.kind === "known") values.push(...each.values);
    else if (each.kind === "null") values.push(null);
    else return [];
  }
  return values;
}

/** What `typesOf` says of a value. */
export const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** What `typeOf` says of values of a kind; "any" of any. */
export function typesOf(kind: Kind): readonly string[] {
  switch (kind.kind) {
    case "known":
      return kind.values.map(typeOf);
    case "text":
    case "reference":
    case "words":
      return ["string"];
    case "integer":
      return ["number"];
    case "tuple":
      return ["array"];
    case "record":
      return ["object"];
    default:
      return [kind.kind];
  }
}

/** Whether a schema accepts a value. Not, if a check of the declaration fails. */
export function isAccepted(schema: Schema, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success;
  } catch {
    // The value at fault had the same failure, which is reported.
    return false;
  }
}

export const has = (owner: unknown, field: string): boolean => hasFields(owner) && Object.hasOwn(owner, field);

const fieldOf = (owner: unknown, step: string | number): unknown =>
  hasFields(owner) && Object.hasOwn(owner, step) ? owner[step] : undefined;

export const valueAt = (value: unknown, path: Path): unknown => path.reduce(fieldOf, value);

/** zod's type allows symbols as keys; JSON and YAML have none. */
const pathOf = (issue: Issue): (string | number)[] =>
  issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

/** A unique text for a path, whatever its keys contain. */
export const idOf = (path: Path): string => JSON.stringify(path);
