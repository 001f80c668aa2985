import { expect, it } from "vitest";
import { filtersOf } from "../../../src/operation.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { pageFile } from "../../routing/paths.ts";
import { makeTable } from "../../routing/table.ts";
import { addressOf, tableDocuments } from "./addresses.ts";

const { operations } = edgeNetwork;

const published = [
  { path: "/api/v1", contentType: "application/json", cacheControl: "no-store", text: undefined },
  { path: "/", contentType: "text/html; charset=utf-8", cacheControl: "no-store", text: undefined },
  { path: "/api/v1/docs/network", contentType: "text/html; charset=utf-8", cacheControl: "no-store", text: undefined },
];
const table = makeTable(
  edgeNetwork,
  operations.map(({ name }) => name),
  () => [5, 100],
  tableDocuments(edgeNetwork.base, published),
);

it("finds the request of each page", () => {
  for (const operation of operations.filter((each) => each.kind === "list").filter(({ paged }) => paged)) {
    const [filter] = filtersOf(operation);
    const chosen = filter === undefined ? [] : [{ param: filter.param, value: "x1" }];
    const path = `/api/v1/${operation.name}`;
    const file = pageFile(edgeNetwork.base, { operation: operation.name, chosen, limit: 5, cursor: "k1" });
    const query = [...chosen.map(({ param }) => `${param}=x1`), "limit=5", "cursor=k1"].join("&");
    expect(addressOf(table, file)).toEqual({ path, query });
    expect(addressOf(table, pageFile(edgeNetwork.base, { operation: operation.name }))).toEqual({ path, query: "" });
  }
});

it.each([
  ["api/v1.json", "/api/v1"],
  ["index.html", "/"],
  ["api/v1/docs/network.html", "/api/v1/docs/network"],
])("finds the request of the document %s", (file, path) => {
  expect(addressOf(table, file)).toEqual({ path, query: "" });
});

it.each(["404.html", "api/v1/errors/not_found.json", "api/v1/other.json", `api/v1/${operations[0]?.name}/x.json`])(
  "finds none of %s",
  (file) => expect(addressOf(table, file)).toBeUndefined(),
);
