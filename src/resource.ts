import * as z from "zod";
import type { Vocabulary } from "./vocabulary.ts";

/** Any resource's entry, where the code does not need to know which. */
export type Item = Readonly<Record<string, unknown>>;

/** The fields of an object, and as `fields[].name` those of the objects in its lists. */
type FieldPath<Of> = {
  [Name in keyof Of & string]:
    | Name
    | (Of[Name] extends readonly (infer Each extends object)[] ? `${Name}[].${FieldPath<Each>}` : never);
}[keyof Of & string];

/** What each field tells a consumer of the API, in one or two sentences. Its form is not repeated. */
export type Meanings<Of> = Readonly<Record<FieldPath<Of>, string>>;

/** What one document is: its content as a publisher writes it, and the document as the API gives it. */
export interface DocumentResource<Document extends Item = Item> {
  /** What a publisher writes in a deployment's file, under the operation's name. */
  readonly content: (vocabulary: Vocabulary) => z.ZodType<Item>;
  /** The document, with the keys in the specification's order. */
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Document>;
  /** What the document is, in a sentence for its consumers. */
  readonly meaning: string;
  /** See `Meanings`. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Makes the document of valid content. */
  documentOf(content: Item): Document;
  /** Valid content. */
  readonly example: Item;
}

/** What the compiler knows of one kind of item. `Entry` is the type of its items, `Field` the names of their fields. */
export interface Resource<Entry extends Item = Item, Field extends string = keyof Entry & string> {
  /** What one item is called in a sentence. */
  readonly noun: string;
  /** What one item is, in a sentence for the API's consumers. */
  readonly meaning: string;
  /** See `Meanings`: with the fields of the objects in lists. */
  readonly meanings: Readonly<Record<Field, string>>;
  /** The field that names an item; unique in the resource, also when case is ignored. */
  readonly key: Field;
  /** Exactly the fields of the specification, in its order, which is the order of the keys in the JSON. */
  readonly schema: (vocabulary: Vocabulary) => z.ZodType<Entry>;
  /** Fields whose value is null or the key of an item of another resource, given by its operation's name. */
  readonly references: readonly { readonly field: Field; readonly to: string }[];
  /** Fields of times that are not before another, where neither is null. The schema asks nothing else of several fields at once. */
  readonly notBefore?: readonly { readonly field: Field; readonly than: Field }[];
  /** Fields that define the data of what refers to an item: where one of them changes, so does what consumers read. */
  readonly defining?: readonly Field[];
  /** A reference that may be left out where the name of an item's file, or of its first folder, gives it. */
  readonly fromPath?: Field;
  /** A valid item. Tests make samples of it. */
  readonly example: Entry;
}

/** The anchored regular expression that every key of a resource matches. */
export function keyForm({ noun, key, schema }: Resource): string {
  const field = z.toJSONSchema(schema({})).properties?.[key];
  if (typeof field !== "object" || field.pattern === undefined) throw new Error(`The ${key} of a ${noun} has no form.`);
  return field.pattern;
}
