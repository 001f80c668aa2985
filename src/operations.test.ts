// The table's invariants, tested once, on the data: whatever is derived from it may rely on them.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isApiFile } from "../build/routing/owned.ts";
import { pageFile } from "../build/routing/paths.ts";
import { sidecarsOf } from "../build/routing/sidecar.ts";
import { parameterErrors } from "./errors.ts";
import { listOperations, operations, orderKey, referenced } from "./operations.ts";
import { everyPageSize } from "./paging.ts";
import { keyForm } from "./resource.ts";

it("names each operation once, and none as the folder of the errors", () => {
  const names = operations.map(({ name }) => name);
  expect(new Set([...names, "errors"]).size).toBe(names.length + 1);
});

describe.each(listOperations.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
  const { resource, order, filter, paged } = operation;
  const { properties = {} } = z.toJSONSchema(resource.schema({}));

  it("orders by fields of strings, so that the last of them tells any two items apart", () => {
    for (const field of order) expect(properties[field]).toMatchObject({ type: "string" });
    expect(order.at(-1)).toBe(resource.key);
  });

  it("orders by fields whose values hold nothing that sorts before the blank between them", () => {
    for (const field of order) expect(properties[field]).toHaveProperty("pattern");
    const item = Object.fromEntries(order.map((field) => [field, "a"]));
    expect(orderKey(operation, item)).toBe(order.map(() => "a").join(" "));
  });

  it("filters by a field that refers to items, and only where it is paged", () => {
    if (filter === undefined) return;
    expect(paged).toBe(true);
    expect(referenced(resource, filter.field)).toBeDefined();
  });

  it("has keys whose form is anchored and cannot leave a folder", () => {
    const form = keyForm(resource);
    expect(form.startsWith("^") && form.endsWith("$")).toBe(true);
    for (const hostile of ["", ".", "..", "../x", "a/b", "a\\b", "a\n", "a.json", "%2e"]) {
      expect(new RegExp(form).test(hostile)).toBe(false);
    }
  });
});

it("words the errors of parameters with what is accepted and where to find it", () => {
  const served = operations.map(({ name }) => name);
  const messages = listOperations.flatMap((operation) =>
    parameterErrors(operation, operation.name === "images" ? [5, 100] : everyPageSize, served).map(
      ({ error }) => `${operation.name} ${error.code} ${error.param}: ${error.message}`,
    ),
  );
  expect(messages).toEqual([
    "records invalid_limit limit: limit must be an integer from 1 to 100.",
    "records invalid_collection collection: collection must be the name of a collection listed at /api/v1/schema.",
    "records invalid_cursor cursor: cursor must be a next_cursor of /api/v1/records, sent with the collection and limit of the request that returned it.",
    "nodes invalid_limit limit: limit must be an integer from 1 to 100.",
    "nodes invalid_region region: region must be the code of a region listed at /api/v1/regions.",
    "nodes invalid_cursor cursor: cursor must be a next_cursor of /api/v1/nodes, sent with the region and limit of the request that returned it.",
    "images invalid_limit limit: limit must be an integer from 5 to 100.",
    "images invalid_cursor cursor: cursor must be a next_cursor of /api/v1/images, sent with the limit of the request that returned it.",
  ]);
});

it("sends no one to an operation that the deployment lacks", () => {
  const nodes = listOperations.find(({ name }) => name === "nodes");
  const errors = nodes && parameterErrors(nodes, everyPageSize, ["nodes", "status"]);
  expect(errors?.[1]?.error.message).toBe("region must be the code of a region.");
});

it.each([
  [{ operation: "nodes" }, "api/v1/nodes.json"],
  [{ operation: "nodes", limit: 100 }, "api/v1/nodes.json"],
  [
    { operation: "nodes", filter: { param: "region", value: "lhr1" }, limit: 5, cursor: "k3" },
    "api/v1/nodes/region/lhr1/limit/5/cursor/k3.json",
  ],
  [{ operation: "records", cursor: "k3" }, "api/v1/records/cursor/k3.json"],
])("puts the page %j at %s", (address, file) => {
  expect(pageFile(address)).toBe(file);
  expect(isApiFile(file)).toBe(true);
  expect(sidecarsOf(file).filter(isApiFile)).toEqual([`${file}.br`, `${file}.gz`]);
});

it.each([
  "api/v1/notes.txt",
  "api/v1/own/page.json",
  "api/v1/nodes/limit/5/x.json",
  "index.html",
  "api/v1/nodes/limit/.json",
  "api/v1/nodes.gz",
  "api/v1/nodes.json.zst",
  "api/v1/nodes.json.gz.br",
  "api/v1/errors/not_found.json.gz",
  "routing.json.gz",
])("does not take %s for a file of the API", (file) => {
  expect(isApiFile(file)).toBe(false);
});
