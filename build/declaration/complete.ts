import type { ApiDeclaration, Collection, DocumentOf } from "../../src/declare/declare.ts";
import { vocabularies, type Words } from "../../src/declare/marks.ts";
import type { Api } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import { schemasAndKeysIn } from "../../src/model/kinds.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type KeySchemaOf, schemaInBrief } from "./complete-schema.ts";
import { api } from "./options/api.ts";
import { assets } from "./options/assets.ts";
import { documents } from "./options/documents.ts";
import { files } from "./options/files.ts";
import { filters } from "./options/filters.ts";
import type { ApiContext, Context } from "./options/group.ts";
import { item } from "./options/item.ts";
import { orders } from "./options/orders.ts";
import { outputs } from "./options/outputs.ts";
import { pages } from "./options/pages.ts";
import { isPublished, published } from "./options/published.ts";
import { itemSchema } from "./options/schema.ts";
import { source } from "./options/source.ts";
import { noProgram } from "./program.ts";

/** Throws errors of JavaScript if the declaration has mistakes. */
export function completeApi(declared: ApiDeclaration, program = noProgram): Api {
  const { collections } = declared;
  const described = api.complete(declared);
  const keyOf: KeySchemaOf = (name) => {
    const { schema, key = "" } = ownField(collections, name)?.declaration ?? {};
    const form = ownField(schema?.shape, String(key));
    if (form === undefined) throw new Error(`There is no collection ${name}.`);
    return form;
  };
  const context: ApiContext = { base: described.base, collections, keyOf, program };
  const all = Object.entries(collections).map(([name, one]) => listOf(one, { ...context, name }));
  const lists = all.filter(({ name }) => isPublished(collections, name));
  const others = Object.entries(declared.documents).map(([name, one]) => documents.complete(one, { ...context, name }));
  return {
    ...described,
    ...assets.complete(declared),
    operations: [...lists, ...others],
    lists,
    collections: all,
    documents: others,
    vocabularies: wordsIn([...Object.values(collections), ...Object.values(declared.documents)]),
    ...pages.complete(declared, context),
    ...outputs.complete(declared, context),
    placeOf: (option) => program.placeOf(declared, option),
  };
}

/** Each vocabulary once. */
function wordsIn(declared: readonly (Collection | DocumentOf)[]): readonly Words[] {
  const words = declared
    .flatMap(({ declaration }) => [...schemasAndKeysIn(declaration.schema)])
    .flatMap(([, schema]) => vocabularies.of(schema) ?? []);
  return [...new Map(words.map((vocabulary) => [vocabulary.name, vocabulary])).values()];
}

function listOf(declared: Collection, context: Context): ListOperation {
  const { name, keyOf, program } = context;
  const described = itemSchema.complete(declared, context);
  const access = item.complete(declared);
  const { brief } = access;
  return {
    kind: "list",
    name,
    ...described,
    ...orders.complete(declared, context),
    ...filters.complete(declared, context),
    ...access,
    listed: brief === undefined ? described.schema : schemaInBrief(declared.declaration.schema, brief, keyOf),
    ...files.complete(declared, context),
    // The items of a collection that loads or makes them are in no files.
    ...source.complete(declared, context),
    ...published.complete(declared),
    placeOf: (option) => program.placeOf(declared, option),
  };
}
