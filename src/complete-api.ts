// Completes a declaration that has been checked: names, defaults, and what is derived from schemas.
import * as z from "zod";
import { defaultBase } from "./answers.ts";
import type { Api, ApiPage, KnownVocabulary } from "./api.ts";
import { documentResourceOf, type KeyOf, resourceOf, schemaInBrief } from "./complete-resource.ts";
import type { ApiDeclaration, Collection, DocumentOf } from "./declare.ts";
import { type Accepted, derivedTexts, type Filter } from "./filter.ts";
import { isHtml, type PageDeclaration } from "./html.ts";
import { elementsOf, kindsOf, recordKeysOf, type Schema, schemasIn } from "./kinds.ts";
import { vocabularies } from "./marks.ts";
import type { DocumentOperation, ListOperation } from "./operation.ts";
import type { OrderField } from "./order.ts";
import { type Item, isPathPart, keyFields } from "./resource.ts";

const minute = "public, max-age=60";

type Collections = ApiDeclaration["collections"];

/** `today` returns the day of a build, for items that depend on it. Throws errors of JavaScript if the declaration has mistakes. */
export function completeApi({ base = defaultBase, collections, documents, pages }: ApiDeclaration, today = noDay): Api {
  const keyOf: KeyOf = (name) => {
    const { schema, key = "" } = collections[name]?.declaration ?? {};
    const form = schema?.shape[String(key)];
    if (form === undefined) throw new Error(`There is no collection ${name}.`);
    return form;
  };
  const lists = Object.entries(collections).map(([name, { declaration }]) => ({
    ...listOf(name, declaration, keyOf),
    ...sourceOf(name, declaration, collections, today),
  }));
  const others = Object.entries(documents).map(([name, { declaration }]): DocumentOperation => {
    const { purpose, required = false, cache = minute, deprecated } = declaration;
    const resource = documentResourceOf(name, declaration, keyOf);
    const notice = deprecated && { deprecated };
    return { kind: "document", name, purpose, resource, required, cacheControl: cache, ...notice };
  });
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
  for (const [, schema] of declared.flatMap(({ declaration }) => [...schemasIn(declaration.schema)])) {
    const words = vocabularies.of(schema);
    if (words === undefined || words.known !== undefined) continue;
    const before = found.get(words.name)?.suggested ?? [];
    const examples = z.globalRegistry.get(schema)?.["examples"];
    const own = Array.isArray(examples) ? examples.map(String) : [];
    found.set(words.name, { ...words, suggested: [...new Set([...before, ...own])] });
  }
  return [...found.values()];
}

function listOf(name: string, declaration: Collection["declaration"], keyOf: KeyOf): ListOperation {
  const { purpose, schema, order = [], filters = {}, together = [], paged = true, cache = minute } = declaration;
  const { item = false, brief, deprecated } = declaration;
  const resource = resourceOf(name, declaration, keyOf);
  const fields = brief && Object.keys(schema.shape).filter((field) => brief.includes(field));
  const ascending = (field: string) => ({ field, type: orderTypeOf(schema.shape[field]), descending: false });
  const ordered = order.map((each): OrderField => {
    const { field: name, ...rules } = typeof each === "string" ? { field: each } : each;
    const field = fieldOfOrder(name, schema);
    return { ...ascending(field), descending: name !== field, ...rules };
  });
  const missing = keyFields(resource).filter((field) => !ordered.some((each) => each.field === field));
  return {
    kind: "list",
    name,
    purpose,
    resource,
    order: [...ordered, ...missing.map(ascending)],
    filters: Object.entries(filters).map(([param, by]) => filterOf(param, by, schema)),
    together,
    paged,
    item: item === false ? undefined : { aliases: item === true ? undefined : item.aliases },
    brief: fields,
    listed: fields === undefined ? resource.schema : schemaInBrief(schema, fields, resource.notBefore, keyOf),
    cacheControl: cache,
    ...(deprecated && { deprecated }),
  };
}

/** A hyphen before the name of a field means that the order descends, unless it belongs to the name. */
export const fieldOfOrder = (each: string, { shape }: z.ZodObject): string =>
  Object.hasOwn(shape, each) ? each : each.replace(/^-/, "");

