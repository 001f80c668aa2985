import * as z from "zod";
import type { Vocabulary } from "./vocabulary.ts";

/** An entry of any resource, for code that handles all resources alike. */
export type Item = Readonly<Record<string, unknown>>;

/** The fields of an object, and the fields of objects in its lists as `fields[].name`. */
type FieldPath<Of> = {
  [Name in keyof Of & string]:
    | Name
    | (Of[Name] extends readonly (infer Each extends object)[] ? `${Name}[].${FieldPath<Each>}` : never);
}[keyof Of & string];

/** The meaning of each field for a consumer of the API, in one or two sentences, without its form. */
export type Meanings<Of> = Readonly<Record<FieldPath<Of>, string>>;

/** A document: the content that a publisher writes and the document that the API returns. */
export interface DocumentResource<Document extends Item = Item> {
  /** The form of the content in a deployment's file, under the operation's name. */
  readonly content: (vocabulary: Vocabulary) => z.ZodType<Item>;
  /** The form of the document, with the keys in the specification's order. */
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Document>;
  /** Describes the document in a sentence for its consumers. */
  readonly meaning: string;
  /** See `Meanings`. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Converts valid content to the document. */
  documentOf(content: Item): Document;
  /** Valid content. */
  readonly example: Item;
}

/** A kind of item. `Entry` is the type of its items, `Field` the names of their fields. */
export interface Resource<Entry extends Item = Item, Field extends string = keyof Entry & string> {
  /** The name of one item in a sentence. */
  readonly noun: string;
  /** Describes one item in a sentence for the API's consumers. */
  readonly meaning: string;
  /** See `Meanings`; includes the fields of objects in lists. */
  readonly meanings: Readonly<Record<Field, string>>;
  /** The field that identifies an item; unique in the resource even if case is ignored. */
  readonly key: Field;
  /** Exactly the fields of the specification, in its order, which is the order of the keys in the JSON. */
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Entry>;
  /** Fields whose value is null or the key of an item of another resource, given by its operation's name. */
  readonly references: readonly { readonly field: Field; readonly to: string }[];
  /**
   * Fields with times that are not before the time of another field, unless one of them is null. The schema contains no
   * other rule on several fields.
   */
  readonly notBefore?: readonly { readonly field: Field; readonly than: Field }[];
  /** Fields whose change alters the data of the items that refer to this one. */
  readonly defining?: readonly Field[];
  /** A reference that may be omitted if the name of an item's file, or of its first folder, supplies it. */
  readonly fromPath?: Field;
  /** A valid item, from which tests generate samples. */
  readonly example: Entry;
}

/** The anchored regular expression that every key of a resource matches. */
export function keyForm({ noun, key, schema }: Resource): string {
  const field = z.toJSONSchema(schema({})).properties?.[key];
  if (typeof field !== "object" || field.pattern === undefined) throw new Error(`The ${key} of a ${noun} has no form.`);
  return field.pattern;
}
