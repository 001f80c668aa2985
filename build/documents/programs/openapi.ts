// The OpenAPI document. https://spec.openapis.org/oas/v3.1.1.html
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { type ApiOutput, listNamed } from "../../../src/model/api.ts";
import { type Audience, cacheFor } from "../../../src/model/audience.ts";
import { ownField } from "../../../src/model/fields.ts";
import { hasOrders, isPaged } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import { fieldsInPath } from "../../../src/model/output-path.ts";
import { pathForm } from "../../../src/model/path-form.ts";
import { type Document, jsonType, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { missingError } from "../../pages/answers.ts";
import { allow, bodiesOf, methodNotAllowed } from "../../routing/errors.ts";
import { noticeOf } from "../../routing/notices.ts";
import { openapiPath, referencePath } from "../../routing/paths.ts";
import { outputAddress, requestPath } from "../describe/addresses.ts";
import { accessWords, readingRule } from "../describe/audience.ts";
import { type Endpoint, type HeaderWords, headersFor, meaningOfCache, type Parameter } from "../describe/endpoints.ts";
import { fileEndpointsOf } from "../describe/file-endpoints.ts";
import { errorSchema, type JsonSchemas, jsonSchemas } from "../describe/schemas.ts";
import { cursorPromise, noticeOfApi, noticeText, onlyFiles, titleOf, versionOf } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";

export function openapiDocument(site: Site): Document {
  const document = openapi(site);
  const ids = distinct(site.outputs.map(({ output }) => outputId(output)));
  const outputs = site.outputs.map(({ output, route }, index) => [
    outputAddress(site.api, site.settings.mount, route),
    { get: outputObject(site, output, ids[index] ?? "") },
  ]);
  const whole = { ...document, paths: { ...document.paths, ...Object.fromEntries(outputs) } };
  return textDocument(openapiPath(site.api.base), jsonType, JSON.stringify(whole));
}

/** `/old/{zone}.txt` is `output_old_zone_txt`. The ids of other operations have no underscore before a letter. */
const outputId = ({ path }: ApiOutput): string => `output${path.replace(/[^A-Za-z0-9]+/g, "_").replace(/_$/, "")}`;

/** Ids with a number behind each that would repeat another one. */
function distinct(ids: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    let free = id;
    for (let number = 2; taken.has(free); number++) free = `${id}_${number}`;
    taken.add(free);
    return free;
  });
}

/** The document as an object, without the outputs. */
export function openapi(site: Site) {
  const { api, operations, settings } = site;
  const all =
    api.addressing.parametersIn === "path"
      ? site.endpoints.flatMap((one) => fileEndpointsOf(site, one))
      : site.endpoints;
  const ids = distinct(all.map(({ id }) => id));
  const endpoints = all.map((endpoint, index) => ({ ...endpoint, id: ids[index] ?? "" }));
  const { schemas, names } = jsonSchemas(operations, settings.vocabulary, (name) => ref("schemas", name).$ref);
  const { access, description, url, license, contact } = settings;
  const headers = headersFor(settings);
  return {
    openapi: "3.1.1",
    info: {
      title: titleOf(site),
      version: versionOf(api),
      // Publishers write text and Markdown, but no HTML.
      description: [noticeOfApi(api), description?.replaceAll("<", "&lt;") ?? "", ...generalRules(site)]
        .filter((text) => text !== "")
        .join("\n\n"),
      license: license ?? notStated,
      contact: contact ?? { name: titleOf(site) },
      "x-generator": generator,
    },
    // The schema of OpenAPI requires an absolute address here.
    externalDocs: url === undefined ? undefined : { url: `${url}${referencePath(api.base)}` },
    servers: [{ url: url ?? "/" }],
    security: access === undefined ? [] : [{ access: [] }],
    tags: operations.map(({ name, purpose }) => ({ name, description: purpose })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, { get: operationObject(site, endpoint, endpoints, names) }]),
    ),
    components: {
      schemas,
      ...(access && { securitySchemes: { access: schemeObject(access) } }),
      headers: Object.fromEntries(
        sharedHeaders(site).flatMap((name) => {
          const words = ownField(headers, name);
          return words === undefined ? [] : [[idOf(name), headerObject(words)]];
        }),
      ),
      responses: responseObjects(site),
    },
  };
}

/** SPDX's identifier for no statement. https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/ */
const notStated = { name: "Not stated by the publisher", identifier: "NOASSERTION" };

/** https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object */
function schemeObject({ description, scheme }: NonNullable<Audience["access"]>) {
  if (typeof scheme === "string") return { type: "http", scheme, description };
  const [[place, name] = []] = Object.entries(scheme);
  return { type: "apiKey", in: place, name, description };
}

