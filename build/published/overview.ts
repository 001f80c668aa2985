// An API as consumers know it, from the documents that it publishes: its operations, their JSON schemas and the values of
// their filters. A plan in memory, the folder of a build and an address are all read in this way.
import * as z from "zod";
import { filtersPath } from "../../src/model/api.ts";
import type { Audience } from "../../src/model/audience.ts";
import { MachineError } from "../files/machine-error.ts";
import { parseBytes } from "../values/json.ts";
import { allAtOnce } from "./at-once.ts";
import type { PublishedFiles } from "./open.ts";

/** A JSON schema. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

export interface PublishedApi {
  readonly base: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: z.infer<typeof notice> | undefined;
  readonly audience: Audience;
  readonly operations: readonly PublishedOperation[];
  readonly outputs: readonly z.infer<typeof output>[];
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
const notices = z.record(z.string(), notice).default({});

const order = z.array(z.union([z.string(), z.object({ field: z.string(), fold: flag, natural: flag })]));

const entry = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  parameters: names.default([]),
  key: z.union([z.string(), names]).optional(),
  order: order.default([]),
  orders: z.record(z.string(), order).default({}),
  filters: z.record(z.string(), z.unknown()).default({}),
  together: z.array(names).default([]),
  page_sizes: z.union([z.literal("every"), z.array(z.int())]).optional(),
  item: text,
  aliases: z.union([z.string(), z.object({ field: z.string(), slug: z.literal(true) })]).optional(),
  brief: names.optional(),
  cache: z.string(),
  deprecated: notice.optional(),
  deprecated_filters: notices,
  deprecated_orders: notices,
  deprecated_fields: notices,
});

const output = z.object({
  path: z.string(),
  type: z.string(),
  cache: z.string(),
  each: text,
  deprecated: notice.optional(),
});

const scheme = z.union([
  z.enum(["basic", "bearer"]),
  z.strictObject({ header: z.string() }),
  z.strictObject({ cookie: z.string() }),
]);

const overview = z.object({
  title: text,
  description: text,
  deprecated: notice.optional(),
  access: z.object({ description: z.string(), scheme }).optional(),
  origins: z.string().default("any"),
  operations: z.array(entry).refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
  outputs: z.array(output).default([]),
});

const filterValues = z.object({
  filters: z.array(z.object({ param: z.string(), values: z.array(z.object({ value: z.string(), count: z.int() })) })),
});

const schemaObject = z.record(z.string(), z.unknown());

/** Undefined if there is no API of stillapi. Throws MachineError if a schema is missing. */
export async function publishedAt(
  base: string,
  files: Pick<PublishedFiles, "read">,
): Promise<PublishedApi | undefined> {
  const about = overview.safeParse(await jsonAt(files, base)).data;
  if (about === undefined) return undefined;
  const { title, description, deprecated, access, origins, outputs } = about;
  const operations = await allAtOnce(about.operations, (operation) => operationAt(base, files, operation));
  return { base, title, description, deprecated, audience: { access, origins }, operations, outputs };
}

async function jsonAt(files: Pick<PublishedFiles, "read">, path: string): Promise<unknown> {
  const bytes = await files.read(path);
  return bytes && parseBytes(bytes);
}

async function operationAt(
  base: string,
  files: Pick<PublishedFiles, "read">,
  operation: z.infer<typeof entry>,
): Promise<PublishedOperation> {
  const { name, key, filters } = operation;
  const schema = schemaObject.safeParse(await jsonAt(files, `${base}/schemas/${name}.json`)).data;
  if (schema === undefined)
    throw new MachineError(`The published schema of ${name} is missing or damaged.`, "Compare with another build.");
  const kind = key === undefined ? "document" : "list";
  const content = kind === "list" ? undefined : await jsonAt(files, `${base}/${name}`);
  const hasFilters = Object.keys(filters).length > 0;
  const listed = hasFilters ? filterValues.safeParse(await jsonAt(files, filtersPath(base, name))).data?.filters : [];
  const values = listed && new Map(listed.map((filter) => [filter.param, filter.values]));
  return { ...operation, kind, schema, values, content };
}
