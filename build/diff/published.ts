// An API as consumers know it, from the documents that it publishes: its operations, their JSON schemas and the values of
// their filters. A plan in memory, the folder of a build and an address are all read in this way.
import * as z from "zod";
import { filtersPath } from "../../src/model/api.ts";
import type { BuildPlan } from "../build.ts";
import type { Catalog } from "../content/catalog.ts";
import { bytesOf } from "../files/file.ts";
import { MachineError } from "../machine-error.ts";
import { parseBytes } from "../values/json.ts";
import { type ItemLines, linesOf } from "./changes.ts";
import type { PublishedSchema } from "./schema.ts";

/** Returns the bytes at a request path; undefined if there are none. */
export type Read = (requestPath: string) => Promise<Buffer | undefined>;

export interface PublishedApi {
  readonly base: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly operations: readonly PublishedOperation[];
}

/** The entry of an operation in the document at BASE, with what its other documents say. */
export interface PublishedOperation extends z.infer<typeof entry> {
  readonly kind: "list" | "document";
  /** Of an item, or of the document. */
  readonly schema: PublishedSchema;
  /** The values by parameter, with their numbers of items. Undefined if they are not published. */
  readonly values: ReadonlyMap<string, z.infer<typeof filterValues>["filters"][number]["values"]> | undefined;
  /** The content of a document. */
  readonly content: unknown;
}

const text = z.string().optional();
const names = z.array(z.string());
const flag = z.boolean().optional();
const notice = z.object({ since: z.iso.date(), sunset: z.iso.date().optional(), use: text, why: text });

const entry = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  parameters: names.default([]),
  key: z.union([z.string(), names]).optional(),
  order: z.array(z.union([z.string(), z.object({ field: z.string(), fold: flag, natural: flag })])).default([]),
  filters: z.record(z.string(), z.unknown()).default({}),
  together: z.array(names).default([]),
  page_sizes: z.union([z.literal("every"), z.array(z.int())]).optional(),
  item: text,
  aliases: text,
  brief: names.optional(),
  cache: z.string(),
  deprecated: notice.optional(),
  deprecated_filters: z.record(z.string(), notice).default({}),
  deprecated_fields: z.record(z.string(), notice).default({}),
});

const overview = z.object({
  title: text,
  description: text,
  operations: z.array(entry).refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
});

const filterValues = z.object({
  filters: z.array(z.object({ param: z.string(), values: z.array(z.object({ value: z.string(), count: z.int() })) })),
});

const schemaObject = z.record(z.string(), z.unknown());

/** Undefined if there is no API of this program. Throws MachineError if a schema is missing. */
export async function publishedAt(base: string, read: Read): Promise<PublishedApi | undefined> {
  const jsonAt = async (requestPath: string): Promise<unknown> => {
    const bytes = await read(requestPath);
    return bytes && parseBytes(bytes);
  };
  const about = overview.safeParse(await jsonAt(base)).data;
  if (about === undefined) return undefined;
  const operations: PublishedOperation[] = [];
  for (const each of about.operations) {
    const { name, key, filters } = each;
    const schema = schemaObject.safeParse(await jsonAt(`${base}/schemas/${name}.json`)).data;
    if (schema === undefined)
      throw new MachineError(`The published schema of ${name} is missing or damaged.`, "Compare with another build.");
    const kind = key === undefined ? "document" : "list";
    const content = kind === "list" ? undefined : await jsonAt(`${base}/${name}`);
    const hasFilters = Object.keys(filters).length > 0;
    const found = hasFilters ? filterValues.safeParse(await jsonAt(filtersPath(base, name))).data?.filters : [];
    const values = found && new Map(found.map((filter) => [filter.param, filter.values]));
    operations.push({ ...each, kind, schema, values, content });
  }
  return { base, title: about.title, description: about.description, operations };
}

/** What a plan publishes. */
export async function publishedBy({ catalog, find }: BuildPlan): Promise<PublishedApi> {
  const published = await publishedAt(catalog.api.base, async (requestPath) => {
    const found = find(fileOf(requestPath));
    return found && bytesOf(found);
  });
  if (published === undefined) throw new Error("A plan has no document at its base.");
  return published;
}

/** One side of a comparison: what it publishes, its items and settings. */
export interface Side {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly published: PublishedApi;
  /** By operation. */
  readonly items: ReadonlyMap<string, ItemLines>;
  readonly settings: Catalog["settings"];
  /** Undefined for a published build of another declaration, whose files are not known. */
  readonly plan: BuildPlan | undefined;
}

export async function sideOf(label: string, plan: BuildPlan): Promise<Side> {
  const { items, settings } = plan.catalog;
  const lines = new Map([...items].map(([name, own]) => [name, linesOf(own)]));
  return { label, published: await publishedBy(plan), items: lines, settings, plan };
}

/** The files of answers have an ending that their paths lack. */
export const fileOf = (requestPath: string): string =>
  requestPath.slice(1) + (/\.(?:nd)?json$/.test(requestPath) ? "" : ".json");
