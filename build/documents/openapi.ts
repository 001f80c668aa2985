// The OpenAPI document. https://spec.openapis.org/oas/v3.1.1.html
import { allow, type ErrorBody, methodNotAllowed } from "../../src/errors.ts";
import { filtersOf } from "../../src/operation.ts";
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
  const { schemas, names } = jsonSchemas(
    source.operations,
    source.settings.vocabulary,
    (name) => ref("schemas", name).$ref,
  );
  const { description, url, license, contact } = source.settings;
  const endpoints = source.operations.flatMap((operation) => endpointsOf(source, operation));
  return {
    openapi: "3.1.1",
    info: {
      title: titleOf(source),
      version: versionOf(source),
      // Publishers write text and Markdown, but no HTML.
      description: [
        ...(description === undefined ? [] : [description.replaceAll("<", "&lt;")]),
        introduction(source),
      ].join("\n\n"),
      license: license ?? notStated,
      contact: contact ?? { name: titleOf(source) },
      "x-generator": generator,
    },
    // The schema of OpenAPI requires an absolute address here.
    ...(url === undefined ? {} : { externalDocs: { url: `${url}${referencePath(source.api.base)}` } }),
    servers: [{ url: url ?? "/" }],
    security: [],
    tags: source.operations.map(({ name, purpose }) => ({ name, description: purpose })),
    paths: Object.fromEntries(endpoints.map((each) => [each.path, { get: operationObject(source, each, names) }])),
    components: {
      schemas,
      headers: commonHeaders(source.api.base),
      parameters: { IfNoneMatch: ifNoneMatch },
      responses: {
        NotModified: {
          description: "Nothing has changed since the response with that ETag.",
          headers: {
            ETag: ref("headers", "ETag"),
            "Access-Control-Allow-Origin": ref("headers", "AccessControlAllowOrigin"),
          },
        },
        NotFound: errorResponse("Nothing is at this path. Paths are case-sensitive.", [missingError(source)]),
        MethodNotAllowed: errorResponse(`The method is not one of ${allow}.`, [methodNotAllowed], {
          Allow: ref("headers", "Allow"),
        }),
      },
    },
  };
}

/** SPDX's identifier for no statement. https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/ */
const notStated = { name: "Not stated by the publisher", identifier: "NOASSERTION" };

