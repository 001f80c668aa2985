import * as z from "zod";
import { collectionName, distinctBy, flag, label } from "../forms.ts";
import type { Resource } from "../resource.ts";
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

/** Seed, "Collection schema (item of the schema list)". */
export type Collection = Readonly<z.infer<ReturnType<typeof collectionSchema>>>;

export const collection: Resource<Collection> = {
  noun: "collection",
  key: "name",
  schema: collectionSchema,
  references: [],
  example: { name: "assets", fields: [{ name: "id", type: "string", nullable: false }] },
};
