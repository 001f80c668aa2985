// The invariants of the table, on which everything derived from it relies.
import { expect, it } from "vitest";
import { parameterErrors } from "../../build/routing/errors.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { filtersOf } from "../model/operation.ts";
import { everyPageSize } from "../model/paging.ts";

const { operations } = edgeNetwork;

it.each([
  ["records", "public, max-age=60", ["collection"], true],
  ["nodes", "public, max-age=60", ["region"], true],
  ["regions", "public, max-age=300", [], false],
  ["images", "public, max-age=60", [], true],
  ["schema", "public, max-age=3600", [], false],
  ["status", "no-store", [], false],
])("has the specification's %s: %s, filters %j, paged %s", (name, cache, filters, paged) => {
  const operation = operations.find((each) => each.name === name);
  expect(operation).toMatchObject({ cache, ...(operation?.kind === "list" ? { paged } : {}) });
  expect(operation && filtersOf(operation).map(({ param }) => param)).toEqual(filters);
});

it("has an example of each resource that is valid and has every field", () => {
  for (const operation of operations) {
    const schema = operation.kind === "list" ? operation.schema({}) : operation.content({});
    expect(schema.parse(operation.example)).toEqual(operation.example);
    if (operation.kind === "document") operation.schema({}).parse(operation.documentOf(operation.example));
  }
});

it("names in the errors of parameters the accepted values and their source", () => {
  const served = operations.map(({ name }) => name);
  const specified = edgeNetwork.lists.filter(({ name }) => ["records", "nodes", "images"].includes(name));
  const messages = specified.flatMap((operation) =>
    parameterErrors(edgeNetwork, operation, operation.name === "images" ? [5, 100] : everyPageSize, served).map(
      ({ error }) => `${operation.name} ${error.code} ${error.param}: ${error.message}`,
    ),
  );
  expect(messages).toEqual([
    "records invalid_limit limit: limit must be an integer from 1 to 100.",
    "records invalid_collection collection: collection must be the name of a collection listed at /api/v1/schema.",
    "records invalid_cursor cursor: cursor is unknown or has expired. Send it without limit and with the collection of the request that returned it, or start again at /api/v1/records.",
    "nodes invalid_limit limit: limit must be an integer from 1 to 100.",
    "nodes invalid_region region: region must be the code of a region listed at /api/v1/regions.",
    "nodes invalid_cursor cursor: cursor is unknown or has expired. Send it without limit and with the region of the request that returned it, or start again at /api/v1/nodes.",
    "images invalid_limit limit: limit must be an integer from 5 to 100: this API has pages of 5 and 100 items.",
    "images invalid_cursor cursor: cursor is unknown or has expired. Send it without limit, or start again at /api/v1/images.",
  ]);
});

it("names no operation that the deployment lacks", () => {
  const nodes = edgeNetwork.lists.find(({ name }) => name === "nodes");
  const errors = nodes && parameterErrors(edgeNetwork, nodes, everyPageSize, ["nodes", "status"]);
  expect(errors?.[1]?.error.message).toBe(
    "region must be the code of a region: one of the values listed at /api/v1/filters/nodes.json.",
  );
});
