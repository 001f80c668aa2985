// Checks values by their schemas, and converts zod's issues to faults, each at its value or key. Issues that follow from
// others are left out.
import * as z from "zod";
import { withArticle } from "../../src/api.ts";
import { compilableOf } from "../../src/complete-resource.ts";
import { type Kind, kindsOf, schemasAt } from "../../src/kinds.ts";
import { vocabularyOf } from "../../src/vocabulary.ts";
import { quote, shown } from "../text/quote.ts";
import { closest } from "../text/slips.ts";
import { clauseOf, clauseOfIssue, clauseOrNull } from "../text/wording.ts";
import { type Fault, fault, type Spot, type WithFaults } from "./fault.ts";
import type { Part, Path } from "./formats/format.ts";
import { missingField, unknownField, wrong } from "./wrong.ts";

/** The place of a value, or a key, in the value that is checked. */
export type PlaceIn = (path: Path, part?: Part) => Spot;

/** Returns the value as its schema answers it; undefined if it has faults. */
export type Validate<T> = (value: unknown, at: PlaceIn) => WithFaults<T | undefined>;

const none: readonly Fault[] = [];

/** For the values of a collection. Compiled code takes milliseconds to make, and pays for many values. */
export function validatorOfMany<T>(schema: z.ZodType<T>, noun: string): Validate<T> {
  const known = compiled.get(schema) as z.ZodType<T> | undefined;
  const quick = known ?? z.compile(compilableOf(schema));
  compiled.set(schema, quick);
  return validator(schema, noun, quick);
}

const compiled = new WeakMap<z.ZodType, z.ZodType>();

/** For a single value. `noun`: what it is in messages, such as its file. */
export function validator<T>(schema: z.ZodType<T>, noun: string, quick = schema): Validate<T> {
  return (value, at) => {
    const subject = { value, at, schema, noun };
    let result: z.ZodSafeParseResult<T>;
    try {
      result = quick.safeParse(value);
      if (!result.success) result = schema.safeParse(value, { error: clauseOfIssue });
    } catch (error) {
      // A check of the declaration throws, or returns a promise.
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
      const message = `A check of the schema fails: ${shown(reason, 300).replace(/\.$/, "")}.`;
      return [undefined, [fault("not-made", at([]), message)]];
    }
    if (!result.success) return [undefined, faultsOf(subject, result.error.issues)];
    const change = changeIn(value, result.data);
    return change === undefined ? [result.data, none] : [undefined, [changed(subject, change, result.data)]];
  };
}

/**
 * The path of the first value that is not published as it is written. zod adds defaults; it also drops `__proto__` from
 * records, trims URLs, and accepts some numbers that JSON does not have.
 */
