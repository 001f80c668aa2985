// Completes a declaration that has been checked: adds names, defaults, and everything that is derived from schemas.
import * as z from "zod";
import { defaultBase } from "../../src/answers/answers.ts";
import type { ApiDeclaration, Collection, CollectionDeclaration, DocumentOf } from "../../src/declare/declare.ts";
import { isHtml, type PageData, type PageDeclaration } from "../../src/declare/html.ts";
import { vocabularies, type Words } from "../../src/declare/marks.ts";
import type { OutputDeclaration } from "../../src/declare/outputs.ts";
import type { Aliases } from "../../src/model/aliases.ts";
import type { Api, ApiOutput } from "../../src/model/api.ts";
import type { Failure } from "../../src/model/failure.ts";
import { fieldOf, ownField } from "../../src/model/fields.ts";
import { fileRules } from "../../src/model/files.ts";
import { type Accepted, derivedTexts, type Filter } from "../../src/model/filter.ts";
import { type Item, isPathPart, keyFields } from "../../src/model/key.ts";
import {
  definitionOf,
  elementsOf,
  fieldAt,
  kindsOf,
  listedIn,
  recordKeysOf,
  type Schema,
  schemasAndKeysIn,
} from "../../src/model/kinds.ts";
import { tonesIn } from "../../src/model/meanings.ts";
import type { DocumentOperation, ItemSource, ListOperation, WrittenItem } from "../../src/model/operation.ts";
import type { DeclaredOrder, Order, OrderField } from "../../src/model/order.ts";
import { outputPath } from "../../src/model/output-path.ts";
import type { Place } from "../../src/model/place.ts";
import { minutes } from "../files/document.ts";
import { encode } from "../files/file.ts";
import { mediaTypeOf } from "../files/media-type.ts";
import {
  describedBy,
  exampleFrom,
  type KeySchemaOf,
  keyIn,
  schemaFor,
  schemaInBrief,
  writtenAs,
} from "./complete-schema.ts";

const minute = "public, max-age=60";

/** The surroundings of a declaration: the day, and the places of its options. */
export interface Program {
  /** The day of a build, for items that depend on it. */
  readonly today: () => string;
  /** The failure of the function of an option, at the option or at the call that failed. `subject` starts the sentence. */
  readonly failureOf: (error: unknown, declared: object, option: readonly string[], subject?: string) => Failure;
  readonly placeOf: (declared: object, ...path: readonly string[]) => Place | undefined;
}

export const noProgram: Program = {
  today() {
    throw new Error("The day of the build is not known.");
  },
  failureOf(error) {
    throw error;
  },
  placeOf: () => undefined,
};

