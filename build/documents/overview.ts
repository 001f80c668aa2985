// The documents by which programs find the API: its operations and documents at its base, also for people with curl, and
// the API catalogue of the host.
import type { Api } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import { filtersOf, type Operation } from "../../src/operation.ts";
import { declaredOrder } from "../../src/order.ts";
import { everyPageSize, type PageSizes } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import { type Document, json, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { apiFolder } from "../routing/paths.ts";
import { type DocumentSource, documentPaths, isPaged, itemPath, titleOf, versionOf } from "./source.ts";

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
      ...listRules(source.api, operation, source.sizesOf(operation.name)),
      cache: operation.cacheControl,
      ...deprecations(operation),
    })),
    documents: documents.map(({ path, contentType }) => ({ path, type: contentType })),
  };
  return textDocument(base, json, JSON.stringify(body), `${apiFolder(base)}.json`);
}

/** How lists are keyed, ordered and filtered, in the terms of the declaration. Clients compare items by the order. */
const listRules = (api: Pick<Api, "base">, operation: Operation, sizes: PageSizes) =>
  operation.kind === "document"
    ? {}
    : {
        key: operation.resource.scope.length === 0 ? operation.resource.key : keyFields(operation.resource),
        order: operation.order.map(declaredOrder),
        filters: Object.fromEntries(operation.filters.map((filter) => [filter.param, filterRule(filter)])),
        ...(operation.together.length === 0 ? {} : { together: operation.together }),
        ...(operation.paged ? { page_sizes: sizesText(sizes) } : {}),
        ...(operation.item === undefined ? {} : { item: itemPath(api, operation) }),
        ...(operation.item?.aliases === undefined ? {} : { aliases: operation.item.aliases }),
        ...(operation.brief === undefined ? {} : { brief: operation.brief }),
      };

/** What will go: the operation, or filters and fields of it. */
function deprecations(operation: Operation) {
  const { deprecated, resource } = operation;
  const filters = filtersOf(operation).flatMap((each) => (each.deprecated ? [[each.param, each.deprecated]] : []));
  return {
    ...(deprecated && { deprecated }),
    ...(filters.length > 0 && { deprecated_filters: Object.fromEntries(filters) }),
    ...(Object.keys(resource.deprecated).length > 0 && { deprecated_fields: resource.deprecated }),
  };
}

/** As in api.yaml. */
const sizesText = (sizes: PageSizes): PageSizes | "every" => (sizes.length === everyPageSize.length ? "every" : sizes);

function filterRule({ field, by }: Filter) {
  if (by === "function") return { derived: true };
  if (by === "names") return { keysOf: field };
  return by === "slug" ? { field, slug: true } : field;
}

const parameterNames = (operation: Operation): readonly string[] => [
  ...filtersOf(operation).map(({ param }) => param),
  ...(isPaged(operation) ? ["limit", "cursor"] : []),
];

/** A link set (RFC 9264) by which programs that know only the host find the API (RFC 9727). */
export function apiCatalog({ api: { base }, operations, settings: { url = "" }, changes }: DocumentSource): Document {
  const { openapi, reference, feed } = documentPaths(base);
  const link = (to: string, type: string) => [{ href: `${url}${to}`, type }];
  const states = operations.filter((operation) => operation.kind === "document" && operation.required === true);
  const linkset = [
    {
      anchor: `${url}${base}`,
      generator: [generator],
      "service-desc": link(openapi, json),
      "service-doc": link(reference, "text/html"),
      ...(changes === undefined ? {} : { alternate: link(feed, "application/atom+xml") }),
      ...(states.length === 0 ? {} : { status: states.flatMap(({ name }) => link(`${base}/${name}`, json)) }),
    },
  ];
  return textDocument("/.well-known/api-catalog", "application/linkset+json", JSON.stringify({ linkset }));
}
