// The kinds of requests that an API answers, each described once: OpenAPI and the reference print the same texts. Code
// spans in them name fields and paths.

import { acceptedBy, filtersPath, withArticle } from "../../src/api.ts";
import { pascal } from "../../src/complete-resource.ts";
import { bodiesOf, type ErrorBody } from "../../src/errors.ts";
import { combinationsOf, type Filter } from "../../src/filter.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { defaultLimit, maxLimit } from "../../src/paging.ts";
import { integerForm, pathForm } from "../../src/resource.ts";
import { pagingOf } from "../content/catalog.ts";
import { noticeText } from "./deprecation.ts";
import { type Example, exampleOf, exampleSize, filteredExampleOf, itemExampleOf, walkOf } from "./examples.ts";
import type { JsonSchema } from "./schemas.ts";
import {
  cursorPromise,
  type DocumentSource,
  errorsOf,
  hasItems,
  isServed,
  itemAnchor,
  itemPath,
  operationAnchor,
  orderList,
  requestPath,
} from "./source.ts";

export interface Endpoint {
  readonly operation: Operation;
  /** Whether it returns single items of the operation. */
  readonly isItem: boolean;
  /** The identifier in OpenAPI. */
  readonly id: string;
  /** The anchor in the reference. */
  readonly anchor: string;
  /** In lists of endpoints: `nodes`, `one node`. */
  readonly label: string;
  /** With the parts of a key in braces. */
  readonly path: string;
  /** What it returns, in a sentence. */
  readonly purpose: string;
  /** Sentences about the order and extent of a list. */
  readonly rules: string;
  /** Sentences that say that it will go; empty if it stays. */
  readonly notice: string;
  readonly parameters: readonly Parameter[];
  /** The response, in a sentence. */
  readonly response: string;
  /** The errors of its parameters. */
  readonly errors: readonly ErrorBody[];
  readonly example: Example | undefined;
  /** An example with filters. */
  readonly filtered: Example | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly meaning: string;
  readonly schema: Readonly<JsonSchema>;
  readonly example: string | number | boolean | undefined;
  readonly filter?: Filter;
}

/** The endpoints of an operation: the list or document, and its single items. */
export function endpointsOf(source: DocumentSource, operation: Operation): readonly Endpoint[] {
  const { kind, name, purpose } = operation;
  const filtered = filteredExampleOf(source, operation);
  const whole: Endpoint = {
    ...{ operation, isItem: false, purpose, label: name, filtered },
    id: `${kind === "list" ? "list" : "get"}${pascal(name)}`,
    anchor: operationAnchor(operation),
    path: requestPath(source.api, operation),
    rules: kind === "list" ? listRules(operation) : "",
    notice: noticeOf(source, operation),
    parameters: kind === "list" ? queryParameters(source, operation, filtered) : [],
    response: kind === "list" ? "The items, in order." : "The document.",
    errors: errorsOf(source, operation).flatMap(bodiesOf),
    example: exampleOf(source, operation),
  };
  return hasItems(operation) ? [whole, itemEndpoint(source, operation)] : [whole];
}

function itemEndpoint(source: DocumentSource, operation: ListOperation): Endpoint {
  const { name, resource, brief } = operation;
  return {
    ...{ operation, isItem: true, purpose: `One ${resource.noun}.`, label: `one ${resource.noun}` },
    // The verb differs from the verb of documents.
    id: `read${pascal(name)}Item`,
    anchor: itemAnchor(operation),
    path: itemPath(source.api, operation),
    rules: brief === undefined ? "" : "Single items have all fields; lists have some of them.",
    notice: noticeOf(source, operation),
    parameters: keyParameters(source, operation),
    response: `The ${resource.noun}.`,
    errors: [],
    example: itemExampleOf(source, operation),
    filtered: undefined,
  };
}

export const noticeOf = ({ api }: DocumentSource, { deprecated }: Operation): string =>
  noticeText(deprecated, (name) => requestPath(api, { name }));

function listRules(operation: ListOperation): string {
  const ascends = operation.order.every(({ descending }) => !descending);
  return [
    `Sorted by ${orderList(operation)}${ascends ? ", ascending" : ""}.`,
    operation.paged ? "Paged: follow `pagination.next_cursor`." : "Returns the whole list.",
    ...(operation.brief === undefined ? [] : ["Lists have some of the fields; single items have all of them."]),
  ].join(" ");
}

