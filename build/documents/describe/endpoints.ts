// The kinds of requests that an API answers, each described once: OpenAPI and the reference print the same texts. Code
// spans in them name fields and paths.
import { acceptedBy, filtersPath, joined, withArticle } from "../../../src/model/api.ts";
import { type Audience, cacheFor, credentialHeader } from "../../../src/model/audience.ts";
import { ownField } from "../../../src/model/fields.ts";
import { combinationsOf, type Filter } from "../../../src/model/filter.ts";
import { integerForm } from "../../../src/model/key.ts";
import { hasItems, type ListOperation, type Operation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import { defaultLimit, maxLimit } from "../../../src/model/paging.ts";
import { pathForm } from "../../../src/model/path-form.ts";
import { pageSizesOf, pagingOf } from "../../content/settings/chosen-settings.ts";
import { type ParameterError, parameterErrors } from "../../routing/errors.ts";
import { pascal } from "../../text/words.ts";
import { anchors, itemPath, requestPath } from "./addresses.ts";
import { websitesIn } from "./audience.ts";
import {
  type Example,
  exampleOf,
  exampleSize,
  filteredExampleOf,
  itemExampleOf,
  nextCursor,
  walkOf,
} from "./examples.ts";
import type { JsonSchema } from "./schemas.ts";
import { cursorPromise, noticeOf, noticeText, orderWords } from "./sentences.ts";
import { isServed, type SiteData } from "./site-data.ts";

export interface Endpoint {
  readonly operation: Operation;
  /** Whether it returns single items of the operation. */
  readonly isItem: boolean;
  /** The identifier in OpenAPI. */
  readonly id: string;
  /** The anchor in the reference. */
  readonly anchor: string;
  /** `List nodes`, `Get one node`, `Get status`: the heading, and the summary in the menus of other tools. */
  readonly title: string;
  /** With the parts of a key in braces. */
  readonly path: string;
  /** A sentence about the answer. */
  readonly purpose: string;
  /** Sentences about the order and extent of a list. */
  readonly rules: string;
  /** Its deprecation, in sentences; empty if it is not deprecated. */
  readonly notice: string;
  readonly parameters: readonly Parameter[];
  /** The response, in a sentence. */
  readonly response: string;
  /** The errors of its parameters. */
  readonly errors: readonly ParameterError[];
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

export interface HeaderWords {
  readonly example: string;
  readonly meaning: string;
}

const header = (example: string, meaning: string): HeaderWords => ({ example, meaning });

export const meaningOfCache = "How long the response may be kept.";

/** The headers of requests and responses that mean something to consumers. */
export function headersFor(audience: Audience): Readonly<Record<string, HeaderWords>> {
  const { access, origins } = audience;
  return {
    "Content-Type": header("application/json", "Of every response with a body; documents have types of their own."),
    "Cache-Control": header(cacheFor(audience, "public, max-age=60"), meaningOfCache),
    ETag: header('"45c4a9be"', "Names the response's bytes. It changes when they do."),
    "If-None-Match": header(
      '"45c4a9be"',
      "In a request: an `ETag`. The response is `304` while nothing has changed. Browsers do this by themselves.",
    ),
    Link: header('<…/openapi.json>; rel="service-desc"', "The addresses of the OpenAPI document and of the reference."),
    Allow: header("GET, HEAD, OPTIONS", "The methods that are allowed, with status `405`."),
    ...(origins !== "none" && {
      "Access-Control-Allow-Origin": header(
        origins === "any" ? "*" : origins,
        `Scripts ${websitesIn(audience)} may read the response.`,
      ),
      "Access-Control-Expose-Headers": header(
        "ETag, Link, Date, Deprecation, Sunset",
        "The headers that scripts on other websites may read.",
      ),
    }),
    "X-Content-Type-Options": header("nosniff", "Browsers keep to the `Content-Type`."),
    ...(access && {
      Vary: header(
        credentialHeader(access.scheme),
        "A stored response answers no request in which this header differs.",
      ),
    }),
  };
}

/** The endpoints of each operation: the list or document, and its single items. */
export const endpointsOf = (data: SiteData): readonly Endpoint[] =>
  data.operations.flatMap((operation) => {
    const whole = wholeEndpoint(data, operation);
    return hasItems(operation) ? [whole, itemEndpoint(data, operation)] : [whole];
  });

function wholeEndpoint(data: SiteData, operation: Operation): Endpoint {
  const { kind, name, purpose } = operation;
  const isList = kind === "list";
  const filtered = filteredExampleOf(data, operation);
  return {
    operation,
    isItem: false,
    purpose,
    title: `${isList ? "List" : "Get"} ${name}`,
    filtered,
    id: `${isList ? "list" : "get"}${pascal(name)}`,
    anchor: anchors.operation(operation),
    path: requestPath(data.api, operation),
    rules: isList ? listRules(operation) : "",
    notice: noticeOf(data.api, operation),
    parameters: isList ? queryParameters(data, operation, filtered) : [],
    response: isList ? "The items, in order." : "The document.",
    errors: errorsOf(data, operation),
    example: exampleOf(data, operation),
  };
}

function itemEndpoint(data: SiteData, operation: ListOperation): Endpoint {
  const { name, brief } = operation;
  const example = itemExampleOf(data, operation);
  return {
    operation,
    isItem: true,
    purpose: `One ${operation.noun}.`,
    title: `Get one ${operation.noun}`,
    // Not `get`: a list and a document could otherwise have the same identifier.
    id: `read${pascal(name)}Item`,
    anchor: anchors.item(operation),
    path: itemPath(data.api, operation),
    rules: brief === undefined ? "" : "Single items have all fields; lists have some of them.",
    notice: noticeOf(data.api, operation),
    parameters: keyParameters(data, operation, example),
    response: `The ${operation.noun}.`,
    errors: [],
    example,
    filtered: undefined,
  };
}

/**
 * The errors of an operation's parameters, in the order in which the parameters are checked. A host that only serves files
 * checks none: there is no file at the path of a wrong request.
 */
function errorsOf({ api, settings, operations }: SiteData, operation: Operation): readonly ParameterError[] {
  if (operation.kind === "document" || !api.addressing.answersErrors) return [];
  const served = operations.map(({ name }) => name);
  return parameterErrors(api, operation, pageSizesOf(settings, operation.name), served);
}

function listRules(operation: ListOperation): string {
  const ascends = operation.order.every(({ descending }) => !descending);
  const brief = operation.brief && " Lists have some of the fields; single items have all of them.";
  const extent = operation.paged ? "Paged: follow `pagination.next_cursor`." : "Returns the whole list.";
  return `Sorted by ${orderWords(operation.order)}${ascends ? ", ascending" : ""}. ${extent}${brief ?? ""}`;
}

/** In the order of the forms, which is that of their parts in the path of a file. */
function queryParameters(
  data: SiteData,
  operation: ListOperation,
  filtered: Example | undefined,
): readonly Parameter[] {
  const { sent, cursor } = exampleRequest(data, operation, filtered);
  const filters = operation.filters.map((filter) =>
    filterParameter(data, operation, filter, sent.get(filter.param) ?? undefined),
  );
  const choices = [...sortParameter(operation, sent.get(sortParam) ?? undefined), ...filters];
  if (!operation.paged) return choices;
  const sizes = pageSizesOf(data.settings, operation.name);
  const [minimum = defaultLimit] = sizes;
  const limitParameter: Parameter = {
    name: "limit",
    in: "query",
    meaning: limitMeaning(data, operation),
    schema: { type: "integer", minimum, maximum: maxLimit, default: defaultLimit },
    example: exampleSize(sizes),
  };
  const cursorParameter: Parameter = {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    example: cursor,
    meaning: `The \`next_cursor\` of the previous page, sent with the same other parameters. It is opaque. ${cursorPromise(data.settings)}`,
  };
  return [...choices, limitParameter, cursorParameter];
}

/**
 * The examples of parameters go together, because tools send them all: the filters of one listing, and the cursor of its
 * first short page. The listing of the filtered example, unless only the whole one has a second page.
 */
function exampleRequest(data: SiteData, operation: ListOperation, filtered: Example | undefined) {
  const whole = walkOf(data, operation, 1)[0];
  const isWhole = nextCursor(filtered) === undefined && nextCursor(whole) !== undefined;
  const example = isWhole ? whole : filtered;
  return { sent: new URLSearchParams(example?.query), cursor: nextCursor(example) };
}

function limitMeaning({ settings }: SiteData, { name }: ListOperation): string {
  const sizes = pageSizesOf(settings, name);
  const [smallest = maxLimit] = sizes;
  const sentences: string[] = [];
  if (smallest === maxLimit) {
    sentences.push("Maximum number of items per page.", `The only value is ${maxLimit}.`);
  } else {
    sentences.push(`Maximum number of items per page, from ${smallest} to ${maxLimit}.`);
    if (sizes.length < maxLimit) {
      sentences.push(`Page sizes are ${joined(sizes, "and")}; a limit in between is rounded down to one of these.`);
    }
  }
  if (pagingOf(settings, name) === "stable") {
    sentences.push("A page may have up to a fifth, rounded up, fewer: `pagination.count` says how many it has.");
  }
  return sentences.join(" ");
}

function sortParameter({ order, orders }: ListOperation, example: string | undefined): readonly Parameter[] {
  if (orders.length === 0) return [];
  const others = orders.map(({ name, fields, deprecated }) =>
    [`\`${name}\`: by ${orderWords(fields)}.`, noticeText(deprecated)].filter(Boolean).join(" "),
  );
  return [
    {
      name: sortParam,
      in: "query",
      meaning: `Another order of the list, also with filters. ${others.join(" ")} Without it, the list is sorted by ${orderWords(order)}.`,
      schema: { type: "string", enum: orders.map(({ name }) => name) },
      example,
    },
  ];
}

function filterParameter(
  data: SiteData,
  operation: ListOperation,
  filter: Filter,
  example: string | undefined,
): Parameter {
  const { param, deprecated } = filter;
  const sentences = [
    `Returns only the items ${compared(filter)}${acceptedText(data, operation, filter)}.`,
    combining(operation, filter),
    noticeText(deprecated),
  ];
  return {
    name: param,
    in: "query",
    filter,
    example: example && typedValue(filter, example),
    meaning: sentences.filter((sentence) => sentence !== "").join(" "),
    schema: filterSchema(data, operation, filter),
  };
}

/** The values that a filter accepts, or the path that lists them, as the end of a sentence. */
function acceptedText(data: SiteData, operation: ListOperation, filter: Filter): string {
  const { accepts } = filter;
  const { text, listedBy } = acceptedBy(data.api, operation, filter);
  if (accepts.kind === "listed") return `: ${text}`;
  if (accepts.kind === "keys" && !accepts.isOpen && isServed(data, listedBy.name)) {
    return `: ${text}, listed at \`${requestPath(data.api, listedBy)}\``;
  }
  return `, one of those listed at \`${filtersPath(data.api.base, operation.name)}\``;
}

function filterSchema(data: SiteData, operation: ListOperation, filter: Filter): Parameter["schema"] {
  const { accepts } = filter;
  const { form } = acceptedBy(data.api, operation, filter);
  const type = typeOf(filter);
  const schemaType = type === "text" ? "string" : type;
  const words = accepts.kind === "words" ? ownField(data.settings.vocabulary, accepts.vocabulary) : undefined;
  const values = accepts.kind === "listed" ? accepts.values : words;
  if (values !== undefined) return { type: schemaType, enum: values.map((value) => typedValue(filter, value)) };
  return type === "integer" ? { type } : { type: schemaType, pattern: form };
}

const typeOf = ({ accepts }: Filter) => ("type" in accepts ? accepts.type : "text");

/** The value of a query, as JSON has it. */
export const typedValue = (filter: Filter, value: string) => (typeOf(filter) === "text" ? value : JSON.parse(value));

/** The comparison of a filter, as a clause about items. */
function compared({ by, field, steps, param }: Filter): string {
  switch (by) {
    case "value":
      return `with this ${steps === undefined ? "" : "value in "}\`${field}\``;
    case "elements":
      return `with this value in \`${field}\``;
    case "names":
      return `with this key in \`${field}\``;
    case "slug":
      return `with this \`${field}\`, in lowercase with hyphens`;
    case "function":
      return `with this ${param}`;
  }
}

/** A sentence about the other filters that may be sent with a filter. Empty if there is no other filter. */
function combining(operation: ListOperation, { param }: Filter): string {
  if (operation.filters.length < 2) return "";
  const others = combinationsOf(operation)
    .map((filters) => filters.map((filter) => filter.param))
    .filter((params) => params.includes(param) && params.length > 1)
    .map((params) => params.flatMap((name) => (name === param ? [] : `\`${name}\``)).join(" and "));
  return others.length === 0
    ? "Cannot be combined with other filters."
    : `Can be combined with ${joined(others, "or")}.`;
}

/** The parameters in the path of a single item. */
function keyParameters(
  { api }: SiteData,
  operation: ListOperation,
  example: ReturnType<typeof itemExampleOf>,
): readonly Parameter[] {
  const { item } = operation;
  const path = example?.alias !== undefined && requestPath(api, operation, { key: [example.alias] });
  const same = path === false ? "" : `: \`${path}\` returns the same ${operation.noun}`;
  const { field: aliases, isSlug } = item?.aliases ?? {};
  const written = isSlug ? ", in lowercase with hyphens" : "";
  const alias = aliases === undefined ? "" : `, or one of its \`${aliases}\`${written}${same}`;
  return [...operation.scope, { field: operation.key, form: operation.keyForm }].map(({ field, form }, index) => {
    const value = example?.key[index];
    const isInteger = form === integerForm && alias === "";
    return {
      name: field,
      in: "path",
      meaning: `The \`${field}\` of ${withArticle(operation.noun)}${alias}.`,
      schema: isInteger ? { type: "integer" } : { type: "string", pattern: alias === "" ? form : pathForm },
      example: isInteger && value !== undefined ? Number(value) : value,
    };
  });
}
