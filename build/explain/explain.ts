// Explains why a schema refuses a value, in one walk over both. zod's issues lead to the refused parts. If a value may have
// several shapes, the refusals are those of the most similar one: zod reports all shapes, or one of them, and does not say
// to which schema an issue belongs. A refusal knows which values its field accepts, so that no other value is suggested.
import * as z from "zod";
import { fieldOf, hasFields, isObject, ownField } from "../../src/model/fields.ts";
import {
  checksOf,
  childAt,
  definitionOf,
  type Kind,
  kindsOf,
  mayBeOmitted,
  type Schema,
  schemasAt,
  shapesIn,
} from "../../src/model/kinds.ts";
import type { Path } from "../messages.ts";
import { clauseOf, clauseOfIssue, eitherOf, isSentence, yamlChoice } from "../text/wording.ts";
import { once, onceFor } from "../values/once.ts";

type Issue = z.core.$ZodIssue;

/** Why a value, a field or a key is refused. */
export interface Refusal {
  readonly path: Path;
  /** Whether the key at the end of the path is refused, and not the value. */
  readonly isKey?: true;
  /** The message of the issue: a clause after "must be", or a message of the declaration. */
  readonly message: string;
  /** The unknown field of the object at the path. */
  readonly field?: string;
  /** Whether the value has the type of a shape, but resembles none. */
  readonly isOtherShape?: boolean;
  /** The schemas of the value or key, or of the object with the unknown field: several if it may have several shapes. */
  readonly schemas: readonly Schema[];
  /** Whether the schema of the value or key accepts another one. */
  readonly accepts: (other: unknown) => boolean;
}

/** There is a refusal exactly if the schema refuses the value. `result`: the value parsed by the schema with `clauseErrors`. */
export const whyRefused = (
  schema: Schema,
  value: unknown,
  result = z.safeParse(schema, value, clauseErrors),
): readonly Refusal[] => refusalsOf(schema, value, result.error?.issues ?? []);

/** The option of zod with which the messages of its issues are clauses. */
export const clauseErrors = { error: clauseOfIssue };

/**
 * `issues`: first those of the schema itself, then those of checks around it that lead to the value, which exist only if
 * `hasChecksAround`.
 */
function refusalsOf(
  schema: Schema,
  value: unknown,
  issues: readonly Issue[],
  hasChecksAround = false,
): readonly Refusal[] {
  const kinds = kindsOf(schema);
  const shapes = shapesIn(kinds);
  const [shape, other] = shapes;
  if (other !== undefined || issues.some(isOfUnion)) {
    const ownIssues = countOwnIssues({ schema, kinds, value, issues }, hasChecksAround);
    const refusals = ownIssues === 0 ? [] : refusalsOfChoice({ schema, kinds: shapes, value, issues });
    return [...refusals, ...issues.slice(ownIssues).flatMap((issue) => refusalsOfIssue(schema, value, issue))];
  }
  const refusals: Refusal[] = [];
  const parts = new Map<string | number, PartIssues>();
  for (const issue of issues) {
    const [step, ...rest] = pathOf(issue);
    // The path of a key's issue ends at the key, which is not a part of the record.
    const isOfKey = issue.code === "invalid_key" && rest.length === 0;
    const isOfPart = shape !== undefined && step !== undefined && !isOfKey && has(value, step);
    const child = isOfPart ? childAt(shape, step) : undefined;
    if (step === undefined || child === undefined) {
      refusals.push(...refusalsOfIssue(schema, value, issue));
      continue;
    }
    const part = parts.get(step) ?? { schema: child, issues: [] };
    parts.set(step, part);
    part.issues.push({ ...issue, path: rest });
  }
  for (const [step, part] of parts) {
    const ofPart = refusalsOf(
      part.schema,
      fieldOf(value, step),
      part.issues,
      hasChecksAround || mayRefuseWhole(schema),
    );
    for (const refusal of ofPart) refusals.push({ ...refusal, path: [step, ...refusal.path] });
  }
  return refusals;
}

