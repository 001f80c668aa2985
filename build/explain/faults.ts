// Why a value is refused, as faults: each at its value or key, without those that follow from others.
import * as z from "zod";
import { vocabularyOf } from "../../src/declare/vocabulary.ts";
import { type Kind, kindsOf, type Schema } from "../../src/model/kinds.ts";
import type { Draft, Part, Path } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { closest } from "../text/slips.ts";
import { clauseOrNull } from "../text/wording.ts";
import { has, idOf, isAccepted, type Refusal, typeOf, typesOf, valueAt } from "./explain.ts";
import { missingField, unknownField, wrong } from "./words.ts";

/** A value that is explained. */
export interface Subject<At> {
  readonly value: unknown;
  /** The place of a value in it, or of a key. */
  readonly at: (path: Path, part?: Part) => At;
  /** What the start of a sentence calls a value in it: `fields[2].name`, or `A node` for the whole. */
  readonly nameOf: (path: Path) => string;
  /** What the names in its objects are called: field, key or option. */
  readonly noun: string;
  /** The value in the file, if a function of the declaration makes the explained one of it. */
  readonly written?: Written | undefined;
}

/** The input of a function of the declaration. It may have fields that the schema of the result does not have. */
export interface Written {
  readonly value: unknown;
  readonly fields: readonly string[];
}

/** An object that lacks fields or has unknown ones. */
interface Owner {
  readonly path: Path;
  readonly missing: Map<string, Refusal>;
  readonly unknown: Map<string, Refusal>;
}

export function faultsOf<At>(subject: Subject<At>, refusals: readonly Refusal[]): readonly Draft<At>[] {
  const owners = new Map<string, Owner>();
  const ownerAt = (path: Path): Owner => {
    const owner = owners.get(idOf(path)) ?? { path, missing: new Map(), unknown: new Map() };
    owners.set(idOf(path), owner);
    return owner;
  };
  // The first of each path: a value of the wrong type also has the wrong form.
  const wrongs = new Map<string, Refusal>();
  for (const refusal of refusals) {
    const { path, field } = refusal;
    const parent = path.slice(0, -1);
    const last = path.at(-1);
    if (field !== undefined) ownerAt(path).unknown.set(field, refusal);
    else if (typeof last !== "string" || has(valueAt(subject.value, parent), last))
      addFirst(wrongs, idOf(path), refusal);
    else addFirst(ownerAt(parent).missing, last, refusal);
  }
  const ofOwners = [...owners.values()].flatMap(({ path, missing, unknown: fields }) => {
    // An unknown field may be a missing one, misspelt.
    const replaced = (field: string) =>
      fields.size === 1 ? replacedBy(subject, [...path, field], missing) : undefined;
    const meant = new Map(
      [...fields.keys()].map((field) => [field, closest(field, [...missing.keys()]) ?? replaced(field)]),
    );
    const misspelt = new Set(meant.values());
    return [
      ...[...fields].map(([field, refusal]) => unknownAt(subject, refusal, field, meant.get(field))),
      ...[...missing].filter(([field]) => !misspelt.has(field)).map(([, refusal]) => missingAt(subject, path, refusal)),
    ];
  });
  const ofValues = [...wrongs.values()].map((refusal) =>
    refusal.isKey ? wrongKeyAt(subject, refusal) : wrongAt(subject, refusal),
  );
  return [...ofOwners, ...ofValues];
}

function addFirst(refusals: Map<string, Refusal>, name: string, refusal: Refusal): void {
  if (!refusals.has(name)) refusals.set(name, refusal);
}

/** The only missing option, if it accepts the value of an unknown one. A field of content may as well be another one. */
function replacedBy<At>(
  { noun, value }: Subject<At>,
  path: Path,
  missing: ReadonlyMap<string, Refusal>,
): string | undefined {
  const [only, other] = missing;
  if (noun !== "option" || only === undefined || other !== undefined) return undefined;
  const [name, { schemas }] = only;
  return schemas.some((schema) => isAccepted(schema, valueAt(value, path))) ? name : undefined;
}

/** `meant`: the missing field that the unknown one probably is. */
function unknownAt<At>(subject: Subject<At>, refusal: Refusal, field: string, meant: string | undefined): Draft<At> {
  const { path, schemas } = refusal;
  const text = () => {
    const written = path.length === 0 ? subject.written : undefined;
    const valid = [...new Set([...schemas.flatMap(fieldsOf), ...(written?.fields ?? [])])];
    const owner = valueAt(subject.value, path);
    const absent = valid.filter((name) => !has(owner, name) && !has(written?.value, name));
    return unknownField(subject.nameOf(path), subject.noun, field, valid, meant ?? closest(field, absent));
  };
  return { code: "unknown-field", at: subject.at([...path, field], "key"), text };
}

function missingAt<At>(subject: Subject<At>, owner: Path, { path, message, schemas }: Refusal): Draft<At> {
  const field = String(path.at(-1));
  const text = () => missingField(subject.nameOf(owner), subject.noun, field, formOrNull(message, schemas));
  return { code: "missing-field", at: subject.at(path), text };
}

function wrongKeyAt<At>(subject: Subject<At>, { path, message, schemas, accepts }: Refusal): Draft<At> {
  const owner = path.slice(0, -1);
  const of = subject.nameOf(owner);
  return wrong("wrong-value", subject.at(path, "key"), {
    name: `Each key of ${of.charAt(0).toLowerCase()}${of.slice(1)}`,
    expected: message,
    value: String(path.at(-1)),
    accepts,
    words: textsOf(schemas.flatMap(kindsOf)),
  });
}

function wrongAt<At>(subject: Subject<At>, refusal: Refusal): Draft<At> {
  const { path, message, isOtherShape = false, schemas, accepts } = refusal;
  const value = valueAt(subject.value, path);
  const kinds = schemas.flatMap(kindsOf);
  const types = kinds.flatMap(typesOf);
  const isType = types.length > 0 && !types.includes("any") && !types.includes(typeOf(value));
  return wrong(isType ? "wrong-type" : "wrong-value", subject.at(path), {
    name: subject.nameOf(path),
    expected: formOrNull(message, schemas),
    value,
    accepts,
    words: textsOf(kinds),
    isOtherShape,
    isVocabulary: !isType && schemas.some((schema) => vocabularyOf.has(schema)),
  });
}

const textsOf = (kinds: readonly Kind[]): readonly string[] =>
  kinds.flatMap((kind) => (kind.kind === "known" ? kind.values.filter(isText) : []));

const isText = (value: unknown): value is string => typeof value === "string";

/** For a nullable value, some issues describe only its form. */
const formOrNull = (form: string, schemas: readonly Schema[]): string =>
  schemas.some((schema) => schema instanceof z.ZodNull) ? clauseOrNull(form) : form;

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