/** The responses that are components. */
function responseObjects(site: Site) {
  const { api, settings } = site;
  const { kind, answersErrors, setsHeaders } = api.addressing;
  const origin = sharedHeaders(site).filter((name) => name === "Access-Control-Allow-Origin");
  return {
    NotModified: {
      description: "Nothing has changed since the response whose ETag was sent as `If-None-Match`.",
      headers: headerRefs("ETag", ...origin),
    },
    ...(settings.access && {
      Unauthorized: { description: "The host's own answer to readers whom it does not know." },
    }),
    NotFound: errorResponse(
      "Nothing is at this path. Paths are case-sensitive.",
      [missingError(site, kind)],
      setsHeaders ? headersOf(settings, "no-store") : undefined,
    ),
    ...(answersErrors && {
      MethodNotAllowed: errorResponse(`The method is not one of ${allow}.`, [methodNotAllowed], {
        ...headerRefs("Allow"),
        ...headersOf(settings, "no-store"),
      }),
    }),
  };
}

const ref = (kind: "schemas" | "headers" | "responses", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** What all operations share, as paragraphs of Markdown. */
export function generalRules(site: Site): readonly string[] {
  const { parametersIn, answersErrors } = site.api.addressing;
  const next =
    parametersIn === "path"
      ? "the next page is at the same path with `/cursor/` and `pagination.next_cursor` before `.json`."
      : "send `pagination.next_cursor` as `cursor`, with the same other parameters, to get the next page.";
  const paging = `Lists are paged. While \`pagination.has_more\` is true, ${next} ${cursorPromise(site.settings)}`;
  return [
    readingRule(site),
    ...(accessWords(site) === "" ? [] : [accessWords(site)]),
    "Every response has an `ETag`. Send it as `If-None-Match`: the response is `304` while nothing has changed. Browsers do this by themselves.",
    ...(site.operations.some(isPaged) ? [paging] : []),
    "Lists are sorted. Strings compare by code unit, false comes before true, and null comes last.",
    ...(answersErrors ? [] : [onlyFiles]),
    "Errors have the matching HTTP status. Branch on `code`; `message` tells people what is accepted.",
    "Fields, operations and error codes may be added at any time: ignore what you do not know.",
  ];
}

function operationObject(site: Site, endpoint: Endpoint, endpoints: readonly Endpoint[], names: JsonSchemas["names"]) {
  const { api } = site;
  const { operation, isItem, title, purpose, rules, notice } = endpoint;
  const errors = endpoint.errors.flatMap(bodiesOf);
  const { item, answer } = names(operation);
  const about = [...new Set([purpose, operation.meaning])].join(" ");
  return {
    operationId: endpoint.id,
    summary: title,
    description: [about, rules, notice].filter((text) => text !== "").join("\n\n"),
    deprecated: (operation.deprecated ?? api.deprecated) && true,
    tags: [operation.name],
    parameters: endpoint.parameters.map(parameterObject),
    responses: {
      "200": {
        description: endpoint.response,
        headers: { ...answerHeaders(site, operation.cache), ...noticeHeaders(site, endpoint) },
        content: {
          "application/json": {
            schema: ref("schemas", isItem ? item : answer),
            examples: examplesOf(api, endpoint),
          },
        },
        links: nextLink(api, endpoint, endpoints),
      },
      ...commonResponses(site),
      ...(errors.length > 0 && {
        "400": errorResponse(
          "A parameter has a value that is not accepted.",
          errors,
          headersOf(site.settings, "no-store"),
        ),
      }),
    },
  };
}

/** The headers of an answer with the status 200. A host that only serves files chooses the others. */
const answerHeaders = ({ api, settings }: Site, cacheControl: string) => ({
  ...headerRefs("ETag"),
  ...(api.addressing.setsHeaders && headersOf(settings, cacheFor(settings, cacheControl))),
});

/** The responses that every path may have. */
const commonResponses = ({ api: { addressing }, settings }: Site) => ({
  "304": ref("responses", "NotModified"),
  ...(settings.access && { "401": ref("responses", "Unauthorized") }),
  "404": ref("responses", "NotFound"),
  ...(addressing.answersErrors && { "405": ref("responses", "MethodNotAllowed") }),
});

/** An output: one path, whether it is one file or one for each item. Its content is known to the declaration only. */
function outputObject(site: Site, { path, each, contentType, cache, deprecated }: ApiOutput, operationId: string) {
  const { api } = site;
  const noun = each === undefined ? undefined : listNamed(api, each).noun;
  return {
    operationId,
    summary: noun === undefined ? `The file ${path}` : `A file for each ${noun}`,
    description: noticeText(deprecated) || undefined,
    deprecated: deprecated && true,
    tags: each === undefined ? undefined : [each],
    parameters: fieldsInPath(path).map((name) => ({
      name,
      in: "path",
      required: true,
      description: `The ${name} of the ${noun}.`,
      schema: { type: "string", pattern: pathForm },
    })),
    responses: {
      "200": {
        description: "The file.",
        headers: answerHeaders(site, cache),
        content: { [contentType.replace(/ *;.*/, "")]: {} },
      },
      ...commonResponses(site),
    },
  };
}

/** The headers of a deprecated operation. */
function noticeHeaders({ api, operations }: Site, { operation }: Endpoint) {
  if (!api.addressing.setsHeaders) return {};
  const notice = noticeOf(api, operation, operations, {});
  const objectOf = (meaning: string, example: string | undefined) =>
    example === undefined ? undefined : headerObject({ meaning, example });
  return {
    Deprecation: objectOf("since when it is deprecated (RFC 9745).", notice?.["Deprecation"]),
    Sunset: objectOf("when it may be gone (RFC 8594).", notice?.["Sunset"]),
  };
}

const parameterObject = ({ name, in: place, meaning, schema, example, filter }: Parameter) => ({
  name,
  in: place,
  ...(place === "path" && { required: true }),
  description: meaning,
  schema,
  deprecated: filter?.deprecated && true,
  example,
});

/** The longest list that an example shows in full. */
const shown = 10;

/** An answer with more characters of JSON is no example: the document, which has several of each, must fit a string. */
const maxCharacters = 1_000_000;

function examplesOf(api: Site["api"], { operation, example, filtered }: Endpoint) {
  const examples = Object.entries({ first: example, filtered }).flatMap(([name, sample]) => {
    if (sample === undefined) return [];
    const summary = `GET ${requestPath(api, operation, sample)}`;
    const { data } = sample.answer;
    const isCut = Array.isArray(data) && data.length > shown;
    const value = isCut ? { ...sample.answer, data: data.slice(0, shown) } : sample.answer;
    if (JSON.stringify(value).length > maxCharacters) return [];
    const part = isCut ? `: the first ${shown} of ${data.length} items` : "";
    return [[name, { summary: summary + part, value }] as const];
  });
  return Object.fromEntries(examples);
}

/** From `next_cursor` to the request of the next page. */
function nextLink({ addressing }: Site["api"], endpoint: Endpoint, endpoints: readonly Endpoint[]) {
  const { id, isItem, operation, parameters: sent } = endpoint;
  if (isItem || !isPaged(operation)) return undefined;
  if (addressing.parametersIn === "path") {
    const others = sent.map(({ name }) => name).filter((name) => name !== "cursor");
    const fromPath = Object.fromEntries(others.map((name) => [name, `$request.path.${name}`]));
    const wanted = String([...others, "cursor"]);
    const next = endpoints.find(
      (other) => other.operation === operation && String(other.parameters.map(({ name }) => name)) === wanted,
    );
    return nextOperation(next?.id ?? id, fromPath);
  }
  const filters = operation.filters.map(({ param }) => param);
  const same = ["limit", ...(hasOrders(operation) ? [sortParam] : []), ...filters];
  return nextOperation(id, Object.fromEntries(same.map((name) => [name, `$request.query.${name}`])));
}

const nextOperation = (operationId: string, same: Readonly<Record<string, string>>) => ({
  next: {
    operationId,
    description: "The next page, if `has_more` is true.",
    parameters: { ...same, cursor: "$response.body#/pagination/next_cursor" },
  },
});

const headerObject = ({ meaning, example }: HeaderWords) => ({
  description: meaning,
  schema: { type: "string" },
  example,
});

/** The names of the headers of every response. */
function commonHeaders(audience: Audience): readonly string[] {
  const known = headersFor(audience);
  const names = [
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "X-Content-Type-Options",
    "Link",
    "Vary",
  ];
  return names.filter((name) => Object.hasOwn(known, name));
}

/** The names of the headers that are components. A host that only serves files chooses its other headers. */
const sharedHeaders = ({ api, settings }: Site): readonly string[] =>
  api.addressing.setsHeaders ? [...commonHeaders(settings), "ETag", "Allow"] : ["ETag"];

/** The name of a header's component. */
const idOf = (header: string): string => header.replaceAll("-", "");

const headerRefs = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref("headers", idOf(name))]));

const headersOf = (audience: Audience, cacheControl: string) => ({
  "Cache-Control": headerObject({ meaning: meaningOfCache, example: cacheControl }),
  ...headerRefs(...commonHeaders(audience)),
});

/** Examples are named by code, a conflict of filters by its parameter. */
const errorResponse = (description: string, errors: readonly ErrorBody[], headers: object | undefined) => ({
  description,
  headers,
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
