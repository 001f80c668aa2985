// The document at the base of the API: its operations and its documents, for programs and for people with curl.
import type { Api } from "../../src/api.ts";
import { type Filter, filtersOf, type Operation, orderName } from "../../src/operation.ts";
import { keyFields } from "../../src/resource.ts";
import { type Document, json, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { apiFolder } from "../routing/paths.ts";
import { type DocumentSource, itemPath, titleOf, versionOf } from "./source.ts";

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
      ...listRules(source.api, operation),
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
const listRules = (api: Pick<Api, "base">, operation: Operation) =>
  operation.kind === "document"
    ? {}
    : {
        key: operation.resource.scope.length === 0 ? operation.resource.key : keyFields(operation.resource),
        order: operation.order.map(orderName),
        filters: Object.fromEntries(operation.filters.map((filter) => [filter.param, filterRule(filter)])),
        ...(operation.item === undefined ? {} : { item: itemPath(api, operation) }),
        ...(operation.brief === undefined ? {} : { brief: operation.brief }),
      };

function filterRule({ field, by }: Filter) {
  if (by === "names") return { keysOf: field };
  return by === "slug" ? { field, slug: true } : field;
}

const parameterNames = (operation: Operation): readonly string[] => [
  ...filtersOf(operation).map(({ param }) => param),
  ...(operation.kind === "list" && operation.paged ? ["limit", "cursor"] : []),
];