/** References and words are texts. Values of several types cannot be ordered. */
function orderTypeOf(schema: Schema | undefined): OrderField["type"] {
  const each = schema && kindsOf(schema).find(({ kind }) => kind !== "null");
  const type = each?.kind === "known" ? typeof each.values[0] : each?.kind;
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? type : "text";
}

type FilterBy = NonNullable<Collection["declaration"]["filters"]>[string];

const texts: Accepted = { kind: "occurring", type: "text" };

function filterOf(param: string, by: FilterBy, schema: z.ZodObject): Filter {
  if (typeof by === "string") return fieldFilter(param, by, schema);
  if (typeof by === "function") return { ...derivedFilter(param, by), accepts: texts };
  const notice = by.deprecated && { deprecated: by.deprecated };
  if ("of" in by) {
    const accepts = by.values === undefined ? texts : listedValues(by.values);
    return { ...derivedFilter(param, by.of), accepts, ...notice };
  }
  if ("keysOf" in by) {
    const record = schema.shape[by.keysOf];
    return { param, field: by.keysOf, by: "names", accepts: acceptedIn(record && recordKeysOf(record)), ...notice };
  }
  const field = by.slug
    ? ({ param, field: by.field, by: "slug", accepts: texts } as const)
    : fieldFilter(param, by.field, schema);
  return { ...field, ...notice };
}

function fieldFilter(param: string, field: string, { shape }: z.ZodObject): Filter {
  const schema = shape[field];
  const element = schema && elementsOf(schema);
  const accepts = acceptedIn(element ?? schema);
  return { param, field, by: element === undefined ? "value" : "elements", accepts };
}

const derivedFilter = (param: string, derive: (item: never) => unknown) =>
  // The items are those of the collection that the types of the declaration know.
  ({ param, field: undefined, by: "function", of: (item: Item) => derivedTexts(derive(item as never)) }) as const;

/** The values of a filter by a field. Null is not one of them. */
function acceptedIn(schema: Schema | undefined): Accepted {
  const listed = new Set<unknown>();
  for (const each of schema === undefined ? [] : kindsOf(schema)) {
    if (each.kind === "reference") return { kind: "keys", of: each.to };
    if (each.kind === "words") return { kind: "words", vocabulary: each.words.name };
    if (each.kind === "text") return { kind: "occurring", type: "text" };
    if (each.kind === "integer") return { kind: "occurring", type: "integer" };
    const values = each.kind === "boolean" ? [false, true] : each.kind === "known" ? each.values : [];
    for (const value of values) listed.add(value);
  }
  return listedValues([...listed].filter((value) => isPathPart(String(value))));
}

/** Values of several types are texts to those who send them. */
function listedValues(values: readonly unknown[]): Accepted {
  const isAll = (type: string) => values.length > 0 && values.every((value) => typeof value === type);
  const type = isAll("boolean") ? "boolean" : isAll("number") ? "integer" : "text";
  return { kind: "listed", type, values: values.map(String) };
}

function sourceOf(
  name: string,
  { files, load, transform, from }: Collection["declaration"],
  collections: Collections,
  today: () => string,
): Pick<ListOperation, "files" | "load" | "transform" | "from"> {
  const isImplied = files === undefined || files === name;
  const source = Object.keys(collections).find((each) => collections[each] === from?.collection) ?? "";
  return {
    ...(!isImplied && { files: [files].flat() }),
    ...(load && { load: async () => listedItems(await load(), "load") }),
    ...(transform && {
      transform: (raw, context) => {
        const item: unknown = transform(raw, {
          ...context,
          get date() {
            return today();
          },
        });
        if (!(item instanceof Promise)) return item;
        // What the promise becomes is of no interest, whatever else it fails with.
        item.catch(() => undefined);
        throw new TypeError("transform returned a promise, and no item.");
      },
    }),
    // The items are those of the collection that the types of the declaration know.
    ...(from && {
      from: { operation: source, each: (item) => listedItems(from.each(item as never), "The function of from") },
    }),
  };
}

/** The items that a function returned. Throws TypeError if it returned no list. */
function listedItems(items: unknown, source: string): readonly unknown[] {
  if (!isIterable(items)) throw new TypeError(`${source} returned no list of items.`);
  return [...items];
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

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
