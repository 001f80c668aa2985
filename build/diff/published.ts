// An API as consumers know it, from the documents that it publishes: its operations, their JSON schemas and the values of
// their filters. A plan in memory, the folder of a build and an address are all read in this way.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { filtersPath } from "../../src/api.ts";
import { type Client, openClient } from "../address/client.ts";
import type { BuildPlan } from "../build.ts";
import { bytesOf } from "../file.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { apiFolder } from "../routing/paths.ts";
import type { Rules } from "./shape.ts";

/** Returns the bytes at a request path, whose file in the publish root is `file`; undefined if there are none. */
export type Read = (requestPath: string, file: string) => Promise<Buffer | undefined>;

export interface Published {
  readonly base: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly operations: readonly PublishedOperation[];
}

/** The entry of an operation in the document at BASE, with what its other documents say. */
export interface PublishedOperation extends Entry {
  readonly kind: "list" | "document";
  /** Of an item, or of the document. */
  readonly schema: Rules;
  /** By parameter. Undefined if they are not published. */
  readonly values: ReadonlyMap<string, readonly FilterValue[]> | undefined;
  /** The content of a document. */
  readonly content: unknown;
}

interface FilterValue {
  readonly value: string;
  /** The number of items. */
  readonly count: number;
}

type Entry = z.infer<typeof entry>;

const day = z.iso.date();

const notice = z.object({
  since: day,
  sunset: day.optional(),
  use: z.string().optional(),
  why: z.string().optional(),
});

const entry = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  parameters: z.array(z.string()).default([]),
  key: z.union([z.string(), z.array(z.string())]).optional(),
  order: z
    .array(
      z.union([
        z.string(),
        z.object({ field: z.string(), fold: z.boolean().optional(), natural: z.boolean().optional() }),
      ]),
    )
    .default([]),
  filters: z.record(z.string(), z.unknown()).default({}),
  together: z.array(z.array(z.string())).default([]),
  page_sizes: z.union([z.literal("every"), z.array(z.int())]).optional(),
  item: z.string().optional(),
  aliases: z.string().optional(),
  brief: z.array(z.string()).optional(),
  cache: z.string(),
  deprecated: notice.optional(),
  deprecated_filters: z.record(z.string(), notice).default({}),
  deprecated_fields: z.record(z.string(), notice).default({}),
});

const overview = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  operations: z.array(entry).refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
});

const filterValues = z.object({
  filters: z.array(z.object({ param: z.string(), values: z.array(z.object({ value: z.string(), count: z.int() })) })),
});

const rules = z.record(z.string(), z.unknown());

/** Undefined if there is no API of this program. Throws MachineError if a schema is missing. */
export async function publishedAt(base: string, read: Read): Promise<Published | undefined> {
  const jsonAt = async (requestPath: string, file = requestPath.slice(1)): Promise<unknown> => {
    const bytes = await read(requestPath, file);
    return bytes && parseJson(bytes.toString());
  };
  const about = overview.safeParse(await jsonAt(base, `${apiFolder(base)}.json`)).data;
  if (about === undefined) return undefined;
  const operations: PublishedOperation[] = [];
  for (const each of about.operations) {
    const schema = rules.safeParse(await jsonAt(`${base}/schemas/${each.name}.json`)).data;
    if (schema === undefined) {
      throw new MachineError(
        `The published schema of ${each.name} is missing or damaged.`,
        "Compare with another build.",
      );
    }
    const kind = each.key === undefined ? "document" : "list";
    const hasFilters = Object.keys(each.filters).length > 0;
    const values = hasFilters
      ? filterValues.safeParse(await jsonAt(filtersPath(base, each.name))).data
      : { filters: [] };
    const content =
      kind === "list" ? undefined : await jsonAt(`${base}/${each.name}`, `${apiFolder(base)}/${each.name}.json`);
    operations.push({
      ...each,
      kind,
      schema,
      values: values && new Map(values.filters.map((filter) => [filter.param, filter.values])),
      content,
    });
  }
  return { base, title: about.title, description: about.description, operations };
}

/** What a plan publishes. */
export async function publishedBy({ catalog, find }: Pick<BuildPlan, "catalog" | "find">): Promise<Published> {
  const published = await publishedAt(catalog.api.base, async (_, file) => {
    const found = find(file);
    return found && bytesOf(found);
  });
  if (published === undefined) throw new Error("A plan has no document at its base.");
  return published;
}

export const inFolder =
  (folder: string): Read =>
  async (_, file) => {
    const full = path.join(folder, file);
    return existsSync(full) ? readFileSync(full) : undefined;
  };

const limits = { purpose: "diff", most: 2e9, time: 600_000, patience: 20_000, waits: [500, 2_000] };

/** Calls `use` with what is published at an address. */
export async function withAddress<T>(address: string, base: string, use: (read: Read) => Promise<T>): Promise<T> {
  const client = openClient(new URL(address), base, limits);
  try {
    return await use((requestPath) => fetched(client, requestPath));
  } finally {
    client.close();
  }
}

async function fetched(client: Client, requestPath: string): Promise<Buffer | undefined> {
  const answer = await client.fetchFile(requestPath.slice(1));
  const failed = (why: string) => new MachineError(`${client.root}${requestPath} cannot be read: ${why}.`);
  if (typeof answer === "string") throw failed(answer);
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (answer.status === 200) return answer.body;
  throw failed(`the status is ${answer.status}`);
}