/** A field or element, and why it is refused. */
interface PartIssues {
  readonly schema: Schema;
  readonly issues: Issue[];
}

const isOfUnion = (issue: Issue): issue is z.core.$ZodIssueInvalidUnion =>
  issue.code === "invalid_union" && issue.path.length === 0;

/** The number of the issues, from the first on, that say that the value has no shape; the others are of checks. */
function countOwnIssues({ schema, kinds, value, issues }: Choice, hasChecksAround: boolean): number {
  const [first] = issues;
  if (first !== undefined && isOfUnion(first) && first.errors.length > 0) return 1;
  // Parsing the value by sixty shapes again would double the time of a fault.
  const ownIssues = hasChecksAround ? (z.safeParse(schema, value).error?.issues.length ?? 0) : issues.length;
  // A value that has a shape is refused by a check of the whole union.
  const hasShape = ownIssues > 0 && mayRefuseWhole(schema) && kinds.some((kind) => isAccepted(kind.schema, value));
  return hasShape ? 0 : ownIssues;
}

/** Whether a schema may refuse a value whose parts are right: by a check, or because the value has several shapes. */
const mayRefuseWhole = onceFor((schema: Schema): boolean => {
  const def = definitionOf(schema);
  if (checksOf(schema).length > 0) return true;
  if ("innerType" in def) return mayRefuseWhole(def.innerType);
  if (def.type !== "union") return false;
  return (def.inclusive === false && !("discriminator" in def)) || def.options.some(mayRefuseWhole);
});

function refusalsOfIssue(schema: Schema, value: unknown, issue: Issue): readonly Refusal[] {
  const { code, message } = issue;
  const path = pathOf(issue);
  const schemas = schemasAt(schema, path);
  const owner = path.slice(0, -1);
  const owners = schemasAt(schema, owner);
  if (code === "invalid_key") return [refusalOfKey(issue, path, owners, valueAt(value, owner))];
  if (code === "unrecognized_keys")
    return issue.keys.map((field) => ({ path, message, field, schemas, accepts: () => true }));
  const last = path.at(-1);
  if (typeof last === "number" && !has(valueAt(value, owner), last)) {
    // A list lacks an element.
    const clause = eitherOf(owners.map(clauseOf));
    return [{ path: owner, message: clause, schemas: owners, accepts: () => false }];
  }
  // A value that has its form is refused by a check around it.
  const hasForm = () => path.length > 0 || schemas.some((form) => isAccepted(form, value));
  return [{ path, message, schemas, accepts: (other) => isAccepted(schema, other) && !hasForm() }];
}

/** A key is refused once, with the first reason. */
function refusalOfKey(issue: Issue, path: Path, schemas: readonly Schema[], owner: unknown): Refusal {
  const keys = schemas.flatMap(kindsOf).flatMap((kind) => (kind.kind === "record" ? [kind.keys] : []));
  const [reason] = keys.flatMap((key) => whyRefused(key, path.at(-1)));
  return {
    path,
    isKey: true,
    message: reason?.message ?? issue.message,
    schemas: keys.flatMap((key) => schemasAt(key, [])),
    accepts: (other) => keys.some((key) => isAccepted(key, other)) && !has(owner, String(other)),
  };
}

