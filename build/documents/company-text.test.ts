import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { slug } from "../../src/forms.ts";
import { companyText } from "./company-text.ts";

function textsOf(filters: readonly string[], together: readonly (readonly string[])[]): readonly string[] {
  const declaration = {
    purpose: "Things.",
    schema: z.object({ name: slug, is: z.boolean() }),
    key: "name" as const,
    filters: Object.fromEntries(filters.map((param) => [param, "is" as const])),
  };
  const things = defineCollection({ ...declaration, together });
  const [operation] = completeApi(defineApi({ collections: { things } })).lists;
  return (operation?.filters ?? []).map((filter) => companyText(operation ?? fail(), filter));
}

const fail = (): never => {
  throw new Error("There is no operation.");
};

it("tells which filters go together, if there are several", () => {
  expect(textsOf(["a"], [])).toEqual([""]);
  expect(textsOf(["a", "b"], [])).toEqual([" Send it without other filters.", " Send it without other filters."]);
  expect(
    textsOf(
      ["a", "b", "c"],
      [
        ["a", "b"],
        ["c", "b"],
      ],
    ),
  ).toEqual([
    " Send it without other filters, or with `b`.",
    " Send it without other filters, or with `a`, or with `c`.",
    " Send it without other filters, or with `b`.",
  ]);
  expect(textsOf(["a", "b", "c"], [["a", "b", "c"]])[1]).toBe(" Send it without other filters, or with `a` and `c`.");
});
