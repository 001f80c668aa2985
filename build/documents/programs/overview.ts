// The document at the base of the API: its operations and documents, for programs and for people with curl.
import { declaredAliases } from "../../../src/model/aliases.ts";
import { cacheFor } from "../../../src/model/audience.ts";
import type { Filter } from "../../../src/model/filter.ts";
import { keyFields } from "../../../src/model/key.ts";
import { filtersOf, hasOrders, isPaged, type Operation } from "../../../src/model/operation.ts";
import { declaredOrder, sortParam } from "../../../src/model/order.ts";
import { everyPageSize } from "../../../src/model/paging.ts";
import type { Catalog, OtherApi } from "../../content/catalog.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { type Document, jsonType, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import type { OutputFiles } from "../../pages/outputs.ts";
import { apiFolder } from "../../routing/paths.ts";
import { itemPath, outputAddress, requestPath } from "../describe/addresses.ts";
import { titleOf, versionOf } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";

export function overview(site: Site, documents: readonly Document[]): Document {
  const { base } = site.api;
  const body = {
    generator,
    title: titleOf(site),
    description: site.settings.description,
    version: versionOf(site.api),
    addresses: site.api.addressing.kind === "files" ? "files" : undefined,
    deprecated: site.api.deprecated,
    access: site.settings.access,
    origins: site.settings.origins === "any" ? undefined : site.settings.origins,
    operations: site.operations.map((operation) => ({
      name: operation.name,
      description: operation.purpose,
      path: requestPath(site.api, operation),
      parameters: parametersOf(operation),
      ...listRules(site, operation),
      cache: cacheFor(site.settings, operation.cache),
      ...deprecations(operation),
    })),
    documents: documents.map((document) => ({ path: addressOf(site, document), type: document.contentType })),
    outputs: site.outputs.length === 0 ? undefined : site.outputs.map((files) => outputEntry(site, files)),
  };
  return textDocument(base, jsonType, JSON.stringify(body), `${apiFolder(base)}.json`);
}

/** The parameters that requests may have. */
export const parametersOf = (operation: Operation): readonly string[] => [
  ...(hasOrders(operation) ? [sortParam] : []),
  ...filtersOf(operation).map(({ param }) => param),
  ...(isPaged(operation) ? ["limit", "cursor"] : []),
];

/** The number of items, and the key, order and filters of a list, in the terms of the declaration. Clients compare items by the order. */
export function listRules({ api, settings, catalog }: Site, operation: Operation) {
  if (operation.kind === "document") return {};
  const { name, order, orders, filters, together, paged, item, brief } = operation;
  const sizes = pageSizesOf(settings, name);
  return {
    total: catalog.items.get(name)?.count ?? 0,
    key: operation.scope.length === 0 ? operation.key : keyFields(operation),
    order: order.map(declaredOrder),
    orders:
      orders.length === 0
        ? undefined
        : Object.fromEntries(orders.map(({ name, fields }) => [name, fields.map(declaredOrder)])),
    filters: Object.fromEntries(filters.map((filter) => [filter.param, filterRule(filter)])),
    together: together.length === 0 ? undefined : together,
    // As in api.yaml.
    page_sizes: paged ? (sizes.length === everyPageSize.length ? "every" : sizes) : undefined,
    item: item && itemPath(api, operation),
    aliases: item?.aliases && declaredAliases(item.aliases),
    brief,
  };
}

const outputEntry = ({ api, settings }: Site, { output, route }: OutputFiles) => ({
  path: outputAddress(api, settings.mount, route),
  type: output.contentType,
  cache: cacheFor(settings, output.cache),
  each: output.each,
  deprecated: output.deprecated,
});

/** The path of a document: that of its file on a host that only serves files, which has the index of a folder at the folder. */
function addressOf({ api, settings: { mount } }: Site, { path, file }: Document): string {
  if (api.addressing.kind === "queries") return path;
  const address = `/${file}`.replace(/\/index\.html$/, "/");
  return address.startsWith(`${mount}/`) ? address : mount + address;
}

function filterRule({ field, by }: Filter) {
  if (by === "function") return { derived: true };
  if (by === "names") return { keysOf: field };
  return by === "slug" ? { field, slug: true } : field;
}

/** The deprecations of an operation, of its filters, orders and fields. */
function deprecations(operation: Operation) {
  const filters = filtersOf(operation).flatMap(({ param, deprecated }) => (deprecated ? [[param, deprecated]] : []));
  const sorts = operation.kind === "list" ? operation.orders : [];
  const orders = sorts.flatMap(({ name, deprecated }) => (deprecated ? [[name, deprecated]] : []));
  const fields = operation.deprecatedFields;
  return {
    deprecated: operation.deprecated,
    deprecated_filters: filters.length > 0 ? Object.fromEntries(filters) : undefined,
    deprecated_orders: orders.length > 0 ? Object.fromEntries(orders) : undefined,
    deprecated_fields: Object.keys(fields).length > 0 ? fields : undefined,
  };
}

/** An API as the documents of the others of its build name it. */
export const otherApi = ({ api, settings }: Catalog): OtherApi => ({
  base: api.base,
  title: settings.title,
  deprecated: api.deprecated,
});
