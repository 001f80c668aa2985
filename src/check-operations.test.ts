import { expect, it } from "vitest";
import * as z from "zod";
import { checkOperations } from "./check-operations.ts";
import { node } from "./edge-network/node.ts";
import { idOf, label, orNull, regionCode } from "./forms.ts";
import { type ListOperation, list } from "./operation.ts";
import type { Item } from "./resource.ts";

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
  expect(() => checkOperations(operations)).toThrow(`src/edge-network/index.ts: ${message}`);
});

const declared = (shape: Readonly<Record<string, z.ZodType>>, order: readonly string[], example: Item) =>
  checkOperations([
    {
      ...named("things", "region"),
      resource: { ...node, key: "id", schema: () => z.strictObject(shape), example },
      order,
    } as ListOperation,
  ]);

const [id, pop, example] = [idOf("thg"), regionCode, { id: "thg_1", name: "One", pop: "lhr1" }];

it.each<[Readonly<Record<string, z.ZodType>>, readonly string[], string]>([
  [{ id, pop, name: label }, ["pop"], "The order of things does not include the key id."],
  [
    { id, pop, name: label },
    ["name", "id"],
    'includes name, which may be " One", with a space or a control character.',
  ],
  [{ id, pop, name: orNull(label) }, ["name", "id"], "includes name, which is not always a text."],
  [{ id, pop, size: z.int() }, ["size", "id"], "includes size, which is not always a text."],
  [{ id: z.string().regex(/^[a-z0-9_./]+$/), pop }, ["id"], 'The key id of things may be "/thg_1", which is no safe'],
  [{ id: z.string().regex(/^[a-z0-9_.]+$/), pop }, ["id"], 'The key id of things may be ".thg_1", which is no safe'],
  [{ id: z.string().regex(/^[a-z0-9_]+(?:\.[a-z]+)*$/), pop }, ["id"], 'may be "thg_1.json", which is no safe'],
  [{ id, pop: z.string().regex(/^[a-z0-9]+$/) }, ["id"], "filters by pop, which may be longer than 200 characters."],
  [{ id, pop: z.array(pop) }, ["id"], 'The parameter "region" of things filters by pop, which is a list.'],
])("refuses keys, orders and filters that cannot be paths or order keys", (shape, order, message) => {
  expect(() => declared(shape, order, example)).toThrow(message);
});

it("accepts a nullable filter and keys of safe characters", () => {
  const safe = z.string().regex(/^[A-Za-z0-9_~-]+$/);
  expect(() => declared({ id: safe, pop: orNull(pop) }, ["id"], example)).not.toThrow();
});
