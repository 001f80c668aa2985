import * as z from "zod";
import { collectionName, distinctBy, flag, label } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

const field = (vocabulary: Vocabulary) =>
  z.strictObject(
    { name: label, type: word(vocabulary, "field_type"), nullable: flag },
    "an object with the name, type and nullable of a field",
  );

export const collectionSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    name: collectionName,
    fields: distinctBy(field(vocabulary), "name", "a list of fields"),
  });

/** The definition of a collection, as the API returns it. */
export type EdgeCollection = Readonly<z.infer<ReturnType<typeof collectionSchema>>>;

const meanings: Meanings<EdgeCollection> = {
  name: "Unique name of the collection.",
  fields: "The fields of the collection, in order.",
  "fields[].name": "Name of the field, unique in its collection.",
  "fields[].type": "Type of the field's values.",
  "fields[].nullable": "Whether the field's value may be null.",
};

export const collection: Resource<EdgeCollection> = {
  noun: "collection",
  meaning: "A collection of records and the definitions of its fields.",
  meanings,
  key: "name",
  schema: collectionSchema,
  references: [],
  defining: ["fields"],
  example: { name: "assets", fields: [{ name: "id", type: "string", nullable: false }] },
};
