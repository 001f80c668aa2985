import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { decimal, distinctBy, flag, id, label, orNull, time, word } from "../../../src/declare/forms.ts";
import { words } from "../../../src/declare/marks.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { completeApi } from "../../declaration/complete.ts";
import { jsonSchemas } from "./schemas.ts";

const part = z.strictObject({
  title: label.describe("What the part is called."),
  at: orNull(time).describe("When the part began."),
});

const schema = z
  .strictObject({
    id: id("inc").describe("Names it."),
    resolved_at: orNull(time).describe("When it was over."),
    share: decimal(0, 1, "a number from 0 to 1").describe("How much it took."),
    is_public: flag.describe("Whether all may know."),
    zone: words("zone", word).describe("Where it was."),
    parts: distinctBy(part, "title", "a list of parts").describe("What it consists of."),
  })
  .meta({ title: "ServiceIncident", description: "Something that went wrong." });

function operation(name: string, paged: boolean): Operation {
  const api = defineApi({
    collections: { [name]: defineCollection({ purpose: "Incidents.", schema, key: "id", paged }) },
  });
  const [list] = completeApi(api).lists;
  if (list === undefined) throw new Error("There is no operation.");
  return list;
}

const uri = (name: string): string => `#/components/schemas/${name}`;

it("shares a schema between resources of one title only if they are the same, and names types by the noun", () => {
  const id = z.string();
  const declared = { purpose: "A.", key: "id", noun: { one: "media type", many: "media types" } } as const;
  const collections = {
    older: defineCollection({ ...declared, schema: z.strictObject({ id }) }),
    newer: defineCollection({ ...declared, schema: z.strictObject({ id }) }),
    others: defineCollection({ ...declared, schema: z.strictObject({ id, more: id }) }),
  };
  const { lists } = completeApi(defineApi({ collections }));
  const { names } = jsonSchemas(lists, {}, uri);
  expect(lists.map((list) => [names(list).item, names(list).answer])).toEqual([
    ["MediaType", "MediaTypePage"],
    ["MediaType", "MediaTypePage"],
    ["MediaType2", "MediaType2Page"],
  ]);
});

it("names types by the collection if its noun cannot be the name of a type", () => {
  const nouns = ["東西", "café", "1st try", "dog's toy", "ice cream"];
  const declared = { purpose: "A.", key: "id", schema: z.strictObject({ id: z.string() }) } as const;
  const collections = nouns.map((one, index) => [
    `list_${index}`,
    defineCollection({ ...declared, noun: { one, many: one } }),
  ]);
  const { lists } = completeApi(defineApi({ collections: Object.fromEntries(collections) }));
  expect(lists.map(({ title }) => title)).toEqual(["List0", "List1", "List2", "List3", "IceCream"]);
});

it("describes answers to consumers, without the wording of faults and rules that reject later answers", () => {
  const { schemas } = jsonSchemas([operation("incidents", true)], { zone: ["north", "south"] }, uri);
  expect(schemas["ServiceIncident"]).toEqual({
    description: "Something that went wrong.",
    type: "object",
    required: ["id", "resolved_at", "share", "is_public", "zone", "parts"],
    properties: {
      id: { description: "Names it.", type: "string", pattern: "^inc_[a-z0-9]+$" },
      resolved_at: {
        description: "When it was over.",
        anyOf: [{ type: "string", format: "date-time" }, { type: "null" }],
      },
      share: { description: "How much it took.", type: "number", minimum: 0, maximum: 1 },
      is_public: { description: "Whether all may know.", type: "boolean" },
      zone: { description: "Where it was.", type: "string", enum: ["north", "south"] },
      parts: {
        description: "What it consists of.",
        type: "array",
        items: {
          type: "object",
          required: ["title", "at"],
          properties: {
            title: { description: "What the part is called.", type: "string", minLength: 1 },
            at: {
              description: "When the part began.",
              anyOf: [{ type: "string", format: "date-time" }, { type: "null" }],
            },
          },
        },
      },
    },
  });
});

it("has only patterns that mean the same to validators, which know no flags but u", () => {
  const text = z.string();
  const odd = z.strictObject({
    id: text.regex(/^[a-z]+$/),
    code: text.regex(/^[a-z]+$/i),
    pair: text.regex(/^[\w-.]+$/),
    both: text.regex(/^a/i).regex(/b$/),
    two: text.regex(/^a/).regex(/b$/),
    version: z.templateLiteral(["v", text.regex(/[\w-.]/)]),
  });
  const collections = { odds: defineCollection({ purpose: "Odds.", schema: odd.meta({ title: "Odd" }), key: "id" }) };
  const { schemas } = jsonSchemas(completeApi(defineApi({ collections })).lists, {}, uri);
  expect(schemas["Odd"]?.properties).toEqual({
    id: { type: "string", pattern: "^[a-z]+$" },
    code: { type: "string" },
    pair: { type: "string" },
    both: { type: "string" },
    two: { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    version: { type: "string" },
  });
});
