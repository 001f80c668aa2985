// Completes a declaration that has been checked: adds names, defaults, and everything that is derived from schemas.
import * as z from "zod";
import { defaultBase } from "../../src/answers/answers.ts";
import type { ApiDeclaration, Collection, DocumentOf } from "../../src/declare/declare.ts";
import { isHtml, type PageData, type PageDeclaration } from "../../src/declare/html.ts";
import { vocabularies, type Words } from "../../src/declare/marks.ts";
import type { OutputDeclaration } from "../../src/declare/outputs.ts";
import type { Api, ApiOutput } from "../../src/model/api.ts";
import { fieldOf, ownField } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import { definitionOf, schemasAndKeysIn } from "../../src/model/kinds.ts";
import type { DocumentOperation, ListOperation } from "../../src/model/operation.ts";
import { outputPath } from "../../src/model/output-path.ts";
import { minutes } from "../files/document.ts";
import { encode } from "../files/file.ts";
import { mediaTypeOf } from "../files/media-type.ts";
import {
  describedBy,
  exampleFrom,
  type KeySchemaOf,
  schemaFor,
  schemaInBrief,
  writtenAs,
  writtenOf,
} from "./complete-schema.ts";
import { assets } from "./options/assets.ts";
import { filters } from "./options/filters.ts";
import type { Context } from "./options/group.ts";
import { item } from "./options/item.ts";
import { orders } from "./options/orders.ts";
import { isPublished, published } from "./options/published.ts";
import { itemSchema } from "./options/schema.ts";
import { source } from "./options/source.ts";
import { guarded, noProgram, type Program, withoutPromise } from "./program.ts";

const minute = "public, max-age=60";

/** Throws errors of JavaScript if the declaration has mistakes. */
export function completeApi(declared: ApiDeclaration, program = noProgram): Api {
  const { base = defaultBase, title, description, deprecated, collections, documents, pages, outputs } = declared;
  const keyOf: KeySchemaOf = (name) => {
    const { schema, key = "" } = ownField(collections, name)?.declaration ?? {};
    const form = ownField(schema?.shape, String(key));
    if (form === undefined) throw new Error(`There is no collection ${name}.`);
    return form;
  };
  const all = Object.entries(collections).map(([name, collection]) =>
    listOf(name, collection, { name, collections, keyOf, program }),
  );
  const lists = all.filter(({ name }) => isPublished(collections, name));
  const others = Object.entries(documents).map(([name, document]) => documentOf(name, document, keyOf, program));
  return {
    base,
    title,
    description,
    ...(deprecated && { deprecated }),
    ...assets.complete(declared),
    operations: [...lists, ...others],
    lists,
    collections: all,
    documents: others,
    vocabularies: wordsIn([...Object.values(collections), ...Object.values(documents)]),
    pages: Object.entries(pages === false ? {} : pages).map(([path, page]) => {
      const option = ["pages", path, "render"];
      const subject = `The page ${path} cannot be rendered`;
      const { title, main = false, style = "", scope = "page", language } = page;
      const failureOf = (error: unknown) => program.failureOf(error, declared, option, subject);
      return { path, title, main, style, scope, language, render: guarded(renderOf(page), failureOf) };
    }),
    hasDataPages: pages !== false,
    outputs: Object.entries(outputs).map(([name, output]): ApiOutput => {
      const { each, type, cache = minutes, deprecated } = output;
      const path = outputPath(base, name);
      const option = ["outputs", name, "render"];
      const subject = `The output ${path} cannot be rendered`;
      const failureOf = (error: unknown) => program.failureOf(error, declared, option, subject);
      return {
        path,
        each,
        contentType: type ?? mediaTypeOf(path) ?? "",
        cache,
        ...(deprecated && { deprecated }),
        render: guarded(contentOf(output), failureOf),
        place: () => program.placeOf(declared, "outputs", name),
      };
    }),
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

function listOf(name: string, declared: Collection, context: Context): ListOperation {
  const { program, keyOf } = context;
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
    ...source.complete(declared, context),
    ...published.complete(declared),
    placeOf: (option) => program.placeOf(declared, option),
  };
}

function documentOf(name: string, declared: DocumentOf, keyOf: KeySchemaOf, program: Program): DocumentOperation {
  const { purpose, deprecated, schema, required = false, cache = minute, transform } = declared.declaration;
  const supplied = Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, part]) => {
      const def = definitionOf(part);
      return def.type === "literal" && def.values.length === 1 ? [[field, def.values[0]]] : [];
    }),
  );
  const withoutSupplied = <Value>(fields: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(supplied, field)));
  const content = z.core.clone(schema, { ...schema._zod.def, shape: withoutSupplied(schema.shape) });
  const form = writtenAs(content, keyOf);
  return {
    kind: "document",
    name,
    purpose,
    ...(deprecated && { deprecated }),
    ...describedBy(schema, name, purpose),
    required,
    cache,
    content: form.schema,
    schema: schemaFor(schema, keyOf),
    transform:
      transform &&
      guarded(
        (raw: Item) => withoutPromise(transform(raw), "transform returned a promise, not a document."),
        (error) => program.failureOf(error, declared, ["transform"]),
      ),
    placeOf: (option) => program.placeOf(declared, option),
    documentOf: (content) => {
      const all = { ...content, ...supplied };
      const fields = [...new Set([...Object.keys(schema.shape), ...Object.keys(content)])];
      return Object.fromEntries(
        fields.map((field) => [field, ownField(all, field)] as const).filter(([, value]) => value !== undefined),
      );
    },
    example: withoutSupplied(exampleFrom(schema, keyOf)),
    written: writtenOf(declared.declaration, form, keyOf),
  };
}

const renderOf = (page: PageDeclaration) => (data: PageData) => {
  const result: unknown = page.render(data);
  if (result === undefined) return undefined;
  if (isHtml(result)) return { content: result };
  const content = fieldOf(result, "content");
  const description = fieldOf(result, "description");
  if (!isHtml(content)) throw new TypeError("render returned neither html`…` nor an object with it as content.");
  return { content, description: description === undefined ? undefined : String(description) };
};

const contentOf =
  (output: OutputDeclaration) =>
  (data: PageData, item?: Item): Uint8Array | undefined => {
    // The item and the data are those that the types of the declaration know.
    const result = withoutPromise(output.render((output.each === undefined ? data : item) as never, data), noContent);
    if (result === undefined || result instanceof Uint8Array) return result;
    if (typeof result !== "string") throw new TypeError(noContent);
    return encode(result);
  };

const noContent = "render returned neither a string nor bytes.";
