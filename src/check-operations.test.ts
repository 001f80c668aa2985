import { expect, it } from "vitest";
import { checkOperations } from "./check-operations.ts";
import { type ListOperation, list } from "./operation.ts";
import { node } from "./resources/node.ts";

const named = (name: string, param?: string): ListOperation =>
  list({
    name,
    purpose: "",
    resource: node,
    order: ["id"],
    ...(param === undefined ? {} : { filter: { param, field: "pop" } }),
    paged: true,
    cacheControl: "no-store",
  });

it.each([
  ["of 32 letters", [named("a".repeat(32))]],
  ["with underscores", [named("edge_nodes", "region")]],
  ["whose filters share a parameter", [named("nodes", "region"), named("routers", "region")]],
])("accepts operations %s", (_, operations) => {
  expect(checkOperations(operations)).toBe(operations);
});

it.each([
  [[named("a".repeat(33))], `The operation name "${"a".repeat(33)}" is not 1 to 32 lowercase letters and underscores.`],
  [[named("edge-nodes")], 'The operation name "edge-nodes" is not 1 to 32 lowercase letters and underscores.'],
  [[named("Nodes")], 'The operation name "Nodes" is not 1 to 32 lowercase letters and underscores.'],
  [[named("deployments")], "The operation name deployments is reserved."],
  [[named("then")], "The operation name then is reserved."],
  [[named("errors")], "The operation name errors is reserved."],
  [[named("region"), named("nodes", "region")], "The operation name region is also the name of a filter's parameter."],
  [[named("nodes"), named("nodes")], "Two operations are named nodes."],
  [[named("nodes", "limit")], 'The parameter "limit" of nodes is reserved.'],
  [[named("nodes", "a.b")], 'The parameter "a.b" of nodes is not 1 to 32 lowercase letters, underscores and hyphens.'],
])("refuses a table and says why", (operations, message) => {
  expect(() => checkOperations(operations)).toThrow(`src/operations.ts: ${message}`);
});
