// The document at the base of the API: its operations and its documents, for programs and for people with curl.
import { filtersOf, type Operation } from "../../src/operation.ts";
import { type Document, json, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { apiFolder } from "../routing/paths.ts";
import { type DocumentSource, titleOf, versionOf } from "./source.ts";

export function overview(
  source: DocumentSource,
  documents: readonly Pick<Document, "path" | "contentType">[],
): Document {
  const { base } = source.api;
  const { description } = source.settings;
  const body = {
    generator,
    title: titleOf(source),
    ...(description === undefined ? {} : { description }),
    version: versionOf(source),
    operations: source.operations.map((operation) => ({
      name: operation.name,
      description: operation.purpose,
      path: `${base}/${operation.name}`,
      parameters: parameterNames(operation),
      ...listRules(operation),
      cache: operation.cacheControl,
    })),
    documents: documents.map(({ path, contentType }) => ({ path, type: contentType })),
  };
  const about = {
    path: base,
    file: `${apiFolder(base)}.json`,
    contentType: json,
    cacheControl: minutes,
    mark: generator,
  };
  return textDocument(about, JSON.stringify(body));
}

/** How lists are keyed, ordered and filtered, in the terms of the declaration. Clients compare items by the order. */
const listRules = (operation: Operation) =>
  operation.kind === "document"
    ? {}
    : {
        key: operation.resource.key,
        order: operation.order,
        filters: Object.fromEntries(operation.filters.map(({ param, field }) => [param, field])),
      };

const parameterNames = (operation: Operation): readonly string[] => [
  ...filtersOf(operation).map(({ param }) => param),
  ...(operation.kind === "list" && operation.paged ? ["limit", "cursor"] : []),
];
