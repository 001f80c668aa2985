// The requests of a host that only serves files: each set of parameters that a list accepts is a path of its own.
import { combinationsOf } from "../../../src/model/filter.ts";
import { isPaged, type ListOperation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import { defaultLimit } from "../../../src/model/paging.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { pathPart } from "../../routing/paths.ts";
import { pascal } from "../../text/words.ts";
import { requestPath } from "./addresses.ts";
import { type Endpoint, type Parameter, typedValue } from "./endpoints.ts";
import { type Example, listingWith, secondCursor } from "./examples.ts";
import type { SiteData } from "./site-data.ts";

/** The paths of the files of an endpoint. Single items and documents have one. */
export function fileEndpointsOf(data: SiteData, endpoint: Endpoint): readonly Endpoint[] {
  const { operation, isItem } = endpoint;
  if (operation.kind === "document" || isItem) return [endpoint];
  const sizes = pageSizesOf(data.settings, operation.name).filter((size) => size !== defaultLimit);
  return parameterSets(operation, sizes).map((names) => {
    const isOf = (example: Example | undefined): boolean =>
      example !== undefined && `${[...new URLSearchParams(example.query).keys()]}` === `${names}`;
    return {
      ...endpoint,
      id: fileId(endpoint.id, names),
      title: names.length === 0 ? endpoint.title : `${endpoint.title} by ${names.join(", ")}`,
      path: pathOf(data, operation, names),
      parameters: parametersOf(data, endpoint, names, sizes),
      example: isOf(endpoint.example) ? endpoint.example : undefined,
      filtered: isOf(endpoint.filtered) ? endpoint.filtered : undefined,
    };
  });
}

/** `listNodes` with `region` and `limit` is `listNodesByRegionLimit`. */
const fileId = (id: string, names: readonly string[]): string =>
  names.length === 0 ? id : `${id}By${names.map(pascal).join("")}`;

/** `/api/v1/nodes/region/{region}/limit/{limit}.json` */
const pathOf = ({ api }: SiteData, operation: ListOperation, names: readonly string[]): string =>
  requestPath(api, operation).replace(/\.json$/, `${names.map((name) => pathPart(name, `{${name}}`)).join("")}.json`);

/** The parameters of each path, in their order in it. The default limit has no part in a path: `sizes` are the others. */
function parameterSets(operation: ListOperation, sizes: readonly number[]): readonly (readonly string[])[] {
  const filters = [[], ...combinationsOf(operation).map((set) => set.map(({ param }) => param))];
  const sorts = operation.orders.length === 0 ? [[]] : [[], [sortParam]];
  const limits = sizes.length === 0 ? [[]] : [[], ["limit"]];
  const ends = isPaged(operation) ? [...limits, ...limits.map((limit) => [...limit, "cursor"])] : [[]];
  return sorts.flatMap((sort) => filters.flatMap((chosen) => ends.map((end) => [...sort, ...chosen, ...end])));
}

/** The parameters of a path. Their examples are those of one page, because tools send them together. */
function parametersOf(
  data: SiteData,
  { operation, parameters }: Endpoint,
  names: readonly string[],
  sizes: readonly number[],
): readonly Parameter[] {
  const listing = listingWith(
    data,
    operation,
    names.filter((name) => name !== "limit" && name !== "cursor"),
  );
  const size = sizes.find((one) => one > 1) ?? sizes[0] ?? defaultLimit;
  const exampleOf = ({ name, filter }: Parameter): Parameter["example"] => {
    if (name === "limit") return size;
    if (name === "cursor") return listing && secondCursor(listing, size);
    const value = listing?.params.find(({ param }) => param === name)?.value;
    return filter === undefined || value === undefined ? value : typedValue(filter, value);
  };
  return parameters
    .filter(({ name }) => names.includes(name))
    .map((parameter) => ({
      ...parameter,
      in: "path",
      example: exampleOf(parameter),
      ...(parameter.name === "limit" && {
        meaning: `${parameter.meaning} Without this part of the path, pages have ${defaultLimit} items.`,
        schema: limitSchema(sizes),
      }),
    }));
}

const limitSchema = (sizes: readonly number[]): Parameter["schema"] =>
  sizes.length === defaultLimit - 1
    ? { type: "integer", minimum: 1, maximum: defaultLimit - 1 }
    : { type: "integer", enum: [...sizes] };
