// api.yaml: what a publisher can choose. Every choice has a default, and so has the file.
import * as z from "zod";
import { label } from "../../src/forms.ts";
import { listOperations } from "../../src/operations.ts";
import { everyPageSize, maxLimit, type PageSizes, pageSizes } from "../../src/paging.ts";
import { vocabularies } from "../../src/vocabulary.ts";

const pagedOperations = listOperations.filter(({ paged }) => paged).map(({ name }) => name);

const pageSizeDescription = `an integer from 1 to ${maxLimit}`;

const pageSize = z.int(pageSizeDescription).min(1, pageSizeDescription).max(maxLimit, pageSizeDescription);

const sizes = [
  z.literal("every", '"every"'),
  z.array(pageSize, "a list of page sizes").min(1, "a list of at least one page size"),
] as const;

const sizesDescription = `"every" or a list of page sizes from 1 to ${maxLimit}`;

const sizesOf = z.union(sizes, sizesDescription);

const perOperation = z.strictObject(
  Object.fromEntries(pagedOperations.map((name) => [name, sizesOf.optional()])),
  sizesDescription,
);

const vocabulary = z.strictObject(
  Object.fromEntries(
    Object.entries(vocabularies).map(([name, form]) => [
      name,
      z.array(form, "a list of words").min(1, "a list of at least one word").optional(),
    ]),
  ),
  "an object with lists of words",
);

export const settingsSchema = z.strictObject(
  {
    title: label.optional(),
    description: z.string("a text").describe("a text").optional(),
    default_deployment: label.optional(),
    page_sizes: z
      .union([...sizes, perOperation], `${sizesDescription}, or one of these for each of ${pagedOperations.join(", ")}`)
      .optional(),
    vocabulary: vocabulary.optional(),
  },
  "an object with settings",
);

export type SettingsContent = z.infer<typeof settingsSchema>;

/** The page sizes of every paged operation; every size is pre-rendered where nothing else is said. */
export function pageSizesOf(chosen: SettingsContent["page_sizes"]): ReadonlyMap<string, PageSizes> {
  const choiceFor = (name: string) => (typeof chosen === "object" && !Array.isArray(chosen) ? chosen[name] : chosen);
  return new Map(
    pagedOperations.map((name) => {
      const choice = choiceFor(name) ?? "every";
      return [name, choice === "every" ? everyPageSize : pageSizes(choice)];
    }),
  );
}

/** The settings that are right, out of a file in which others are wrong: a bad title leaves the vocabulary in force. */
export function salvageSettings(value: unknown): SettingsContent {
  const fields = salvage(settingsSchema, value);
  const words = salvage(vocabulary, Object(value).vocabulary);
  return settingsSchema.parse({ ...fields, vocabulary: words });
}

const salvage = (schema: z.ZodObject, value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, form]) => {
      const result = z.safeParse(form, Object(value)[field]);
      return result.success && result.data !== undefined ? [[field, result.data]] : [];
    }),
  );
