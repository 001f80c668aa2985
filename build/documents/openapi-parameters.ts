// The query parameters of an operation, and the link from an answer to the next request.
import { acceptedBy } from "../../src/api.ts";
import { pascal } from "../../src/complete-resource.ts";
import type { Filter } from "../../src/filter.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { defaultLimit, maxLimit } from "../../src/paging.ts";
import { integerForm, pathForm } from "../../src/resource.ts";
import { exampleSize, filteredExampleOf, itemExampleOf, walkOf } from "./examples.ts";
import { type DocumentSource, isPaged, isServed } from "./source.ts";
import { aroundField, cursorPromise, keyMeaning, limitMeaning, waysToSend } from "./texts.ts";

/** In the order in which they are checked. */
export function parametersOf(source: DocumentSource, operation: Operation): readonly object[] {
  if (operation.kind === "document") return [];
  const filters = filtersOf(operation).map((filter) => filterParameter(source, operation, filter));
  if (!operation.paged) return filters;
  const sizes = source.sizesOf(operation.name);
  const limit = {
    name: "limit",
    in: "query",
    description: limitMeaning(source, operation),
    schema: { type: "integer", minimum: sizes[0] ?? defaultLimit, maximum: maxLimit, default: defaultLimit },
    example: exampleSize(sizes),
  };
  return [limit, ...filters, cursorParameter(source, operation)];
}

function filterParameter(source: DocumentSource, operation: ListOperation, filter: Filter) {
  const { param, field, accepts } = filter;
  const { text, listedBy, form } = acceptedBy(source.api, operation, filter);
  const isListed = accepts.kind === "keys" && isServed(source, listedBy.name);
  const place = isListed ? `, as \`${source.api.base}/${listedBy.name}\` lists them` : "";
  const [before, after] = aroundField(filter);
  const words = accepts.kind === "words" ? source.settings.vocabulary[accepts.vocabulary] : undefined;
  const values = accepts.kind === "listed" ? accepts.values : words;
  const value = new URLSearchParams(filteredExampleOf(source, operation)?.query).get(param);
  return {
    name: param,
    in: "query",
    description: `Returns only the items ${before} \`${field}\`${after}: ${text}${place}.${waysToSend(operation, filter)}`,
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
  if (!isPaged(operation)) return {};
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

/** The verb differs from the verb of documents. */
export const itemOperationId = ({ name }: ListOperation): string => `read${pascal(name)}Item`;

export const operationId = ({ kind, name }: Operation): string => `${kind === "list" ? "list" : "get"}${pascal(name)}`;
