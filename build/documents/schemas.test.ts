import { expect, it } from "vitest";
import * as z from "zod";
import { decimal, distinctBy, flag, idOf, label, orNull, timestamp } from "../../src/forms.ts";
import { list, type Operation } from "../../src/operation.ts";
import type { Meanings, Resource } from "../../src/resource.ts";
import { type Vocabulary, word } from "../../src/vocabulary.ts";
import { fieldsOf } from "./fields.ts";
import { answerSchemas } from "./schemas.ts";

const schema = (vocabulary: Vocabulary) =>
  z.strictObject({
    id: idOf("inc"),
    resolved_at: orNull(timestamp),
    share: decimal(0, 1, "a number from 0 to 1"),
    is_public: flag,
    zone: word(vocabulary, "zone"),
    parts: distinctBy(z.strictObject({ title: label, at: orNull(timestamp) }), "title", "a list of parts"),
  });

const meanings: Meanings<z.infer<ReturnType<typeof schema>>> = {
  id: "Names it.",
  resolved_at: "When it was over.",
  share: "How much it took.",
  is_public: "Whether all may know.",
  zone: "Where it was.",
  parts: "What it consists of.",
  "parts[].title": "What the part is called.",
  "parts[].at": "When the part began.",
};

const incident: Resource<z.infer<ReturnType<typeof schema>>> = {
  noun: "service incident",
  meaning: "Something that went wrong.",
  meanings,
  key: "id",
  schema,
  references: [],
  example: {
    id: "inc_1",
    resolved_at: null,
    share: 0.5,
    is_public: true,
    zone: "a-b",
    parts: [{ title: "One", at: "2026-01-01T00:00:00Z" }],
  },
};

const operation = (name: string, paged: boolean): Operation =>
  list({ name, purpose: "Incidents.", resource: incident, order: ["id"], paged, cacheControl: "no-store" });

const uri = (name: string): string => `#/components/schemas/${name}`;

it("has a schema for each resource and list, under a name that shadows no type of a language", () => {
  const { schemas, answerOf } = answerSchemas([operation("incidents", true), operation("older", false)], {}, uri);
  expect(Object.keys(schemas).sort()).toEqual([
    "EdgeServiceIncident",
    "EdgeServiceIncidentList",
    "EdgeServiceIncidentPage",
    "ErrorBody",
    "Pagination",
  ]);
  expect(answerOf(operation("incidents", true))).toBe("EdgeServiceIncidentPage");
  expect(answerOf(operation("older", false))).toBe("EdgeServiceIncidentList");
  expect(schemas["EdgeServiceIncidentPage"]?.properties).toMatchObject({
    data: { items: { $ref: uri("EdgeServiceIncident") } },
    pagination: { $ref: uri("Pagination") },
  });
});

it("describes answers to consumers, without the wording of faults and rules that reject later answers", () => {
  const { schemas } = answerSchemas([operation("incidents", true)], { zone: ["north", "south"] }, uri);
  expect(schemas["EdgeServiceIncident"]).toEqual({
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

it("lists fields with their types, forms, words and examples", () => {
  const fields = fieldsOf(schema({ zone: ["north", "south"] }), meanings, incident.example);
  const lines = fields.map(({ path, type, form, words, example }) => [
    path,
    type,
    form,
    words.join(),
    JSON.stringify(example),
  ]);
  const time = "a real UTC time to the second, such as 2026-11-20T09:00:00Z";
  expect(lines).toEqual([
    ["id", "string", '"inc_" followed by lowercase letters and digits', "", '"inc_1"'],
    ["resolved_at", "string or null", time, "", "null"],
    ["share", "number", "a number from 0 to 1", "", "0.5"],
    ["is_public", "boolean", undefined, "", "true"],
    ["zone", "string", undefined, "north,south", '"a-b"'],
    ["parts", "list of objects", undefined, "", JSON.stringify(incident.example.parts)],
    ["parts[].title", "string", "one line of text, not empty", "", '"One"'],
    ["parts[].at", "string or null", time, "", '"2026-01-01T00:00:00Z"'],
  ]);
});
