// Routing tables of paged collections with several filters, for tests. No collection of the API has them.
import { conflictWith } from "../../build/routing/errors.ts";
import {
  makeTable,
  type RoutingTable,
  type TableError,
  type TableFilter,
  type TableOperation,
} from "../../build/routing/table.ts";
import type { ErrorBody } from "../../src/answers/answers.ts";
import type { PageSizes } from "../../src/model/paging.ts";
import { edgeNetwork } from "../edge-network.ts";

export interface Collection {
  readonly name: string;
  readonly filters: readonly string[];
  readonly together?: readonly (readonly string[])[];
  /** Whether it has `limit` and `cursor`. True by default. */
  readonly paged?: boolean;
}

const kept = "status";

/** The table of these collections, and of an operation without parameters. */
export function tableOf(collections: readonly Collection[], sizes: PageSizes): RoutingTable {
  const document = { contentType: "application/json", cacheControl: "no-store" };
  const description = { ...document, path: "/api/v1/openapi.json", file: "api/v1/openapi.json" };
  const dumps = collections.map(({ name }) => ({ ...document, path: `/api/v1/dumps/${name}.ndjson` }));
  const table = makeTable(edgeNetwork, ["nodes", kept], () => sizes, [
    description,
    ...dumps.map((dump) => ({ ...dump, file: dump.path.slice(1) })),
  ]);
  const model = table.operations.find(({ name }) => name !== kept);
  if (model === undefined) throw new Error("The table has no paged operation.");
  return {
    ...table,
    operations: [
      ...table.operations.filter(({ name }) => name === kept),
      ...collections.map((collection) => operationOf(model, collection)),
    ],
  };
}

function operationOf(model: TableOperation, { name, filters, together, paged = true }: Collection): TableOperation {
  const { limit, cursor } = model;
  if (limit === undefined || cursor === undefined) throw new Error(`${model.name} is not paged.`);
  const sentWith = filters.length > 1 ? "filters" : filters[0];
  const expired = `cursor is unknown or has expired. Send it without limit and with the ${sentWith} of the request that returned it, or start again at /api/v1/${name}.`;
  return {
    name,
    path: `/api/v1/${name}`,
    cacheControl: `max-age=${name.length}`,
    ...(paged && { limit: { ...limit, error: failure(name, "invalid_limit", "limit", limit.error.body.message) } }),
    filters: filters.map((param) => filterOf(name, param, conflictWith(param, filters, together).conflict)),
    ...(paged && { cursor: { error: failure(name, "invalid_cursor", "cursor", expired) } }),
    ...(together === undefined ? {} : { together: together.map((params) => [...params]) }),
  };
}

function filterOf(operation: string, name: string, conflict: ErrorBody | undefined): TableFilter {
  const message = `${name} must be the code of a thing listed at /api/v1/${name}s.`;
  const filter = { name, error: failure(operation, `invalid_${name}`, name, message) };
  if (conflict === undefined) return filter;
  return { ...filter, conflict: failure(operation, `together_${name}`, name, conflict.message) };
}

const failure = (operation: string, file: string, param: string, message: string): TableError => ({
  status: 400,
  file: `api/v1/errors/${operation}/${file}.json`,
  body: { object: "error", status: 400, code: `invalid_${param}`, message, param },
});
