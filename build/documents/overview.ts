// What there is at the base of the API: its operations and its documents, for programs and for people with curl.
import { base, filtersOf, type Operation, operations } from "../../src/operations.ts";
import { apiVersion } from "../../src/resources/status.ts";
import { apiFolder } from "../routing/paths.ts";
import { type Document, json, minutes, textDocument } from "./document.ts";
import type { DocumentContext } from "./documents.ts";

export function overview(
  { deployment, settings }: DocumentContext,
  documents: readonly Pick<Document, "path" | "contentType">[],
): Document {
  const { title = "Edge API", description } = settings;
  const body = {
    title,
    ...(description === undefined ? {} : { description }),
    version: apiVersion,
    operations: operations
      .filter(({ name }) => deployment.operations.includes(name))
      .map((operation) => ({
        name: operation.name,
        description: operation.purpose,
        path: `${base}/${operation.name}`,
        parameters: parametersOf(operation),
      })),
    documents: documents.map(({ path, contentType }) => ({ path, type: contentType })),
  };
  const about = { path: base, file: `${apiFolder}.json`, contentType: json, cacheControl: minutes };
  return textDocument(about, JSON.stringify(body));
}

const parametersOf = (operation: Operation): readonly string[] => [
  ...filtersOf(operation).map(({ param }) => param),
  ...(operation.kind === "list" && operation.paged ? ["limit", "cursor"] : []),
];
