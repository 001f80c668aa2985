// What the script of a table knows about its list.
import { filtersPath, listNamed } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import { keyFields } from "../../../src/resource.ts";
import { type DocumentSource, dataPagePath, documentPaths, hasItems, isServed, requestPath } from "../source.ts";
import type { CellColumn, ListData, Referrer, TableData } from "./cells.ts";
import { mostRows } from "./table.ts";

export function tableData(
  source: DocumentSource,
  operation: ListOperation,
  title: string,
  columns: readonly CellColumn[],
): TableData {
  const { api } = source;
  const { name, resource, filters, paged, together } = operation;
  const references = [
    ...resource.references.map(({ field, to }) => [field.replaceAll("[]", ""), to] as const),
    ...filters.flatMap(({ field, accepts }) =>
      field !== undefined && accepts.kind === "keys" ? [[field, accepts.of] as const] : [],
    ),
  ].filter(([, to]) => isServed(source, to));
  return {
    ...listData(source, operation),
    script: documentPaths(api.base).itemsScript,
    ...{ request: requestPath(api, operation), title, noun: resource.noun, nouns: resource.nouns },
    ...{ columns, rows: mostRows, paged, together },
    hasItems: hasItems(operation),
    filters: filters.map(({ param, field, by }) => ({ param, field, by })),
    values: filtersPath(api.base, name),
    lists: Object.fromEntries(references.map(([, to]) => [to, listData(source, listNamed(api, to))])),
    references,
    referrers: api.lists.flatMap((each) => referrersIn(source, each, name)),
  };
}

/** The most bytes that a browser loads at once. */
const mostBytes = 10_000_000;

function listData(source: DocumentSource, operation: ListOperation): ListData {
  const dump = source.related.find(({ path }) => path === `${source.api.base}/dumps/${operation.name}.ndjson`);
  return {
    table: dataPagePath(source, operation),
    dump: dump !== undefined && (dump.length ?? 0) <= mostBytes ? dump.path : undefined,
    keys: keyFields(operation.resource),
  };
}

function referrersIn(source: DocumentSource, operation: ListOperation, name: string): readonly Referrer[] {
  const table = dataPagePath(source, operation);
  if (table === undefined) return [];
  const { noun, nouns } = operation.resource;
  return operation.filters
    .filter(({ accepts }) => accepts.kind === "keys" && accepts.of === name)
    .map(({ param }) => ({ table, param, values: filtersPath(source.api.base, operation.name), noun, nouns }));
}
