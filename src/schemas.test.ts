import { expect, test } from "vitest";
import { completeApi } from "./complete-api.ts";
import edgeNetwork from "./edge-network/index.ts";
import { answerSchemas } from "./schemas.ts";

const entries = completeApi(edgeNetwork).operations.map(({ name, resource }) => {
  const { example } = resource;
  return { name, entry: "documentOf" in resource ? resource.documentOf(example) : example };
});

test.each(entries)("the validator of $name returns a valid entry, with fields of later versions", ({ name, entry }) => {
  const validator = Object.entries(answerSchemas(edgeNetwork)).find(([each]) => each === name)?.[1];
  expect(validator?.parse(entry)).toEqual(entry);
  expect(validator?.parse({ ...entry, later: 1 })).toEqual({ ...entry, later: 1 });
  for (const field of Object.keys(entry)) expect(() => validator?.parse({ ...entry, [field]: {} })).toThrow();
});

test("a vocabulary limits the valid words", () => {
  const { status } = answerSchemas(edgeNetwork, { status: ["good"] });
  const entry = entries.find(({ name }) => name === "status")?.entry;
  expect(() => status.parse(entry)).toThrow("one of the status words of api.yaml: good");
});
