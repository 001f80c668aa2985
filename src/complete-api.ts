// Completes a declaration that has been checked: names, defaults, and what is derived from schemas.
import * as z from "zod";
import { defaultBase } from "./answers.ts";
import type { Api, ApiPage, KnownVocabulary } from "./api.ts";
import type { ApiDeclaration, Collection, DocumentOf } from "./declare.ts";
import type { Accepted, Filter } from "./filter.ts";
import { references, vocabularies } from "./marks.ts";
import type { DocumentOperation, ListOperation } from "./operation.ts";
import type { OrderField } from "./order.ts";
import { isHtml, type PageDeclaration } from "./pages.ts";
import { toJson } from "./raw.ts";
import { elementsOf, exampleOf, meaningsOf, type Rules, recordKeysOf, resolve, schemasIn } from "./resolve.ts";
import { type DocumentResource, type Item, isPathPart, keyFields, keyFormOf, type Resource } from "./resource.ts";
import { type Vocabulary, wordSchema } from "./vocabulary.ts";

const minute = "public, max-age=60";

type Collections = ApiDeclaration["collections"];

/** `today` returns the day of a build, for items that depend on it. Throws errors of JavaScript if the declaration has mistakes. */
export function completeApi({ base = defaultBase, collections, documents, pages }: ApiDeclaration, today = noDay): Api {
  const lists = Object.entries(collections).map(([name, each]) => listOf(name, each, collections, today));
  const others = Object.entries(documents).map(([name, each]) => documentOf(name, each, collections));
  return {
    base,
    operations: [...lists, ...others],
    lists,
    documents: others,
    vocabularies: wordsIn([...Object.values(collections), ...Object.values(documents)]),
    pages: Object.entries(pages === false ? {} : pages).map(([path, page]) => pageOf(path, page)),
    hasDataPages: pages !== false,
  };
}

function noDay(): string {
  throw new Error("The day of the build is not known.");
}

/** Each vocabulary once. The words that the program knows are not listed in api.yaml. */
function wordsIn(declared: readonly (Collection | DocumentOf)[]): readonly KnownVocabulary[] {
  const found = new Map<string, KnownVocabulary>();
  for (const { declaration } of declared) {
    for (const [, schema] of schemasIn(declaration.schema)) {
      const words = vocabularies.of(schema);
      if (words === undefined || words.known !== undefined) continue;
      const before = found.get(words.name)?.suggested ?? [];
      const examples = z.globalRegistry.get(schema)?.["examples"];
      const own = Array.isArray(examples) ? examples.map(String) : [];
      found.set(words.name, { ...words, suggested: [...new Set([...before, ...own])] });
    }
  }
  return [...found.values()];
}

function listOf(
  name: string,
  { declaration }: Collection,
  collections: Collections,
  today: () => string,
): ListOperation {
  const { purpose, schema, order = [], filters = {}, together = [], paged = true, cache = minute } = declaration;
  const { item = false, brief } = declaration;
  const resource = resourceOf(name, declaration, schema, collections);
  const fields = brief && Object.keys(schema.shape).filter((field) => brief.includes(field));
  const given = new Set(order.map(fieldOfOrder));
  const missing = keyFields(resource).filter((field) => !given.has(field));
  return {
    kind: "list",
    name,
    purpose,
    resource,
    order: [...order, ...missing].map((each) => {
      const field = fieldOfOrder(each);
      return { field, type: orderTypeOf(schema.shape[field]), descending: each !== field };
    }),
    filters: Object.entries(filters).map(([param, chosen]) => filterOf(param, chosen, schema)),
    together,
    paged,
    item: item === false ? undefined : { aliases: item === true ? undefined : item.aliases },
    brief: fields,
    listed: fields === undefined ? resource.schema : schemaInBrief(schema, fields, resource.notBefore, collections),
    ...sourceOf(name, declaration, collections, today),
    cacheControl: cache,
  };
}

/** Lists in brief have no further fields, and the rules that concern their fields alone. */
function schemaInBrief(
  schema: z.ZodObject,
  fields: readonly string[],
  notBefore: Resource["notBefore"],
  collections: Collections,
): Resource["schema"] {
  const rules = notBefore.filter(({ field, than }) => fields.includes(field) && fields.includes(than));
  const shape = Object.fromEntries(Object.entries(schema.shape).filter(([field]) => fields.includes(field)));
  return remembered((vocabulary) => inOrder(resolved(z.strictObject(shape), vocabulary, collections), rules));
}

/** A hyphen before the name of a field means that the order descends, unless it belongs to the name. */
const fieldOfOrder = (each: string): string => each.replace(/^-/, "");

/** References and words are texts. */
function orderTypeOf(schema: z.core.$ZodType | undefined): OrderField["type"] {
  for (const [path, each] of schema === undefined ? [] : schemasIn(schema)) {
    if (path !== "") continue;
    const { def } = (each as z.core.$ZodTypes)._zod;
    if (def.type === "number" || def.type === "boolean") return def.type;
    if (def.type === "string" || def.type === "enum") return typeOfValues(def.type === "enum" ? def.entries : {});
    if (def.type === "literal") return typeOfValues(def.values.filter((value) => value !== null));
  }
  return "text";
}

