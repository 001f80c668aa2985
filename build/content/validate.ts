// From zod's issues to faults: each at its value or key, and none the echo of another.
import * as z from "zod";
import { nearest } from "../diagnostics.ts";
import { type Fault, fault, type WithFaults } from "./fault.ts";
import type { Entry, Path } from "./source.ts";

/**
 * The value as its schema gives it. `noun` is what the whole value is called; where the field `elsewhere` is missing,
 * the caller reports it.
 */
export function validate<T>(
  entry: Entry,
  schema: z.ZodType<T>,
  noun: string,
  elsewhere?: string,
): WithFaults<T | undefined> {
  const result = schema.safeParse(entry.value);
  if (result.success) return [result.data, []];
  const issues = result.error.issues.flatMap(nearestBranch);
  const strangers = issues.filter((issue) => issue.code === "unrecognized_keys");
  const told = new Set<string>();
  const faults = issues.flatMap((issue): readonly Fault[] => {
    const path = pathOf(issue);
    const fieldOf = fieldNamer(noun);
    if (issue.code === "unrecognized_keys")
      return unknownFields(entry, path, issue.keys, fieldsAt(schema, path), fieldOf);
    if (told.has(dotted(path))) return [];
    told.add(dotted(path));
    const owner = path.slice(0, -1);
    const field = String(path.at(-1));
    if (path.length === 0 || has(valueAt(entry.value, owner), field)) return [wrongValue(entry, path, issue, fieldOf)];
    const misspelt = strangers.some(
      (each) => dotted(pathOf(each)) === dotted(owner) && each.keys.some((key) => nearest(key, [field])),
    );
    if (misspelt || dotted(path) === elsewhere) return [];
    const details = { owner: fieldOf(owner), field, expected: issue.message };
    return [fault("missing-field", entry.source, { path: [...entry.path, ...owner] }, () => details)];
  });
  return [undefined, faults];
}

type Issue = z.core.$ZodIssue;

/** What a sentence calls the value at a path: `fields[2].name`, or the noun where the path is empty. */
type FieldNamer = (path: Path) => string;

const fieldNamer =
  (noun: string): FieldNamer =>
  (path) =>
    path.length === 0 ? `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun}` : dotted(path);

function unknownFields(
  entry: Entry,
  path: Path,
  fields: readonly string[],
  known: readonly string[],
  nameOf: FieldNamer,
): readonly Fault[] {
  return fields.map((field) => {
    const at = { path: [...entry.path, ...path, field], part: "key" } as const;
    return fault("unknown-field", entry.source, at, () => ({ owner: nameOf(path), field, known }));
  });
}

function wrongValue(entry: Entry, path: Path, issue: Issue, nameOf: FieldNamer): Fault {
  const value = valueAt(entry.value, path);
  const at = { path: [...entry.path, ...path] };
  const expectation = { name: nameOf(path), expected: issue.message, value };
  // zod calls 1.5 an invalid type where an integer is asked for; to its author it is a number and a wrong one.
  if (issue.code === "invalid_type" && !(typeof value === "number" && issue.expected !== "string")) {
    return fault("wrong-type", entry.source, at, () => ({ ...expectation, type: issue.expected }));
  }
  const known = issue.code === "invalid_value" ? issue.values.map(String) : [];
  return fault("wrong-value", entry.source, at, () => ({ ...expectation, known }));
}

/** Of a value that may have several shapes, the issues of the shape whose outermost type it has. */
function nearestBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const near = issue.errors.find((branch) => branch.every(({ path }) => path.length > 0));
  return near?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(nearestBranch) ?? [issue];
}

/** zod's type allows symbols for keys; JSON and YAML have none. */
const pathOf = (issue: Issue): Path => issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

const dotted = (path: Path): string =>
  path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");

const has = (owner: unknown, field: string): boolean =>
  typeof owner === "object" && owner !== null && Object.hasOwn(owner, field);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((owner, step) => (has(owner, String(step)) ? Object(owner)[step] : undefined), value);

/** The names of the fields of the object that a path leads to. */
function fieldsAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsAt(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  const child: z.core.$ZodType | undefined = schema instanceof z.ZodObject ? schema.shape[step] : undefined;
  return child === undefined ? [] : fieldsAt(child, rest);
}
