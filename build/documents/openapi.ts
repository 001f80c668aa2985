// The OpenAPI document, generated from the table of operations and the zod schemas.
// https://spec.openapis.org/oas/v3.1.1.html
import type { ListOperation, Operation } from "../../src/operation.ts";
import { type Document, json, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";
import { exampleOf, filteredExampleOf, itemExampleOf } from "./examples.ts";
import { itemOperationId, keyParameters, nextLink, operationId, parametersOf } from "./openapi-parameters.ts";
import { commonHeaders, invalidParameter, notModified, responsesOf, sharedResponses } from "./openapi-responses.ts";
import { jsonSchemas } from "./schemas.ts";
import { type DocumentSource, hasItems, isPaged, itemPath, requestPath, titleOf, versionOf } from "./source.ts";
import { cursorPromise, isPlainOrder, orderList } from "./texts.ts";

export const openapiDocument = (source: DocumentSource): Document =>
  textDocument(openapiPath(source.api.base), json, JSON.stringify(openapi(source)));

/** The document as an object. */
export function openapi(source: DocumentSource) {
  const { schemas, answerOf } = jsonSchemas(source.operations, source.settings.vocabulary, schemaUri);
  const { description, url, license, contact } = source.settings;
  return {
    openapi: "3.1.1",
    info: {
      title: titleOf(source),
      version: versionOf(source),
      description: [...(description === undefined ? [] : [markdown(description)]), introduction(source)].join("\n\n"),
      license: license ?? notStated,
      contact: contact ?? { name: titleOf(source) },
      "x-generator": generator,
    },
    // The schema of OpenAPI requires an absolute address here.
    ...(url === undefined ? {} : { externalDocs: { url: `${url}${referencePath(source.api.base)}` } }),
    servers: [{ url: url ?? "/" }],
    security: [],
    tags: source.operations.map(({ name, purpose }) => ({ name, description: purpose })),
    paths: Object.fromEntries(
      source.operations.flatMap((operation): readonly (readonly [path: string, item: PathItem])[] => [
        [requestPath(source.api, operation), { get: operationObject(source, operation, answerOf(operation)) }],
        ...(hasItems(operation)
          ? [[itemPath(source.api, operation), { get: itemObject(source, operation) }] as const]
          : []),
      ]),
    ),
    components: {
      schemas,
      headers: commonHeaders(source.api.base),
      parameters: notModified.parameters,
      responses: { ...notModified.responses, ...sharedResponses(source) },
    },
  };
}

/** SPDX's identifier for no statement. https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/ */
const notStated = { name: "Not stated by the publisher", identifier: "NOASSERTION" };

/** Escapes HTML: publishers write text and Markdown. */
const markdown = (text: string): string => text.replaceAll("<", "&lt;");

const schemaUri = (name: string): string => `#/components/schemas/${name}`;

interface PathItem {
  readonly get: ReturnType<typeof operationObject> | ReturnType<typeof itemObject>;
}

const ifNoneMatch = { $ref: "#/components/parameters/IfNoneMatch" };

function operationObject(source: DocumentSource, operation: Operation, answer: string) {
  const content = { schema: { $ref: schemaUri(answer) }, examples: examplesOf(source, operation) };
  const meaning = operation.kind === "list" ? "The items, in order." : "The document.";
  const { "200": success, ...others } = responsesOf(operation.cacheControl, meaning, content);
  return {
    operationId: operationId(operation),
    summary: summaryOf(operation),
    description: descriptionOf(operation),
    tags: [operation.name],
    parameters: [...parametersOf(source, operation), ifNoneMatch],
    responses: {
      "200": { ...success, ...nextLink(operation) },
      ...others,
      ...invalidParameter(source, operation),
    },
  };
}

/** The operation that returns a single item. */
function itemObject(source: DocumentSource, operation: ListOperation) {
  const { name, resource, cacheControl, brief } = operation;
  const example = itemExampleOf(source, operation);
  const summary = example && `GET ${itemPath(source.api, operation, example.key)}`;
  const fields = brief === undefined ? "" : " It has all fields; lists have some of them.";
  return {
    operationId: itemOperationId(operation),
    summary: `One ${resource.noun}`,
    description: `${resource.meaning}${fields}`,
    tags: [name],
    parameters: [...keyParameters(source, operation), ifNoneMatch],
    responses: responsesOf(cacheControl, `The ${resource.noun}.`, {
      schema: { $ref: schemaUri(resource.title) },
      examples: example === undefined ? {} : { first: { summary, value: example.answer } },
    }),
  };
}

/** The purpose as a title, without the full stop. */
const summaryOf = ({ purpose }: Operation): string => purpose.replace(/\.$/, "");

function descriptionOf(operation: Operation): string {
  if (operation.kind === "document") return `${operation.purpose} ${operation.resource.meaning}`;
  const { paged, resource } = operation;
  const sorted = isPlainOrder(operation)
    ? `Items ascend by ${orderList(operation)}, compared by code unit.`
    : `Items are sorted by ${orderList(operation)}. Texts compare by code unit, false is before true, and null is last.`;
  const whole = paged ? "Paged: follow `pagination.next_cursor`." : "Returns all of them at once.";
  const brief = operation.brief === undefined ? "" : " The items have some of their fields; single items have all.";
  return `${operation.purpose} ${resource.meaning}\n\n${sorted} ${whole}${brief}`;
}

/** The longest list that an example shows in full. */
const shown = 10;

function examplesOf(source: DocumentSource, operation: Operation) {
  const examples = {
    first: exampleOf(source, operation),
    filtered: operation.kind === "list" ? filteredExampleOf(source, operation) : undefined,
  };
  return Object.fromEntries(
    Object.entries(examples).flatMap(([name, example]) => {
      if (example === undefined) return [];
      const { query, answer } = example;
      const { data, pagination } = answer;
      const request = `GET ${requestPath(source.api, operation, query)}`;
      if (pagination !== undefined || !Array.isArray(data) || data.length <= shown) {
        return [[name, { summary: request, value: answer }]];
      }
      const summary = `${request}, of whose ${data.length} items the first ${shown} are shown`;
      return [[name, { summary, value: { ...answer, data: data.slice(0, shown) } }]];
    }),
  );
}

function introduction({ operations, settings }: DocumentSource): string {
  const paging =
    "Lists are paged. While `pagination.has_more` is true, send `pagination.next_cursor` as `cursor`, with the same " +
    `other parameters, to get the next page. ${cursorPromise(settings.cursorLifetime)}`;
  return [
    "Everything is read with GET, without authentication, from any origin. Every response is JSON.",
    ...(operations.some(isPaged) ? [paging] : []),
    "Errors have the matching HTTP status. Branch on `code`; `message` tells people what is accepted.",
    "Fields, operations and error codes may be added at any time: ignore what you do not know.",
  ].join("\n\n");
}
