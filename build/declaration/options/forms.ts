// Forms that the options of several groups have. Their texts are clauses: they complete "… must be …".
import * as z from "zod";
import { isObject } from "../../../src/model/fields.ts";

export const text = z.string();
export const matching = (pattern: RegExp, clause: string) => z.string(clause).regex(pattern, clause);
export const oneLine = matching(/^(?!\s*$)[^\p{Cc}\p{Cs}]+$/u, "one line of text, not empty");
export const texts = z.array(text).min(1);
export const optionalFlag = z.boolean().optional();
/** A value that a function accepts, with the clause about it. */
const custom = (isValid: (value: unknown) => boolean, clause: string) => z.custom(isValid, clause).describe(clause);
export const callable = custom((value) => typeof value === "function", "a function");
export const object = custom(isObject, "an object");
/** One of several forms, with the clause about all of them. */
export const either = <const Forms extends readonly z.ZodType[]>(forms: Forms, clause: string) =>
  z.union(forms, clause).describe(clause);

/** A directive of Cache-Control (RFC 9111, section 5.2). None starts with a digit. */
const directive = String.raw`[a-z][a-z-]*(?:=(?:[\w-]+|"[ !#-~]*"))?`;
export const cache = matching(
  new RegExp(`^${directive}(?: *, *${directive})*$`, "i"),
  "a value of the header Cache-Control, such as public, max-age=60",
).optional();

/** The fields of a schema are checked in check-schema.ts. */
export const schema = z.custom((value) => value !== undefined, "a z.strictObject({ … })");

/** The forms of all options of a declaration. */
export type Options<Declaration> = z.ZodObject<{
  readonly [Option in keyof Required<Declaration>]: z.ZodType;
}>;
