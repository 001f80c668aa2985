import { describe, expect, it } from "vitest";
import * as z from "zod";
import { answerSchemas, edgeNetwork } from "./edge-network/index.ts";
import type { Validator } from "./schemas.ts";
import { vocabularies } from "./vocabulary.ts";

const { operations } = edgeNetwork;

describe.each(operations.map((operation) => [operation.name, operation] as const))("the schema of %s", (name, each) => {
  const { example } = each.resource;
  const answer = each.kind === "list" ? example : each.resource.documentOf(example);
  const schema = Object.entries(answerSchemas()).find(([of]) => of === name)?.[1];

  it("accepts the API's answers, and fields that a later version may add", () => {
    expect(schema?.parse(answer)).toBe(answer);
    const later = { ...answer, added_later: [1] };
    expect(schema?.parse(later)).toBe(later);
  });

  it("refuses values that lack a field or have another type", () => {
    for (const field of Object.keys(answer)) {
      const { [field]: _, ...rest } = answer;
      expect(() => schema?.parse(rest)).toThrow(field);
      expect(() => schema?.parse({ ...answer, [field]: { other: true } })).toThrow(field);
    }
    expect(() => schema?.parse(undefined)).toThrow();
  });
});

it("limits words to a vocabulary", () => {
  const closed = Object.fromEntries(Object.keys(vocabularies).map((name) => [name, ["image/closed"]]));
  const schemas = new Map<string, Validator<unknown>>(Object.entries(answerSchemas(closed)));
  const isRefused = operations.map(({ name, resource: { example } }) => {
    const issues = issuesOf(() => schemas.get(name)?.parse(example));
    return issues.some(({ message }) => message.includes("image/closed"));
  });
  expect(isRefused).toContain(true);
});

/** The zod error that a call throws. */
function issuesOf(call: () => unknown): readonly z.core.$ZodIssue[] {
  try {
    call();
    return [];
  } catch (error) {
    if (error instanceof z.ZodError) return error.issues;
    throw error;
  }
}