const ref = (kind: "schemas" | "headers" | "parameters" | "responses", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

function introduction(source: DocumentSource): string {
  const paging =
    "Lists are paged. While `pagination.has_more` is true, send `pagination.next_cursor` as `cursor`, with the same " +
    `other parameters, to get the next page. ${cursorPromise(source)}`;
  return [
    "Everything is read with GET, without authentication, from any origin. Every response is JSON.",
    ...(source.operations.some(isPaged) ? [paging] : []),
    "Lists are sorted. Strings compare by code unit, false comes before true, and null comes last.",
    "Errors have the matching HTTP status. Branch on `code`; `message` tells people what is accepted.",
    "Fields, operations and error codes may be added at any time: ignore what you do not know.",
  ].join("\n\n");
}

function operationObject(source: DocumentSource, endpoint: Endpoint, names: JsonSchemas["names"]) {
  const { operation, isItem, purpose, rules, notice, errors } = endpoint;
  const { item = "", answer = "" } = names.get(operation.name) ?? {};
  const about = [...new Set([purpose, operation.resource.meaning])].join(" ");
  return {
    operationId: endpoint.id,
    // As a title, without the full stop.
    summary: purpose.replace(/\.$/, ""),
    description: [about, rules, notice].filter((text) => text !== "").join("\n\n"),
    ...(operation.deprecated && { deprecated: true }),
    tags: [operation.name],
    parameters: [...endpoint.parameters.map(parameterObject), ref("parameters", "IfNoneMatch")],
    responses: {
      "200": {
        description: endpoint.response,
        headers: {
          ETag: ref("headers", "ETag"),
          ...headersOf(operation.cacheControl),
          ...noticeHeaders(source, endpoint),
        },
        content: {
          "application/json": {
            schema: ref("schemas", isItem ? item : answer),
            examples: examplesOf(source, endpoint),
          },
        },
        ...nextLink(endpoint),
      },
      "304": ref("responses", "NotModified"),
      "404": ref("responses", "NotFound"),
      "405": ref("responses", "MethodNotAllowed"),
      ...(errors.length === 0 ? {} : { "400": errorResponse("A parameter has a value that is not accepted.", errors) }),
    },
  };
}

/** The headers that tell that what was asked for will go, with their values for what goes first. */
function noticeHeaders({ api }: DocumentSource, { operation, isItem }: Endpoint) {
  const notices = noticesOf(api.base, operation, {}).filter(({ param }) => !isItem || param === undefined);
  const valuesOf = (name: string) => notices.flatMap(({ headers }) => headers[name] ?? []);
  const which = operation.deprecated === undefined ? "If a deprecated parameter is sent: " : "";
  const [deprecation] = valuesOf("Deprecation");
  const [sunset] = valuesOf("Sunset");
  return {
    ...(deprecation && { Deprecation: text(`${which}since when it is deprecated (RFC 9745).`, deprecation) }),
    ...(sunset && { Sunset: text(`${which}when it may be gone (RFC 8594).`, sunset) }),
  };
}

const parameterObject = ({ name, in: place, meaning, schema, example, filter }: Parameter) => ({
  ...{ name, in: place, ...(place === "path" ? { required: true } : {}), description: meaning, schema },
  ...(filter?.deprecated && { deprecated: true }),
  ...(example === undefined ? {} : { example }),
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

function examplesOf({ api }: DocumentSource, { operation, example, filtered }: Endpoint) {
  const examples = Object.entries({ first: example, filtered }).flatMap(([name, each]) =>
    each === undefined ? [] : [[name, each] as const],
  );
  return Object.fromEntries(
    examples.map(([name, example]) => {
      const { answer } = example;
      const { data, pagination } = answer;
      const path = requestPath(api, operation, example);
      if (pagination !== undefined || !Array.isArray(data) || data.length <= shown) {
        return [name, { summary: `GET ${path}`, value: answer }];
      }
      const summary = `GET ${path}: the first ${shown} of ${data.length} items`;
      return [name, { summary, value: { ...answer, data: data.slice(0, shown) } }];
    }),
  );
}

/** From `next_cursor` to the request of the next page. */
function nextLink({ id, isItem, operation }: Endpoint) {
  if (isItem || !isPaged(operation)) return {};
  const same = ["limit", ...filtersOf(operation).map(({ param }) => param)];
  const parameters = {
    ...Object.fromEntries(same.map((name) => [name, `$request.query.${name}`])),
    cursor: "$response.body#/pagination/next_cursor",
  };
  return { links: { next: { operationId: id, description: "The next page, if `has_more` is true.", parameters } } };
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

const headersOf = (cacheControl: string) => ({
  "Cache-Control": text("How long the response may be cached.", cacheControl),
  "Access-Control-Allow-Origin": ref("headers", "AccessControlAllowOrigin"),
  "Access-Control-Expose-Headers": ref("headers", "AccessControlExposeHeaders"),
  "X-Content-Type-Options": ref("headers", "XContentTypeOptions"),
  Link: ref("headers", "Link"),
});

/** `headers` are those that other errors lack. */
const errorResponse = (description: string, errors: readonly ErrorBody[], headers = {}) => ({
  description,
  headers: { ...headers, ...headersOf("no-store") },
  content: { "application/json": { schema: ref("schemas", errorSchema), examples: errorExamples(errors) } },
});

/** By code; a second error of a code, for a combination of filters, by its parameter. */
const errorExamples = (errors: readonly ErrorBody[]) =>
  Object.fromEntries(
    errors.map((error, index) => {
      const isSecond = errors.findIndex(({ code }) => code === error.code) < index;
      return [isSecond ? `together_${error.param}` : error.code, { summary: error.message, value: error }];
    }),
  );