/** A value that may have several shapes, and its issues. */
interface Choice {
  readonly schema: Schema;
  readonly kinds: readonly Kind[];
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/** A shape of the value's type. */
interface Candidate {
  readonly shape: Kind;
  readonly refusals: () => readonly Refusal[];
  /** The number of the value's fields that the shape refuses by their names: it has at least as many faults. */
  readonly unknownFields: number;
  /** The fields whose values distinguish it from other shapes, as in `type: "circle"`. */
  readonly tags: readonly string[];
  /** The tags that the value lacks, or has with a wrong value. */
  readonly wrongTags: readonly string[];
}

function refusalsOfChoice({ schema, kinds: shapes, value, issues }: Choice): readonly Refusal[] {
  // If the value is a scalar, the message names all shapes.
  const similar = hasFields(value) ? shapes.filter((shape) => typesOf(shape).includes(typeOf(value))) : [];
  const names = isObject(value) ? tagsOf(schema) : [];
  const candidates = similar.map((shape): Candidate => {
    const tags = names.filter((name) => tagIn(shape, name) !== undefined);
    return {
      shape,
      refusals: once(() => refusalsOfShape(shape.schema, value, issues, schema)),
      unknownFields: unknownFieldsIn(value, shape),
      tags,
      wrongTags: tags.filter((name) => !isTag(tagIn(shape, name), fieldOf(value, name))),
    };
  });
  const ofWhole = {
    schemas: schemasAt(schema, []),
    accepts: (other: unknown) => isAccepted(schema, other),
  };
  const refusals = refusalsOfNearest(candidates);
  if (refusals.length > 0)
    return refusals.map((refusal) =>
      refusal.path.length === 0 && refusal.field === undefined ? { ...refusal, ...ofWhole } : refusal,
    );
  const isOfWhole = ({ code, path }: Issue) => /^invalid_(?:union|type)$/.test(code) && path.length === 0;
  const message = issues.find(isOfWhole)?.message ?? clauseOf(schema);
  return [{ path: [], message, isOtherShape: candidates.length > 0, ...ofWhole }];
}

/** `issues`: those of the union. Parsing each of sixty shapes again would double the time of a fault. */
function refusalsOfShape(shape: Schema, value: unknown, [issue]: readonly Issue[], union: Schema): readonly Refusal[] {
  const known = issue !== undefined && isOfUnion(issue) ? issue.errors[optionsOf(union).indexOf(shape)] : undefined;
  return known === undefined ? whyRefused(shape, value) : refusalsOf(shape, value, known);
}

/** The options of a union, without its wrappers. */
function optionsOf(schema: Schema): readonly Schema[] {
  const def = definitionOf(schema);
  if ("innerType" in def) return optionsOf(def.innerType);
  return def.type === "union" ? def.options : [];
}

/**
 * Empty if no shape is more similar to the value than the others. The shape is the one whose tags the value has; else the
 * one with the fewest faults; if those have a tag in common that the value lacks, the tag is the fault.
 */
function refusalsOfNearest(candidates: readonly Candidate[]): readonly Refusal[] {
  const tagged = candidates.filter(({ tags, wrongTags }) => tags.length > 0 && wrongTags.length === 0);
  if (tagged.length > 0) return commonOf(withFewestFaults(tagged));
  // Further faults depend on the shape that the author chooses.
  const near = commonTag(candidates) === undefined ? withFewestFaults(candidates) : candidates;
  const tag = commonTag(near);
  if (tag === undefined) return commonOf(near);
  const schemas = candidates.flatMap(({ shape, wrongTags }) =>
    wrongTags.includes(tag) ? (tagIn(shape, tag) ?? []) : [],
  );
  const refusal: Refusal = {
    path: [tag],
    message: yamlChoice(schemas.flatMap(knownValues)),
    schemas,
    accepts: (other) => schemas.some((schema) => isAccepted(schema, other)),
  };
  return [refusal];
}

/** The first tag that the value lacks in all candidates. */
const commonTag = ([first, ...others]: readonly Candidate[]): string | undefined =>
  first?.wrongTags.find((name) => others.every(({ wrongTags }) => wrongTags.includes(name)));

/** Most of sixty shapes have none of the value's fields. Looking for all their faults would take several times as long. */
function withFewestFaults(candidates: readonly Candidate[]): readonly Candidate[] {
  const counts = new Map<Candidate, number>();
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates.toSorted((one, other) => one.unknownFields - other.unknownFields)) {
    if (candidate.unknownFields > fewest) break;
    const count = new Set(candidate.refusals().map(refusedId)).size;
    counts.set(candidate, count);
    fewest = Math.min(fewest, count);
  }
  return candidates.filter((candidate) => counts.get(candidate) === fewest);
}

