// The OpenAPI document. https://spec.openapis.org/oas/v3.1.1.html
import { allow, type ErrorBody, methodNotAllowed } from "../../src/errors.ts";
import { type Document, json, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { noticesOf } from "../routing/notices.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";
import { type Endpoint, endpointsOf, type Parameter } from "./endpoints.ts";
import { errorSchema, type JsonSchemas, jsonSchemas } from "./schemas.ts";
import {
  cursorPromise,
  type DocumentSource,
  isPaged,
  missingError,
  requestPath,
  titleOf,
  versionOf,
} from "./source.ts";

export const openapiDocument = (source: DocumentSource): Document =>
  textDocument(openapiPath(source.api.base), json, JSON.stringify(openapi(source)));

/** The document as an object. */
export function openapi(source: DocumentSource) {
  const { api, operations, settings } = source;
  const { schemas, names } = jsonSchemas(operations, settings.vocabulary, (name) => ref("schemas", name).$ref);
  const { description, url, license, contact } = settings;
  const endpoints = operations.flatMap((operation) => endpointsOf(source, operation));
  return {
    openapi: "3.1.1",
    info: {
      title: titleOf(source),
      version: versionOf(source),
      // Publishers write text and Markdown, but no HTML.
      description: [description?.replaceAll("<", "&lt;") ?? [], introduction(source)].flat().join("\n\n"),
      license: license ?? notStated,
      contact: contact ?? { name: titleOf(source) },
      "x-generator": generator,
    },
    // The schema of OpenAPI requires an absolute address here.
    externalDocs: url === undefined ? undefined : { url: `${url}${referencePath(api.base)}` },
    servers: [{ url: url ?? "/" }],
    security: [],
    tags: operations.map(({ name, purpose }) => ({ name, description: purpose })),
    paths: Object.fromEntries(endpoints.map((each) => [each.path, { get: operationObject(source, each, names) }])),
    components: {
      schemas,
      headers: commonHeaders(api.base),
      parameters: { IfNoneMatch: ifNoneMatch },
      responses: {
        NotModified: {
          description: "Nothing has changed since the response with that ETag.",
          headers: headersNamed({ ETag: "ETag", "Access-Control-Allow-Origin": "AccessControlAllowOrigin" }),
        },
        NotFound: errorResponse("Nothing is at this path. Paths are case-sensitive.", [missingError(source)]),
        MethodNotAllowed: errorResponse(
          `The method is not one of ${allow}.`,
          [methodNotAllowed],
          headersNamed({ Allow: "Allow" }),
        ),
      },
    },
  };
}

/** SPDX's identifier for no statement. https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/ */
const notStated = { name: "Not stated by the publisher", identifier: "NOASSERTION" };

const ref = (kind: "schemas" | "headers" | "parameters" | "responses", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

function introduction(source: DocumentSource): readonly string[] {
  const paging =
    "Lists are paged. While `pagination.has_more` is true, send `pagination.next_cursor` as `cursor`, with the same " +
    `other parameters, to get the next page. ${cursorPromise(source)}`;
  return [
    "Everything is read with GET, without authentication, from any origin. Every response is JSON.",
    ...(source.operations.some(isPaged) ? [paging] : []),
    "Lists are sorted. Strings compare by code unit, false comes before true, and null comes last.",
    "Errors have the matching HTTP status. Branch on `code`; `message` tells people what is accepted.",
    "Fields, operations and error codes may be added at any time: ignore what you do not know.",
  ];
}

function operationObject({ api }: DocumentSource, endpoint: Endpoint, names: JsonSchemas["names"]) {
  const { operation, isItem, purpose, rules, notice, errors } = endpoint;
  const { item, answer } = names(operation);
  const about = [...new Set([purpose, operation.meaning])].join(" ");
  return {
    operationId: endpoint.id,
    // As a title, without the full stop.
    summary: purpose.replace(/\.$/, ""),
    description: [about, rules, notice].filter((text) => text !== "").join("\n\n"),
    deprecated: operation.deprecated && true,
    tags: [operation.name],
    parameters: [...endpoint.parameters.map(parameterObject), ref("parameters", "IfNoneMatch")],
    responses: {
      "200": {
        description: endpoint.response,
        headers: {
          ...headersNamed({ ETag: "ETag" }),
          ...headersOf(operation.cache),
          ...noticeHeaders(api.base, endpoint),
        },
        content: {
          "application/json": {
            schema: ref("schemas", isItem ? item : answer),
            examples: examplesOf(api.base, endpoint),
          },
        },
        links: nextLink(endpoint),
      },
      "304": ref("responses", "NotModified"),
      "404": ref("responses", "NotFound"),
      "405": ref("responses", "MethodNotAllowed"),
      ...(errors.length > 0 && { "400": errorResponse("A parameter has a value that is not accepted.", errors) }),
    },
  };
}

/** The headers that tell that what was asked for will go, with their values for what goes first. */
function noticeHeaders(base: string, { operation, isItem }: Endpoint) {
  const notices = noticesOf(base, operation, {}).filter(({ param }) => !isItem || param === undefined);
  const which = operation.deprecated === undefined ? "If a deprecated parameter is sent: " : "";
  const headerOf = (name: string, meaning: string) => {
    const [value] = notices.flatMap(({ headers }) => headers[name] ?? []);
    return value === undefined ? {} : { [name]: text(`${which}${meaning}`, value) };
  };
  return {
    ...headerOf("Deprecation", "since when it is deprecated (RFC 9745)."),
    ...headerOf("Sunset", "when it may be gone (RFC 8594)."),
  };
}

const parameterObject = ({ name, in: place, meaning, schema, example, filter }: Parameter) => ({
  ...{ name, in: place, ...(place === "path" && { required: true }), description: meaning, schema },
  deprecated: filter?.deprecated && true,
  example,
});

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description:
    "The ETag of an earlier response. The response is 304, without a body, if nothing has changed. Browsers do this by themselves.",
  schema: { type: "string" },
};

/** The longest list that an example shows in full. */
const shown = 10;

function examplesOf(base: string, { operation, example, filtered }: Endpoint) {
  const examples = Object.entries({ first: example, filtered }).flatMap(([name, each]) => {
    if (each === undefined) return [];
    const { data, pagination } = each.answer;
    const summary = `GET ${requestPath({ base }, operation, each)}`;
    if (pagination !== undefined || !Array.isArray(data) || data.length <= shown) {
      return [[name, { summary, value: each.answer }] as const];
    }
    const value = { ...each.answer, data: data.slice(0, shown) };
    return [[name, { summary: `${summary}: the first ${shown} of ${data.length} items`, value }] as const];
  });
  return Object.fromEntries(examples);
}

/** From `next_cursor` to the request of the next page. */
function nextLink({ id, isItem, operation }: Endpoint) {
  if (isItem || !isPaged(operation)) return undefined;
  const same = ["limit", ...operation.filters.map(({ param }) => param)];
  const parameters = {
    ...Object.fromEntries(same.map((name) => [name, `$request.query.${name}`])),
    cursor: "$response.body#/pagination/next_cursor",
  };
  return { next: { operationId: id, description: "The next page, if `has_more` is true.", parameters } };
}

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** Components, by name. */
const commonHeaders = (base: string) => ({
  ETag: text(
    "Identifies this state of the response. Send it as If-None-Match to learn whether it has changed.",
    '"5f2c1a"',
  ),
  Link: text(
    "Where the API is described, for programs and for people.",
    `<${openapiPath(base)}>; rel="service-desc", <${referencePath(base)}>; rel="service-doc"`,
  ),
  AccessControlAllowOrigin: text("Scripts of any origin may read the response.", "*"),
  AccessControlExposeHeaders: text("The headers that scripts of other origins may read.", "ETag, Link"),
  XContentTypeOptions: text("Browsers use the Content-Type as it is.", "nosniff"),
  Allow: text("The methods that the API answers.", allow),
});

/** Headers by the names of their components. */
const headersNamed = (names: Readonly<Record<string, keyof ReturnType<typeof commonHeaders>>>) =>
  Object.fromEntries(Object.entries(names).map(([header, name]) => [header, ref("headers", name)]));

const headersOf = (cacheControl: string) => ({
  "Cache-Control": text("How long the response may be cached.", cacheControl),
  ...headersNamed({
    "Access-Control-Allow-Origin": "AccessControlAllowOrigin",
    "Access-Control-Expose-Headers": "AccessControlExposeHeaders",
    "X-Content-Type-Options": "XContentTypeOptions",
    Link: "Link",
  }),
});

/** `headers` are those that other errors lack. Examples are named by code, a clash of filters by its parameter. */
const errorResponse = (description: string, errors: readonly ErrorBody[], headers = {}) => ({
  description,
  headers: { ...headers, ...headersOf("no-store") },
  content: {
    "application/json": {
      schema: ref("schemas", errorSchema),
      examples: Object.fromEntries(
        errors.map((error, index) => {
          const isSecond = errors.findIndex(({ code }) => code === error.code) < index;
          return [isSecond ? `together_${error.param}` : error.code, { summary: error.message, value: error }];
        }),
      ),
    },
  },
});