/** In the order in which they are checked. */
function queryParameters(
  source: DocumentSource,
  operation: ListOperation,
  filtered: Example | undefined,
): readonly Parameter[] {
  const sent = new URLSearchParams(filtered?.query);
  const filters = operation.filters.map((filter) =>
    filterParameter(source, operation, filter, sent.get(filter.param) ?? undefined),
  );
  if (!operation.paged) return filters;
  const sizes = source.sizesOf(operation.name);
  const [minimum = defaultLimit] = sizes;
  const limit: Parameter = {
    ...{ name: "limit", in: "query", meaning: limitMeaning(source, operation) },
    schema: { type: "integer", minimum, maximum: maxLimit, default: defaultLimit },
    example: exampleSize(sizes),
  };
  const next = Object(walkOf(source, operation, 1)[0]?.answer["pagination"]).next_cursor;
  const cursor: Parameter = {
    ...{ name: "cursor", in: "query", schema: { type: "string" }, example: next ?? undefined },
    meaning: `The \`next_cursor\` of the previous page, sent with the same other parameters. It is opaque. ${cursorPromise(source)}`,
  };
  return [limit, ...filters, cursor];
}

function limitMeaning({ sizesOf, settings }: DocumentSource, { name }: ListOperation): string {
  const sizes = sizesOf(name);
  const [smallest = maxLimit] = sizes;
  const isEvery = sizes.length === maxLimit;
  const rounding = ` Page sizes are ${listOf(sizes, "and")}; a limit in between is rounded down to one of these.`;
  const range = `, from ${smallest} to ${maxLimit}.${isEvery ? "" : rounding}`;
  const shorter =
    pagingOf(settings, name) === "exact"
      ? ""
      : " A page may have up to a fifth, rounded up, fewer: `pagination.count` says how many it has.";
  return `Maximum number of items per page${smallest === maxLimit ? `. Every page size is ${maxLimit}.` : range}${shorter}`;
}

function filterParameter(
  source: DocumentSource,
  operation: ListOperation,
  filter: Filter,
  example: string | undefined,
): Parameter {
  const { param, accepts } = filter;
  const { text, listedBy, form } = acceptedBy(source.api, operation, filter);
  const isKey = accepts.kind === "keys" && isServed(source, listedBy.name);
  const list = isKey ? requestPath(source.api, listedBy) : filtersPath(source.api.base, operation.name);
  const place = isKey ? `: ${text}, listed at \`${list}\`` : `, one of those listed at \`${list}\``;
  const values = accepts.kind === "listed" ? `: ${text}` : place;
  const words = accepts.kind === "words" ? source.settings.vocabulary[accepts.vocabulary] : undefined;
  const known = accepts.kind === "listed" ? accepts.values : words;
  const type = accepts.kind === "listed" || accepts.kind === "occurring" ? accepts.type : "text";
  const typed = (value: string) => (type === "text" ? value : JSON.parse(value));
  const open = type === "integer" ? {} : { pattern: form };
  return {
    ...{ name: param, in: "query", filter, example: example && typed(example) },
    meaning: [
      `Returns only the items ${compared(filter)}${values}.${combining(operation, filter)}`,
      ...(filter.deprecated === undefined ? [] : [noticeText(filter.deprecated)]),
    ].join(" "),
    schema: { type: type === "text" ? "string" : type, ...(known === undefined ? open : { enum: known.map(typed) }) },
  };
}

/** What a filter compares, in a clause about items. */
function compared({ by, field, param }: Filter): string {
  const clauses = {
    value: `with this \`${field}\``,
    elements: `with this value in \`${field}\``,
    names: `with this key in \`${field}\``,
    slug: `with this \`${field}\`, in lowercase with hyphens`,
    function: `with this ${param}`,
  };
  return clauses[by];
}

/** A sentence about the other filters that may be sent with a filter. Empty if there is no other filter. */
function combining(operation: ListOperation, { param }: Filter): string {
  if (operation.filters.length < 2) return "";
  const others = combinationsOf(operation)
    .map((filters) => filters.map((each) => each.param))
    .filter((params) => params.includes(param) && params.length > 1)
    .map((params) => params.filter((each) => each !== param).map((each) => `\`${each}\``));
  if (others.length === 0) return " Cannot be combined with other filters.";
  return ` Can be combined with ${listOf(
    others.map((params) => params.join(" and ")),
    "or",
  )}.`;
}

/** The parameters in the path of a single item. */
function keyParameters(source: DocumentSource, operation: ListOperation): readonly Parameter[] {
  const { resource, item } = operation;
  const example = itemExampleOf(source, operation);
  const same =
    example?.alias === undefined
      ? ""
      : `: \`${requestPath(source.api, operation, { key: [example.alias] })}\` returns the same ${resource.noun}`;
  const alias = item?.aliases === undefined ? "" : `, or one of its \`${item.aliases}\`${same}`;
  return [...resource.scope, { field: resource.key, form: resource.keyForm }].map(({ field, form }, index) => {
    const value = example?.key[index];
    const isInteger = form === integerForm && alias === "";
    const pattern = alias === "" ? form : pathForm;
    return {
      ...{ name: field, in: "path", meaning: `The \`${field}\` of ${withArticle(resource.noun)}${alias}.` },
      schema: isInteger ? { type: "integer" } : { type: "string", pattern },
      example: isInteger && value !== undefined ? Number(value) : value,
    };
  });
}

/** `1, 5 or 10`. */
const listOf = (words: readonly (string | number)[], conjunction: string): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
