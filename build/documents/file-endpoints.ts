// The requests of a host that only serves files: each set of parameters that a list accepts is a path of its own.
import { combinationsOf } from "../../src/model/filter.ts";
import { isPaged, type ListOperation } from "../../src/model/operation.ts";
import { sortParam } from "../../src/model/order.ts";
import { defaultLimit } from "../../src/model/paging.ts";
import { filterValues, pageSizesOf } from "../content/catalog.ts";
import { pathPart } from "../routing/paths.ts";
import { pascal } from "../text/words.ts";
import { requestPath } from "./addresses.ts";
import { type Endpoint, type Parameter, typedValue } from "./endpoints.ts";
import type { Example } from "./examples.ts";
import type { SiteData } from "./site-data.ts";

/** The paths of the files of an endpoint. Single items and documents have one. */
export function fileEndpointsOf(data: SiteData, endpoint: Endpoint): readonly Endpoint[] {
  const { operation, isItem } = endpoint;
  if (operation.kind === "document" || isItem) return [endpoint];
  return parameterSets(operation).map((names) => {
    const isOf = (example: Example | undefined): boolean =>
      example !== undefined && `${[...new URLSearchParams(example.query).keys()]}` === `${names}`;
    return {
      ...endpoint,
      id: fileId(endpoint.id, names),
      title: names.length === 0 ? endpoint.title : `${endpoint.title} by ${names.join(", ")}`,
      path: pathOf(data, operation, names),
      parameters: names.flatMap((name) => {
        const parameter = endpoint.parameters.find((one) => one.name === name);
        return parameter === undefined ? [] : [inPath(data, operation, parameter)];
      }),
      example: isOf(endpoint.example) ? endpoint.example : undefined,
      filtered: isOf(endpoint.filtered) ? endpoint.filtered : undefined,
    };
  });
}

/** `listNodes` with `region` and `limit` is `listNodesByRegionLimit`. */
export const fileId = (id: string, names: readonly string[]): string =>
  names.length === 0 ? id : `${id}By${names.map(pascal).join("")}`;

/** `/api/v1/nodes/region/{region}/limit/{limit}.json` */
const pathOf = ({ api }: SiteData, operation: ListOperation, names: readonly string[]): string =>
  requestPath(api, operation).replace(/\.json$/, `${names.map((name) => pathPart(name, `{${name}}`)).join("")}.json`);

/** The parameters of each path, in their order in it. */
function parameterSets(operation: ListOperation): readonly (readonly string[])[] {
  const filters = [[], ...combinationsOf(operation).map((set) => set.map(({ param }) => param))];
  const sorts = operation.orders.length === 0 ? [[]] : [[], [sortParam]];
  const ends = isPaged(operation) ? [[], ["limit"], ["cursor"], ["limit", "cursor"]] : [[]];
  return sorts.flatMap((sort) => filters.flatMap((chosen) => ends.map((end) => [...sort, ...chosen, ...end])));
}

/** Each part of a path needs an example. The default limit has no part in a path. */
function inPath(data: SiteData, operation: ListOperation, parameter: Parameter): Parameter {
  const { name, example, filter } = parameter;
  if (name === sortParam) return { ...parameter, in: "path", example: example ?? operation.orders[0]?.name };
  if (filter !== undefined) {
    const [first] = filterValues(data.catalog, operation, filter);
    return { ...parameter, in: "path", example: example ?? (first && typedValue(filter, first)) };
  }
  if (name !== "limit") return { ...parameter, in: "path" };
  const sizes = pageSizesOf(data.settings, operation.name);
  const values = sizes.filter((size) => size !== defaultLimit);
  const isEvery = values.length === defaultLimit - 1;
  return {
    ...parameter,
    in: "path",
    meaning: `${parameter.meaning} Without this part of the path, pages have ${defaultLimit} items.`,
    schema: isEvery ? { type: "integer", minimum: 1, maximum: defaultLimit - 1 } : { type: "integer", enum: values },
    example: values.includes(Number(example)) ? example : values[0],
  };
}
