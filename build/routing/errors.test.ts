import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { everyPageSize, type PageSizes } from "../../src/model/paging.ts";
import { completeApi } from "../declaration/complete.ts";
import { notFound, parameterErrors } from "./errors.ts";

const trees = (filters: Readonly<Record<string, "size" | "wild">>, sizes: PageSizes = everyPageSize) => {
  const schema = z.strictObject({ id: slug, size: z.enum(["low", "high"]), wild: z.boolean() });
  const api = completeApi(
    defineApi({ collections: { trees: defineCollection({ purpose: "Trees.", schema, key: "id", filters }) } }),
  );
  const [operation] = api.lists;
  if (operation === undefined) throw new Error("There is no list.");
  return parameterErrors(api, operation, sizes, ["trees"]);
};

it.each([
  [{}, "without limit, or start again"],
  [{ size: "size" }, "without limit and with the size of the request that returned it, or start again"],
  [
    { size: "size", wild: "wild" },
    "without limit and with the filters of the request that returned it, or start again",
  ],
] as const)("tells how to continue after a cursor that is not accepted, with the filters %j", (filters, text) => {
  const messages = trees(filters).map(({ error }) => error.message);
  expect(messages.at(-1)).toBe(`cursor is unknown or has expired. Send it ${text} at /api/v1/trees.`);
});

it.each([
  [everyPageSize, "an integer from 1 to 100"],
  [[1, 10, 100], "an integer from 1 to 100"],
  [[10, 25, 100], "an integer from 10 to 100: this API has pages of 10, 25 and 100 items"],
  [[100], "100: this API has pages of 100 items"],
  [everyPageSize.slice(4), "an integer from 5 to 100: this API has pages of 5 to 100 items"],
])("says why a limit is not accepted, with the page sizes %j", (sizes, text) => {
  expect(trees({}, sizes)[0]?.error.message).toBe(`limit must be ${text}.`);
});

it.each([
  ["queries", "/api/v2/trees, /api/v2/status.", "Other APIs are at /api/v1, /v0."],
  ["files", "/api/v2/trees.json, /api/v2/status.json.", "Other APIs are at /api/v1.json, /v0.json."],
] as const)(
  "names what there is where there is nothing, on a host that is asked for %s",
  (addresses, paths, others) => {
    const { message } = notFound({ base: "/api/v2" }, ["trees", "status"], ["/api/v1", "/v0"], addresses);
    expect(message).toBe(
      `There is nothing at this address. The API answers at ${paths} The reference is at /api/v2/docs/. ${others}`,
    );
  },
);
