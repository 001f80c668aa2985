// The query parameters of an operation, and the link from an answer to the next request.

import { acceptedBy } from "../../src/api.ts";
import { pascal } from "../../src/complete-resource.ts";
import type { Filter } from "../../src/filter.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { defaultLimit, maxLimit, type PageSizes, type PagingKind } from "../../src/paging.ts";
import { integerForm, pathForm } from "../../src/resource.ts";
import { pagingOf } from "../content/catalog.ts";
import { exampleSize, filteredExampleOf, itemExampleOf, walkOf } from "./examples.ts";
import { aroundField, cursorPromise, keyMeaning, limitMeaning } from "./paging-text.ts";
import { type DocumentSource, isServed, waysToSend } from "./source.ts";

/** In the order in which they are checked. */
export function parametersOf(source: DocumentSource, operation: Operation): readonly object[] {
  if (operation.kind === "document") return [];
  const filters = filtersOf(operation).map((filter) => filterParameter(source, operation, filter));
  if (!operation.paged) return filters;
  const limit = limitParameter(source.sizesOf(operation.name), pagingOf(source.settings, operation.name));
  return [limit, ...filters, cursorParameter(source, operation)];
}

const limitParameter = (sizes: PageSizes, kind: PagingKind) => ({
  name: "limit",
  in: "query",
  description: limitMeaning(sizes, kind),
  schema: { type: "integer", minimum: sizes[0] ?? defaultLimit, maximum: maxLimit, default: defaultLimit },
  example: exampleSize(sizes),
});

function filterParameter(source: DocumentSource, operation: ListOperation, filter: Filter) {
  const { param, field, accepts } = filter;
  const { text, listedBy, form } = acceptedBy(source.api, operation, filter);
  const { name } = listedBy;
  const where =
    accepts.kind === "keys" && isServed(source, name) ? `, as \`${source.api.base}/${name}\` lists them` : "";
  const ways = waysToSend(operation, filter);
  const [before, after] = aroundField(filter);
  const words = accepts.kind === "words" ? source.settings.vocabulary[accepts.vocabulary] : undefined;
  const values = accepts.kind === "listed" ? accepts.values : words;
  const value = new URLSearchParams(filteredExampleOf(source, operation)?.query).get(param);
  return {
    name: param,
    in: "query",
    description: `Returns only the items ${before} \`${field}\`${after}: ${text}${where}.${ways === undefined ? "" : ` Of the filters, it can be sent ${ways}.`}`,
    schema: { type: "string", ...(values === undefined ? { pattern: form } : { enum: values }) },
    ...(value === null ? {} : { example: value }),
  };
}

function cursorParameter(source: DocumentSource, operation: ListOperation) {
  const cursor = Object(walkOf(source, operation, 1)[0]?.answer["pagination"]).next_cursor;
  return {
    name: "cursor",
    in: "query",
    description:
      "The `next_cursor` of the previous page, sent with the same other parameters. It is opaque. " +
      cursorPromise(source.settings.cursorLifetime),
    schema: { type: "string" },
    ...(typeof cursor === "string" ? { example: cursor } : {}),
  };
}

/** The parameters in the path of a single item. */
export function keyParameters(source: DocumentSource, operation: ListOperation): readonly object[] {
  const { resource, item } = operation;
  const example = itemExampleOf(source, operation);
  const parts = [...resource.scope, { field: resource.key, form: resource.keyForm }];
  return parts.map(({ field, form }, index) => {
    const value = example?.key[index];
    const isInteger = form === integerForm && item?.aliases === undefined;
    const pattern = item?.aliases === undefined ? form : pathForm;
    return {
      name: field,
      in: "path",
      required: true,
      description: keyMeaning(operation, field),
      schema: isInteger ? { type: "integer" } : { type: "string", pattern },
      ...(value === undefined ? {} : { example: isInteger ? Number(value) : value }),
    };
  });
}

/** From `next_cursor` to the request of the next page. */
export function nextLink(operation: Operation) {
  if (operation.kind === "document" || !operation.paged) return {};
  const same = ["limit", ...filtersOf(operation).map(({ param }) => param)];
  return {
    links: {
      next: {
        operationId: operationId(operation),
        description: "The next page, if `has_more` is true.",
        parameters: {
          ...Object.fromEntries(same.map((name) => [name, `$request.query.${name}`])),
          cursor: "$response.body#/pagination/next_cursor",
        },
      },
    },
  };
}

/** The verb tells it from the operations of documents. */
export const itemOperationId = ({ name }: ListOperation): string => `read${pascal(name)}Item`;

export const operationId = ({ kind, name }: Operation): string => `${kind === "list" ? "list" : "get"}${pascal(name)}`;