function unknownFieldsIn(value: unknown, shape: Kind): number {
  if (!isObject(value) || shape.kind !== "object" || shape.further === undefined) return 0;
  if (definitionOf(shape.further).type !== "never") return 0;
  return Object.keys(value).filter((name) => ownField(shape.fields, name) === undefined).length;
}

/** The refusals that all candidates have. If their reasons differ, the message joins them with "or". */
function commonOf(candidates: readonly Candidate[]): readonly Refusal[] {
  const [first, ...others] = candidates.map(
    ({ refusals }) => new Map(refusals().map((refusal) => [refusedId(refusal), refusal])),
  );
  const common: Refusal[] = [];
  for (const [id, refusal] of first ?? []) {
    const all = [refusal, ...others.flatMap((refusals) => refusals.get(id) ?? [])];
    if (all.length < candidates.length) continue;
    const messages = all.map(({ message }) => message);
    common.push({
      ...refusal,
      message: messages.find(isSentence) ?? eitherOf(messages),
      schemas: all.flatMap(({ schemas }) => schemas),
      accepts: (other) => all.some(({ accepts }) => accepts(other)),
    });
  }
  return common;
}

/** Identifies the value, key or unknown field that is refused. */
const refusedId = ({ path, isKey, field }: Refusal): string => JSON.stringify([path, isKey, field]);

/**
 * The fields that have known values in a shape of an object, and other values or none in another one. A thousand faults ask
 * for the same ones.
 */
const tagsOf = onceFor((schema: Schema): readonly string[] => {
  const shapes = kindsOf(schema).filter((shape) => typesOf(shape).includes("object"));
  const names = new Set(shapes.flatMap((shape) => (shape.kind === "object" ? Object.keys(shape.fields) : [])));
  const valuesIn = (shape: Kind, name: string): string => {
    const tag = tagIn(shape, name);
    return JSON.stringify(tag && knownValues(tag)) ?? "";
  };
  return [...names].filter((name) => new Set(shapes.map((shape) => valuesIn(shape, name))).size > 1);
});

/** The schema of a field that each value of a shape has, and that has only known values. */
function tagIn(shape: Kind, name: string): Schema | undefined {
  const field = shape.kind === "object" ? ownField(shape.fields, name) : undefined;
  return field !== undefined && !mayBeOmitted(field) && knownValues(field).length > 0 ? field : undefined;
}

/** Whether a field that has only known values has this one. Asking the schema takes longer. */
const isTag = (field: Schema | undefined, value: unknown): boolean =>
  field !== undefined && knownValues(field).some((known) => known === value) && isAccepted(field, value);

/** The values of a field; none if it has others as well. */
const knownValues = onceFor((field: Schema): readonly z.core.util.Primitive[] => {
  const values: z.core.util.Primitive[] = [];
  for (const kind of kindsOf(field)) {
    if (kind.kind === "known") values.push(...kind.values);
    else if (kind.kind === "null") values.push(null);
    else return [];
  }
  return values;
});

/** The type of a value, as `typesOf` names it. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The types of the values of a kind, as `typeOf` names them; "any" if a value may have any type. */
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

/** Whether a schema accepts a value. False if a check of the declaration throws. */
export function isAccepted(schema: Schema, value: unknown): boolean {
  try {
    return z.validate(schema, value);
  } catch {
    // The check also throws for the refused value, which is reported.
    return false;
  }
}

export const has = (owner: unknown, field: string | number): boolean => hasFields(owner) && Object.hasOwn(owner, field);

export const valueAt = (value: unknown, path: Path): unknown => path.reduce(fieldOf, value);

/** zod's type allows symbols as keys; JSON and YAML have none. */
const pathOf = (issue: Issue): (string | number)[] =>
  issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

/** A unique text for a path, whatever its keys contain. */
export const idOf = (path: Path): string => JSON.stringify(path);