/** A function that returns a failure instead of throwing. */
const guarded =
  <Arguments extends readonly unknown[], Result>(
    call: (...values: Arguments) => Result,
    failureOf: (error: unknown) => Failure,
  ) =>
  (...values: Arguments): Result | Failure => {
    try {
      return call(...values);
    } catch (error) {
      return failureOf(error);
    }
  };

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
    listOf(name, collection, keyOf, collections, program),
  );
  const lists = all.filter(({ name }) => isPublished(collections, name));
  const others = Object.entries(documents).map(([name, document]) => documentOf(name, document, keyOf, program));
  return {
    base,
    title,
    description,
    ...(deprecated && { deprecated }),
    filesCache: declared.files?.cache ?? "public, max-age=86400",
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

const isPublished = (collections: ApiDeclaration["collections"], name: string): boolean =>
  ownField(collections, name)?.declaration.published !== false;

/** Each vocabulary once. */
function wordsIn(declared: readonly (Collection | DocumentOf)[]): readonly Words[] {
  const words = declared
    .flatMap(({ declaration }) => [...schemasAndKeysIn(declaration.schema)])
    .flatMap(([, schema]) => vocabularies.of(schema) ?? []);
  return [...new Map(words.map((vocabulary) => [vocabulary.name, vocabulary])).values()];
}

function listOf(
  name: string,
  declared: Collection,
  keyOf: KeySchemaOf,
  collections: ApiDeclaration["collections"],
  program: Program,
): ListOperation {
  const {
    purpose,
    deprecated,
    noun,
    schema,
    key,
    order = [],
    orders = {},
    filters = {},
    together = [],
    paged = true,
    item = false,
    brief,
    cache = minute,
    defining = [],
  } = declared.declaration;
  const fields = brief && Object.keys(schema.shape).filter((field) => brief.includes(field));
  const form = writtenAs(schema, keyOf);
  const keyed = keyIn(schema, key, keyOf);
  const ascending = (field: string) => ({
    field,
    type: typeIn(ownField(schema.shape, field), keyOf),
    descending: false,
  });
  const withKey = (rules: readonly DeclaredOrder[]): readonly OrderField[] => {
    const ordered = rules.map((rule): OrderField => {
      const { field: name, ...others } = typeof rule === "string" ? { field: rule } : rule;
      const field = fieldOfOrder(name, schema);
      return { ...ascending(field), descending: name !== field, ...others };
    });
    const missing = keyFields(keyed).filter((field) => !ordered.some((rule) => rule.field === field));
    return [...ordered, ...missing.map(ascending)];
  };
  return {
    kind: "list",
    name,
    purpose,
    ...(deprecated && { deprecated }),
    noun: noun?.one ?? `item of ${name}`,
    nouns: noun?.many ?? `items of ${name}`,
    ...describedBy(schema, name, purpose, noun?.one),
    ...keyed,
    schema: form.schema,
    example: exampleFrom(schema, keyOf),
    written: writtenOf(declared.declaration, form, keyOf),
    references: form.references,
    tones: tonesIn(schema),
    assets: form.assets,
    order: withKey(order),
    orders: Object.entries(orders).map(([name, by]): Order => {
      const fields = withKey("fields" in by ? by.fields : by);
      return { name, fields, ...("deprecated" in by && { deprecated: by.deprecated }) };
    }),
    filters: Object.entries(filters).map(([param, by]) => {
      const { accepts, ...rest } = filterOf(param, by, schema, keyOf);
      // Of what is not published, consumers know the keys that occur.
      const isHidden = accepts.kind === "keys" && !isPublished(collections, accepts.of);
      const filter = { ...rest, accepts: isHidden ? ({ kind: "occurring", type: accepts.type } as const) : accepts };
      if (filter.of === undefined) return filter;
      return { ...filter, of: guarded(filter.of, (error) => program.failureOf(error, declared, ["filters", param])) };
    }),
    together,
    paged,
    cache,
    defining,
    item: item === false ? undefined : { aliases: item === true ? undefined : aliasesIn(item.aliases) },
    brief: fields,
    listed: fields === undefined ? form.schema : schemaInBrief(schema, fields, keyOf),
    source: sourceOf(name, declared, collections, program),
    transform: transformOf(declared, program),
    placeOf: (option) => program.placeOf(declared, option),
  };
}

/** What files have: `form`, unless a `transform` makes it of something else. */
function writtenOf(
  { written, transform }: { readonly written?: z.ZodObject; readonly transform?: unknown },
  form: WrittenItem,
  keyOf: KeySchemaOf,
): WrittenItem | undefined {
  if (written !== undefined) return writtenAs(written, keyOf);
  return transform === undefined ? form : undefined;
}

type DeclaredAliases = Extract<CollectionDeclaration["item"], object>["aliases"];

function aliasesIn(declared: DeclaredAliases): Aliases {
  const { field, slug, repeated } =
    typeof declared === "string" ? { field: declared, slug: undefined, repeated: undefined } : declared;
  return { field, isSlug: slug === true, mayRepeat: repeated === "warn" };
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

/** A hyphen before the name of a field means that the order descends, unless it belongs to the name. */
export const fieldOfOrder = (name: string, { shape }: z.ZodObject): string =>
  Object.hasOwn(shape, name) ? name : name.replace(/^-/, "");

/** The type of a field that can be ordered: all of its values have it. Words are texts, and references have the type of keys. */
function typeIn(schema: Schema | undefined, keyOf: KeySchemaOf): OrderField["type"] {
  const first = schema && kindsOf(schema).find(({ kind }) => kind !== "null");
  if (first?.kind === "reference") return typeIn(keyOf(first.to), keyOf);
  const type = first?.kind === "known" ? typeof first.values[0] : first?.kind;
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? type : "text";
}

type FilterBy = NonNullable<Collection["declaration"]["filters"]>[string];

const texts: Accepted = { kind: "occurring", type: "text" };

function filterOf(param: string, by: FilterBy, schema: z.ZodObject, keyOf: KeySchemaOf): Filter {
  if (typeof by === "string") return fieldFilter(param, by, schema, keyOf);
  if (typeof by === "function") return { ...derivedFilter(param, by), accepts: texts };
  const notice = by.deprecated && { deprecated: by.deprecated };
  if ("of" in by) {
    const accepts = by.values === undefined ? texts : listedValues(by.values);
    return { ...derivedFilter(param, by.of), accepts, ...notice };
  }
  if ("keysOf" in by) {
    const { schema: record, steps } = fieldAt(schema, by.keysOf) ?? {};
    const accepts = acceptedIn(record && recordKeysOf(record), keyOf);
    return { param, field: by.keysOf, steps, by: "names", accepts, ...notice };
  }
  const filter = fieldFilter(param, by.field, schema, keyOf);
  return { ...filter, ...(by.slug && { by: "slug", accepts: texts }), ...notice };
}

function fieldFilter(param: string, field: string, object: z.ZodObject, keyOf: KeySchemaOf): Filter {
  const { schema, steps } = fieldAt(object, field) ?? {};
  const element = schema && elementsOf(schema);
  const accepts = acceptedIn(element ?? schema, keyOf);
  return { param, field, steps, by: element === undefined ? "value" : "elements", accepts };
}

const derivedFilter = (param: string, derive: (item: never) => unknown) =>
  // The items are those of the collection that the types of the declaration know.
  ({ param, field: undefined, by: "function", of: (item: Item) => derivedTexts(derive(item as never)) }) as const;

/** The values of a filter by a field. Null is not one of them. */
function acceptedIn(schema: Schema | undefined, keyOf: KeySchemaOf): Accepted {
  const listed = new Set<unknown>();
  for (const kind of schema === undefined ? [] : kindsOf(schema)) {
    if (kind.kind === "reference") {
      const type = typeIn(keyOf(kind.to), keyOf) === "number" ? "integer" : "text";
      return { kind: "keys", of: kind.to, type, isOpen: kind.isOpen };
    }
    if (kind.kind === "words") return { kind: "words", vocabulary: kind.words.name };
    if (kind.kind === "text") return { kind: "occurring", type: "text" };
    if (kind.kind === "integer") return { kind: "occurring", type: "integer" };
    for (const value of listedIn(kind)) listed.add(value);
  }
  return listedValues([...listed].filter((value) => isPathPart(String(value))));
}

/** Values of several types are texts in requests. */
function listedValues(values: readonly unknown[]): Accepted {
  const isAll = (type: string) => values.length > 0 && values.every((value) => typeof value === type);
  const type = isAll("boolean") ? "boolean" : isAll("number") ? "integer" : "text";
  return { kind: "listed", type, values: [...new Set(values.map(String))] };
}

function sourceOf(
  name: string,
  declared: Collection,
  collections: ApiDeclaration["collections"],
  { failureOf }: Program,
): ItemSource {
  const { files, load, from } = declared.declaration;
  if (load !== undefined) {
    return {
      kind: "load",
      declared: load,
      async load() {
        try {
          return await loadedItems(await load());
        } catch (error) {
          return failureOf(error, declared, ["load"], `The items of ${name} cannot be loaded`);
        }
      },
    };
  }
  if (from !== undefined) {
    return {
      kind: "from",
      collections: Object.keys(collections).filter((other) =>
        from.collections.some((one) => one === ownField(collections, other)),
      ),
      makeFrom: guarded(
        // The items are those of the collections that the types of the declaration know.
        (item: Item, collection: string) => listedItems(from.each(item as never, collection), "The function of from"),
        (error) => failureOf(error, from, []),
      ),
    };
  }
  return { kind: "files", rules: files === undefined || files === name ? undefined : fileRules([files].flat()) };
}

function transformOf(declared: Collection, { failureOf, today }: Program): ListOperation["transform"] {
  const { transform } = declared.declaration;
  if (transform === undefined) return undefined;
  const transformed: NonNullable<ListOperation["transform"]> = (raw, context) => {
    const item: unknown = transform(raw, {
      ...context,
      get date() {
        return today();
      },
    });
    return withoutPromise(item, "transform returned a promise, not an item.");
  };
  return guarded(transformed, (error) => failureOf(error, declared, ["transform"]));
}

/** Throws TypeError if a function that is not async returned a promise. */
function withoutPromise(result: unknown, message: string): unknown {
  if (!(result instanceof Promise)) return result;
  // The promise itself is the fault. Node must not report its rejection as well.
  result.catch(() => undefined);
  throw new TypeError(message);
}

/** The items that a function returned. Throws TypeError if the result is not a list. */
function listedItems(items: unknown, source: string): readonly unknown[] {
  if (!isIterable(items)) throw new TypeError(`${source} returned no list of items.`);
  return [...items];
}

async function loadedItems(items: unknown): Promise<readonly unknown[]> {
  if (!isAsyncIterable(items)) return listedItems(items, "load");
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

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
