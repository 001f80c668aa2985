// Routing tables of paged collections with several filters, for tests. No collection of the API has them.
import { clashWith } from "../../build/routing/errors.ts";
import { makeTable, type Param, type RoutingTable, type TableOperation } from "../../build/routing/table.ts";
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
    ...dumps.map((each) => ({ ...each, file: each.path.slice(1) })),
  ]);
  const model = table.operations.find(({ name }) => name !== kept);
  if (model === undefined) throw new Error("The table has no paged operation.");
  return {
    ...table,
    operations: [
      ...table.operations.filter(({ name }) => name === kept),
      ...collections.map((each) => operationOf(model, each)),
    ],
  };
}

function operationOf(model: TableOperation, { name, filters, together, paged = true }: Collection): TableOperation {
  const of = (kind: Param["kind"]) => model.params.filter((param) => paged && param.kind === kind);
  const params = [
    ...of("limit").map((param) => withError(param, name, param.error.body.message)),
    ...filters.map((param): Param => {
      const { clash } = clashWith(param, filters, together);
      const own: Param = {
        kind: "filter",
        name: param,
        slot: param.replaceAll("-", "_"),
        form: "^[a-z]+$",
        error: failure(
          name,
          `invalid_${param}`,
          param,
          `${param} must be the code of a thing listed at /api/v1/${param}s.`,
        ),
      };
      if (clash === undefined) return own;
      return { ...own, clash: failure(name, `together_${param}`, param, clash.message) };
    }),
    ...of("cursor").map((param) =>
      withError(
        param,
        name,
        `cursor is unknown or has expired. Send it without limit and with the ${filters.length > 1 ? "filters" : filters[0]} of the request that returned it, or start again at /api/v1/${name}.`,
      ),
    ),
  ];
  const ends = ["limit", "cursor"].filter(() => paged);
  return {
    name,
    path: `/api/v1/${name}`,
    cacheControl: `max-age=${name.length}`,
    params,
    pathOrder: [...filters.map((param) => param.replaceAll("-", "_")), ...ends],
    ...(together === undefined ? {} : { together: together.map((each) => [...each]) }),
  };
}

const withError = (param: Param, operation: string, message: string): Param => ({
  ...param,
  error: failure(operation, `invalid_${param.name}`, param.name, message),
});

const failure = (operation: string, file: string, param: string, message: string): Param["error"] => ({
  status: 400,
  file: `api/v1/errors/${operation}/${file}.json`,
  body: { object: "error", status: 400, code: `invalid_${param}`, message, param },
});
