// The OpenAPI document, generated from the table of operations and the zod schemas.
// https://spec.openapis.org/oas/v3.1.1.html
import type { ListOperation, Operation } from "../../src/operation.ts";
import type { Document } from "../document.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";
import { exampleOf, filteredExampleOf, itemExampleOf } from "./examples.ts";
import { commonHeaders, headersOf, notModified } from "./openapi-headers.ts";
import { itemOperationId, keyParameters, nextLink, operationId, parametersOf } from "./openapi-parameters.ts";
import { errorResponses, sharedResponses } from "./openapi-responses.ts";
import { cursorPromise, isPlainOrder, orderList } from "./paging-text.ts";
import { answerSchemas } from "./schemas.ts";
import { type DocumentSource, itemPath, requestPath, titleOf, versionOf } from "./source.ts";

export const openapiDocument = (source: DocumentSource): Document => ({
  path: openapiPath(source.api.base),
  file: openapiPath(source.api.base).slice(1),
  contentType: "application/json",
  cacheControl: "public, max-age=300",
  mark: generator,
  parts: () => [encode(JSON.stringify(openapi(source)))],
});

/** The document as an object. */
export function openapi(source: DocumentSource) {
  const { schemas, answerOf } = answerSchemas(source.operations, source.settings.vocabulary, schemaUri);
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
      source.operations.flatMap((operation) => pathsOf(source, operation, answerOf(operation))),
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

interface Answers {
  readonly get: ReturnType<typeof operationObject> | ReturnType<typeof itemObject>;
}

/** The paths of an operation, each with the description of its answers. */
function pathsOf(
  source: DocumentSource,
  operation: Operation,
  answer: string,
): readonly (readonly [path: string, answers: Answers])[] {
  const own = [requestPath(source.api, operation), { get: operationObject(source, operation, answer) }] as const;
  if (operation.kind === "document" || operation.item === undefined) return [own];
  return [own, [itemPath(source.api, operation), { get: itemObject(source, operation) }]];
}

function operationObject(source: DocumentSource, operation: Operation, answer: string) {
  return {
    operationId: operationId(operation),
    summary: summaryOf(operation),
    description: descriptionOf(operation),
    tags: [operation.name],
    parameters: [...parametersOf(source, operation), { $ref: "#/components/parameters/IfNoneMatch" }],
    responses: {
      "200": {
        description: operation.kind === "list" ? "The items, in order." : "The document.",
        headers: headersOf(operation.cacheControl),
        content: {
          "application/json": { schema: { $ref: schemaUri(answer) }, examples: examplesOf(source, operation) },
        },
        ...nextLink(operation),
      },
      "304": { $ref: "#/components/responses/NotModified" },
      ...errorResponses(source, operation),
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
    parameters: [...keyParameters(source, operation), { $ref: "#/components/parameters/IfNoneMatch" }],
    responses: {
      "200": {
        description: `The ${resource.noun}.`,
        headers: headersOf(cacheControl),
        content: {
          "application/json": {
            schema: { $ref: schemaUri(resource.title) },
            examples: example === undefined ? {} : { first: { summary, value: example.answer } },
          },
        },
      },
      "304": { $ref: "#/components/responses/NotModified" },
      "404": { $ref: "#/components/responses/NotFound" },
      "405": { $ref: "#/components/responses/MethodNotAllowed" },
    },
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
  const first = exampleOf(source, operation);
  const filtered = operation.kind === "list" ? filteredExampleOf(source, operation) : undefined;
  const examples = [
    ...(first === undefined ? [] : [["first", first] as const]),
    ...(filtered === undefined ? [] : [["filtered", filtered] as const]),
  ];
  return Object.fromEntries(
    examples.map(([name, { query, answer }]) => {
      const { data, pagination } = answer;
      const request = `GET ${requestPath(source.api, operation, query)}`;
      if (pagination !== undefined || !Array.isArray(data) || data.length <= shown) {
        return [name, { summary: request, value: answer }];
      }
      const summary = `${request}, of whose ${data.length} items the first ${shown} are shown`;
      return [name, { summary, value: { ...answer, data: data.slice(0, shown) } }];
    }),
  );
}

function introduction(source: DocumentSource): string {
  const parts = ["Everything is read with GET, without authentication, from any origin. Every response is JSON."];
  if (source.operations.some((operation) => operation.kind === "list" && operation.paged)) {
    parts.push(
      "Lists are paged. While `pagination.has_more` is true, send `pagination.next_cursor` as `cursor`, with the same " +
        `other parameters, to get the next page. ${cursorPromise(source.settings.cursorLifetime)}`,
    );
  }
  parts.push(
    "Errors have the matching HTTP status. Branch on `code`; `message` tells people what is accepted.",
    "Fields, operations and error codes may be added at any time: ignore what you do not know.",
  );
  return parts.join("\n\n");
}