function changeIn(value: unknown, parsed: unknown): Path | undefined {
  if (!isObject(value) || !isObject(parsed))
    return value === parsed && (typeof value !== "number" || Number.isFinite(value)) ? undefined : [];
  for (const key in value) {
    if (key === "__proto__" && !Object.hasOwn(parsed, key)) return [key];
    const path = changeIn(value[key], parsed[key]);
    if (path !== undefined) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function changed(subject: Subject, path: Path, parsed: unknown): Fault {
  if (path.at(-1) === "__proto__") return unknown(subject, path.slice(0, -1), "__proto__", undefined);
  const becomes = valueAt(parsed, path);
  const isNumber = typeof becomes === "number" || typeof valueAt(subject.value, path) === "number";
  const message = isNumber
    ? "a number that JSON can hold"
    : `written as it is published: ${shown(JSON.stringify(becomes) ?? "nothing")}`;
  return wrongAt(subject, path, { code: "custom", path: [...path], message });
}

type Issue = z.core.$ZodIssue;

interface Subject {
  readonly noun: string;
  readonly value: unknown;
  readonly at: PlaceIn;
  readonly schema: z.core.$ZodType;
}

/** What is wrong with an object, apart from its values. */
interface Owner {
  readonly path: Path;
  readonly missing: Map<string, Issue>;
  readonly unknown: string[];
}

function faultsOf(subject: Subject, found: readonly Issue[]): readonly Fault[] {
  const owners = new Map<string, Owner>();
  const ownerAt = (path: Path): Owner => {
    const owner = owners.get(idOf(path)) ?? { path, missing: new Map(), unknown: [] };
    owners.set(idOf(path), owner);
    return owner;
  };
  // The first of each path: a value of the wrong type also has the wrong form.
  const wrongs = new Map<string, readonly [path: Path, issue: Issue]>();
  const note = (path: Path, issue: Issue) => wrongs.has(idOf(path)) || wrongs.set(idOf(path), [path, issue]);
  for (const issue of found.flatMap(nearestBranch)) {
    const path = pathOf(issue);
    const [parent, last] = [path.slice(0, -1), path.at(-1)];
    if (issue.code === "unrecognized_keys") ownerAt(path).unknown.push(...issue.keys);
    else if (!isMissing(subject.value, path)) note(path, issue);
    else if (typeof last === "string") ownerAt(parent).missing.set(last, ownerAt(parent).missing.get(last) ?? issue);
    // A list lacks an element.
    else note(parent, { code: "custom", path: parent, message: clausesAt(subject, parent) });
  }
  const ofOwners = [...owners.values()].flatMap(({ path, missing, unknown: fields }) => {
    // An unknown field may be a missing one, misspelt.
    const meant = fields.map((field) => closest(field, [...missing.keys()]));
    return [
      ...fields.map((field, index) => unknown(subject, path, field, meant[index])),
      ...[...missing]
        .filter(([field]) => !meant.includes(field))
        .map(([field, issue]) => missingAt(subject, path, field, issue)),
    ];
  });
  const ofValues = [...wrongs.values()].map(([path, issue]) =>
    issue.code === "invalid_key" ? wrongKeyAt(subject, path, issue.issues) : wrongAt(subject, path, issue),
  );
  return [...ofOwners, ...ofValues];
}

const clausesAt = ({ schema }: Subject, path: Path): string => schemasAt(schema, path).map(clauseOf).join(" or ");

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

/** `meant`: the missing field that is meant. */
function unknown(subject: Subject, path: Path, field: string, meant: string | undefined): Fault {
  const known = schemasAt(subject.schema, path).flatMap(fieldsOf);
  const at = subject.at([...path, field], "key");
  return fault("unknown-field", at, () =>
    unknownField(nameOf(subject, path), field, known, meant ?? closest(field, known)),
  );
}

function missingAt(subject: Subject, owner: Path, field: string, { message }: Issue): Fault {
  const path = [...owner, field];
  const expected = formOrNull(message, schemasAt(subject.schema, path));
  return fault("missing-field", subject.at(path), () => missingField(nameOf(subject, owner), field, expected));
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
  const kinds = shapes.flatMap(kindsOf);
  const isWhole = path.length === 0 && issue.code !== "custom";
  const form = isWhole ? `an object with ${shapes.flatMap(fieldsOf).join(", ")}` : issue.message;
  const types = kinds.flatMap(typesOf);
  const isType = types.length > 0 && !types.includes("any") && !types.includes(typeOf(value));
  const words = kinds.flatMap((kind) => (kind.kind === "known" ? kind.values : []));
  return wrong(isType ? "wrong-type" : "wrong-value", subject.at(path), {
    name: nameOf(subject, path),
    expected: formOrNull(form, shapes),
    value,
    accepts: (other) => shapes.some((shape) => isAccepted(shape, other)),
    meant: isText(value)
      ? closest(
          value,
          words.filter(isText).filter((word) => word !== value),
        )
      : undefined,
    isVocabulary: !isType && shapes.some((shape) => vocabularyOf.has(shape)),
  });
}

const isText = (value: unknown): value is string => typeof value === "string";

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

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