function typeOfValues(values: object): OrderField["type"] {
  const [first] = Object.values(values);
  return typeof first === "number" ? "number" : typeof first === "boolean" ? "boolean" : "text";
}

type ChosenBy = NonNullable<Collection["declaration"]["filters"]>[string];

function filterOf(param: string, chosen: ChosenBy, schema: z.ZodObject): Filter {
  if (typeof chosen === "string") {
    const field = schema.shape[chosen];
    const by = field !== undefined && elementsOf(field) !== undefined ? "elements" : "value";
    return { param, field: chosen, by, accepts: acceptedIn(field) };
  }
  if ("slug" in chosen) {
    return { param, field: chosen.field, by: "slug", accepts: { kind: "occurring", type: "text" } };
  }
  const record = schema.shape[chosen.keysOf];
  return { param, field: chosen.keysOf, by: "names", accepts: acceptedIn(record && recordKeysOf(record)) };
}

function resourceOf(
  name: string,
  { purpose, noun, key, files, notBefore = [], defining = [] }: Collection["declaration"],
  schema: z.ZodObject,
  collections: Collections,
): Resource {
  const found = [...schemasIn(schema)].flatMap(([field, each]) => {
    const to = references.of(each)?.to;
    return to === undefined ? [] : [{ field, to }];
  });
  // Several alternatives of a union may have the same field.
  const all = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  const fields = [key].flat();
  const last = fields.at(-1) ?? "";
  const formOf = (field: string) => {
    const form = schema.shape[field];
    return form === undefined ? "" : keyFormOf(resolve(form, rulesFor({}, collections)));
  };
  const fromPath = impliedField(name, files, schema);
  return {
    noun: noun?.one ?? `item of ${name}`,
    nouns: noun?.many ?? `items of ${name}`,
    ...describedBy(schema, name, purpose),
    key: last,
    keyForm: formOf(last),
    scope: fields.slice(0, -1).map((field) => ({ field, form: formOf(field) })),
    schema: remembered((vocabulary) => inOrder(resolved(schema, vocabulary, collections), notBefore)),
    references: all.filter(({ field }) => Object.hasOwn(schema.shape, field)),
    innerReferences: all.filter(({ field }) => !Object.hasOwn(schema.shape, field)),
    notBefore,
    defining,
    ...(fromPath === undefined ? {} : { fromPath }),
    example: exampleFrom(schema, collections),
  };
}

/**
 * The reference in `NAME/{field}`, which a path may give or not. Any file with the name of the collection, or in its
 * folder, holds items then.
 */
export function impliedField(name: string, files: unknown, { shape }: z.ZodObject): string | undefined {
  const field = typeof files === "string" && files.startsWith(`${name}/{`) ? files.slice(name.length + 2, -1) : "";
  const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
  const isReference =
    schema !== undefined && [...schemasIn(schema)].some(([path, each]) => path === "" && references.of(each));
  return isReference ? field : undefined;
}

/** The sources of the items. */
function sourceOf(
  name: string,
  { files, load, transform, from, schema }: Collection["declaration"],
  collections: Collections,
  today: () => string,
): Pick<ListOperation, "files" | "load" | "transform" | "from"> {
  const isImplied = files === undefined || files === name || impliedField(name, files, schema) !== undefined;
  return {
    ...(!isImplied && { files: [files].flat() }),
    ...(load && { load: loaderOf(load) }),
    ...(transform && { transform: transformerOf(transform, today) }),
    ...(from && { from: { operation: nameOf(from.collection, collections), each: makerOf(from.each) } }),
  };
}

const nameOf = (collection: Collection, collections: Collections): string =>
  Object.keys(collections).find((name) => collections[name] === collection) ?? "";

const loaderOf = (load: NonNullable<Collection["declaration"]["load"]>) => async (): Promise<readonly string[]> =>
  listOfJson(await load(), "load");

const makerOf =
  (each: NonNullable<Collection["declaration"]["from"]>["each"]) =>
  (item: Item): readonly string[] =>
    // The items are those of the collection that its types know.
    listOfJson((each as (item: Item) => unknown)(item), "The function of from");

const transformerOf =
  (transform: NonNullable<Collection["declaration"]["transform"]>, today: () => string) =>
  (...[raw, context]: Parameters<NonNullable<ListOperation["transform"]>>): string | undefined => {
    const item: unknown = transform(raw, {
      ...context,
      get date() {
        return today();
      },
    });
    if (item instanceof Promise) throw new TypeError("transform returned a promise, and no item.");
    return item === undefined ? undefined : toJson(item);
  };

