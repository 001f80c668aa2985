// A group of options. An option is written in three files: in src/declare, for authors; in its group, which has its form, its
// checks and its default; and in src/model, for the rest of the program. The option `cache`, for example, is in
// src/declare/declare.ts, in `form` and `complete` of published.ts, and in src/model/operation.ts. Only the defaults of an entry
// of `files` are in the model (usualDialect in files.ts), because files of no collection have them too.
import type * as z from "zod";
import type { ApiDeclaration, Collection, CollectionDeclaration, DocumentOf } from "../../../src/declare/declare.ts";
import type { Schema } from "../../../src/model/kinds.ts";
import type { Code } from "../../codes.ts";
import type { DeclaredPart } from "../places.ts";
import type { Program } from "../program.ts";

export interface OptionGroup<Checked, Declared, Context> {
  /** The forms of the options, by name. */
  readonly form: Readonly<Record<string, z.ZodType>>;
  /** Reports options that have their forms, but contradict the schema, other options or other collections. */
  check(report: Report, checked: Checked, api: CheckedApi): void;
  /** Returns the members of the model for declared options: those that are left out have their defaults. */
  complete(declared: Declared, context: Context): object;
}

export type ApiGroup = OptionGroup<CheckedApi, ApiDeclaration, ApiContext>;
export type CollectionGroup = OptionGroup<CheckedEntry, Collection, Context>;
export type DocumentGroup = OptionGroup<CheckedEntry, DocumentOf, Context>;

/** Reports an error at the first of the parts that is written in the declaration. The text starts with a capital. */
export type Report = (code: Code, at: readonly DeclaredPart[], text: string, hint?: string) => void;

/** Returns the possible places of an option, or of a part of it. */
export type OptionPlaces = (path: readonly string[], part?: DeclaredPart["part"]) => readonly DeclaredPart[];

/** The checked option `schema` or `written`. */
export interface CheckedSchema {
  /** Undefined if it is not the schema of an object. */
  readonly schema: z.ZodObject | undefined;
  /** The fields that have unsupported parts. */
  readonly faulty: ReadonlySet<string>;
  /** The schemas in the other fields. `path` has the names of fields; `name` is the path in documents: `parts[].maker`. */
  readonly parts: readonly (readonly [path: readonly string[], schema: Schema, name: string])[];
}

/** A collection or a document, with its valid options. */
export interface CheckedEntry extends CheckedSchema {
  readonly kind: "collection" | "document";
  readonly name: string;
  /** `the collection "nodes"` */
  readonly which: string;
  readonly options: Partial<CollectionDeclaration>;
  readonly written: CheckedSchema;
  /** The names of options that have a fault, from which others may follow. */
  readonly faultyOptions: ReadonlySet<string>;
  /** The places of an option, then the place of the name of the entry. */
  readonly at: OptionPlaces;
}

export interface CheckedApi {
  /** The default if the declared one is faulty. */
  readonly base: string;
  /** As they are declared. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly entries: readonly CheckedEntry[];
  /** All declared collections, including faulty ones. */
  readonly collections: Readonly<Record<string, unknown>>;
  readonly at: OptionPlaces;
}

/** The inputs of `complete`, beside the options. */
export interface ApiContext {
  readonly base: string;
  readonly collections: ApiDeclaration["collections"];
  /** Returns the declared schema of the key of a collection's items. */
  readonly keyOf: (collection: string) => Schema;
  readonly program: Program;
}

export interface Context extends ApiContext {
  /** The name of the collection or document. */
  readonly name: string;
}