function listOfJson(items: unknown, what: string): readonly string[] {
  if (!isIterable(items)) throw new TypeError(`${what} returned no list of items.`);
  return Array.from(items, toJson);
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

/** The values of a filter by a field. Null is not one of them. */
function acceptedIn(schema: z.core.$ZodType | undefined): Accepted {
  const values = new Set<string>();
  for (const [, each] of schema === undefined ? [] : schemasIn(schema)) {
    const reference = references.of(each);
    if (reference !== undefined) return { kind: "keys", of: reference.to };
    const words = vocabularies.of(each);
    if (words !== undefined) return { kind: "words", vocabulary: words.name };
    for (const value of listedIn(each)) values.add(String(value));
    if (each._zod.def.type === "string") return { kind: "occurring", type: "text" };
    if (each._zod.def.type === "number") return { kind: "occurring", type: "integer" };
  }
  return { kind: "listed", values: [...values].filter(isPathPart) };
}

function listedIn(schema: z.core.$ZodType): readonly unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "boolean") return [false, true];
  if (def.type === "enum") return Object.values(def.entries);
  return def.type === "literal" ? def.values.filter((value) => value !== null) : [];
}

function documentOf(name: string, { declaration }: DocumentOf, collections: Collections): DocumentOperation {
  const { purpose, schema, required = false, cache = minute } = declaration;
  const literals = Object.entries(schema.shape).filter(([, field]) => isFixed(field));
  const supplied = Object.fromEntries(
    literals.map(([field, literal]) => [field, exampleOf(literal, keyIn(collections))]),
  );
  const written = <Value>(fields: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(supplied, field)));
  const content = z.core.clone(schema, { ...schema._zod.def, shape: written(schema.shape) });
  const resource: DocumentResource = {
    ...describedBy(schema, name, purpose),
    content: remembered((vocabulary) => resolved(content, vocabulary, collections)),
    schema: remembered((vocabulary) => resolved(schema, vocabulary, collections)),
    documentOf: (given) => {
      const all = { ...given, ...supplied };
      const others = Object.keys(given).filter((field) => !Object.hasOwn(schema.shape, field));
      const fields = [...Object.keys(schema.shape), ...others].filter((field) => Object.hasOwn(all, field));
      return Object.fromEntries(fields.map((field) => [field, all[field]]));
    },
    example: written(exampleFrom(schema, collections)),
  };
  return { kind: "document", name, purpose, resource, required, cacheControl: cache };
}

/** Whether a field has one value only, which need not be written. */
function isFixed(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "literal" && def.values.length === 1;
}

const pageOf = (path: string, page: PageDeclaration): ApiPage => ({
  path,
  title: page.title,
  style: page.style ?? "",
  scope: page.scope ?? "page",
  render(data) {
    const made: unknown = page.render(data);
    if (made === undefined) return undefined;
    if (isHtml(made)) return { content: made };
    const { content, description } = Object(made);
    if (!isHtml(content)) throw new TypeError("render returned no html`…`, and no object with it as content.");
    return { content, description: description === undefined ? undefined : String(description) };
  },
});

function describedBy(schema: z.ZodObject, name: string, purpose: string) {
  const meanings = meaningsOf(schema);
  return {
    title: z.globalRegistry.get(schema)?.title ?? pascal(name),
    meaning: meanings.get("") ?? purpose,
    meanings: Object.fromEntries([...meanings].filter(([path]) => path !== "")),
  };
}

/** `mime-types` is MimeTypes. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_\s-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const exampleFrom = (schema: z.ZodObject, collections: Collections): Item => ({
  ...Object(exampleOf(schema, keyIn(collections))),
});

// An object resolves to an object.
const resolved = (schema: z.ZodObject, vocabulary: Vocabulary, collections: Collections): z.ZodType<Item> =>
  resolve(schema, rulesFor(vocabulary, collections)) as z.ZodType<Item>;

const rulesFor = (vocabulary: Vocabulary, collections: Collections): Rules => ({
  words: (words) => wordSchema(vocabulary, words),
  keyOf: keyIn(collections),
});

/** Resolving copies a schema, and a build needs most schemas a dozen times with the same vocabulary. */
function remembered<Made>(make: (vocabulary: Vocabulary) => Made): (vocabulary: Vocabulary) => Made {
  const known = new WeakMap<Vocabulary, Made>();
  return (vocabulary) => {
    const made = known.get(vocabulary) ?? make(vocabulary);
    known.set(vocabulary, made);
    return made;
  };
}

const keyIn =
  (collections: Collections): Rules["keyOf"] =>
  (name) => {
    const { schema, key = "" } = collections[name]?.declaration ?? {};
    const form = schema?.shape[String(key)];
    if (form === undefined) throw new Error(`There is no collection ${name}.`);
    return form;
  };

/** The order of times is checked even if other fields are wrong, so that one run reports everything. */
function inOrder(schema: z.ZodType<Item>, rules: Resource["notBefore"]): z.ZodType<Item> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  return rules.reduce((ordered, { field, than }) => {
    const isValid = (value: unknown) =>
      [field, than].every((name) => {
        const form = shape[name];
        return form !== undefined && z.safeParse(form, Object(value)[name]).success;
      });
    return ordered.refine((item) => !isBefore(item[field], item[than]), {
      path: [field],
      error: `no earlier than ${than}`,
      when: ({ value }) => isValid(value),
    });
  }, schema);
}

const isBefore = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one < other;
