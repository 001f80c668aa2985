// The side before a change as it is published: a folder of a build, or the address of an API. Whatever its items are
// made from, its dumps hold them; BASE tells its operations, and its JSON schemas their fields. Operations that are
// published as today's have today's declaration.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { type Api, filtersPath } from "../../src/api.ts";
import { completeApi } from "../../src/complete-api.ts";
import { type CollectionDeclaration, defineApi, defineDocument } from "../../src/declare.ts";
import type { Filter } from "../../src/filter.ts";
import type { DocumentOperation, ListOperation, Operation } from "../../src/operation.ts";
import { everyPageSize, type PageSizes } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { type Client, openClient } from "../address/client.ts";
import { isAddress, publicName } from "../address/given.ts";
import type { BuildPlan } from "../build.ts";
import type { Catalog, Deployment, Items } from "../content/catalog.ts";
import { itemsOf } from "../content/store.ts";
import { bytesOf } from "../file.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { apiFolder } from "../routing/paths.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";

/** Returns the bytes at a request path, whose file in the publish root is `file`; undefined if there are none. */
type Read = (requestPath: string, file: string) => Promise<Buffer | undefined>;

export interface Published {
  readonly label: string;
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  /** The lists whose dump is not published: the catalog has today's items. */
  readonly unknown: readonly string[];
  /** What else is not compared, a sentence each. */
  readonly notes: readonly string[];
  /** Today's API, with the schemas that are published for the operations that are published differently. */
  readonly today: Api;
}

const day = z.iso.date();

const notice = z.object({
  since: day,
  sunset: day.optional(),
  use: z.string().optional(),
  why: z.string().optional(),
});

const entry = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  description: z.string().default(""),
  path: z.string(),
  parameters: z.array(z.string()).default([]),
  key: z.union([z.string(), z.array(z.string())]).optional(),
  order: z.array(z.union([z.string(), z.object({ field: z.string() }).loose()])).default([]),
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

type Entry = z.infer<typeof entry>;

const overview = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  operations: z.array(entry).refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
});

const filterValues = z.object({
  filters: z.array(z.object({ param: z.string(), values: z.array(z.object({ value: z.string(), count: z.int() })) })),
});

/** Whether a folder or an address has a build, and no content. */
export const isPublished = (against: string): boolean =>
  isAddress(against) || existsSync(path.join(against, tableFile));

/** `plan` is today's build. Throws MachineError if nothing is published there by this program. */
export async function readPublished(against: string, plan: BuildPlan): Promise<Published> {
  const { base } = plan.catalog.api;
  const client = isAddress(against) ? openClient(new URL(against), base, limits) : undefined;
  try {
    const read = client === undefined ? fromFolder(against) : fromAddress(client);
    const from = client === undefined ? (baseIn(against) ?? base) : base;
    return await publishedBy(publicName(against), from, read, plan);
  } finally {
    client?.close();
  }
}

const limits = { purpose: "diff", inAll: 2e9, time: 600_000, patience: 20_000, waits: [500, 2_000] };

const baseIn = (folder: string): string | undefined =>
  parseRoutingTable(readFileSync(path.join(folder, tableFile), "utf8"))?.base;

function fromFolder(folder: string): Read {
  return async (_, file) => {
    const full = path.join(folder, file);
    return existsSync(full) ? readFileSync(full) : undefined;
  };
}

function fromAddress(client: Client): Read {
  return async (requestPath) => {
    const answer = await client.fetchFile(requestPath.slice(1));
    if (typeof answer === "string") throw new MachineError(`${client.root}${requestPath} cannot be read: ${answer}.`);
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (answer.status === 200) return answer.body;
    throw new MachineError(`${client.root}${requestPath} cannot be read: the status is ${answer.status}.`);
  };
}

async function publishedBy(label: string, base: string, read: Read, plan: BuildPlan): Promise<Published> {
  const { api, settings } = plan.catalog;
  const about = overview.safeParse(await jsonAt(read, base, `${apiFolder(base)}.json`)).data;
  if (about === undefined) {
    throw new MachineError(`There is no API of this program at ${label}${base}.`, "Check the address and its base.");
  }
  const own = (file: string): unknown => {
    const found = plan.find(file);
    return found && JSON.parse(bytesOf(found).toString());
  };
  const ownEntries = overview.parse(own(`${apiFolder(api.base)}.json`)).operations;
  const valuesAt = async (name: string): Promise<PublishedValues> => {
    const file = filtersPath(base, name);
    const published = filterValues.safeParse(await jsonAt(read, file, file.slice(1))).data;
    if (published === undefined) notes.push(`The values of the filters of ${name} are not published, so not compared.`);
    return new Map(
      published?.filters.map(({ param, values }) => [param, new Map(values.map(({ value, count }) => [value, count]))]),
    );
  };
  const notes: string[] = [];
  const lists: ListOperation[] = [];
  const documents: DocumentOperation[] = [];
  const today = new Map<string, Operation>();
  const items = new Map<string, Items>();
  const contents = new Map<string, Item>();
  const unknown: string[] = [];
  for (const each of about.operations) {
    const { name } = each;
    const file = (at: string) => `${at}/schemas/${name}.json`;
    const schema = withoutNames(await jsonAt(read, file(base), file(base).slice(1)));
    const ownSchema = withoutNames(own(file(api.base).slice(1)));
    const known = api.operations.find((operation) => operation.name === name);
    const ownEntry = ownEntries.find((operation) => operation.name === name);
    const isSame =
      ownEntry !== undefined &&
      JSON.stringify([relocated(each, base, api.base), schema]) ===
        JSON.stringify([relocated(ownEntry, api.base, api.base), ownSchema]);
    if (known !== undefined && !isSame) today.set(name, withSchema(known, ownSchema));
    if (each.key === undefined) {
      const body = await jsonAt(read, `${base}/${name}`, `${apiFolder(base)}/${name}.json`);
      documents.push(isSame && known?.kind === "document" ? known : documentOf(each, schema));
      if (body !== undefined) contents.set(name, Object(body));
      continue;
    }
    const dump = `${base}/dumps/${name}.ndjson`;
    const bytes = await read(dump, dump.slice(1));
    const lines = bytes && linesOf(bytes, name);
    const derives = known?.kind === "list" && known.filters.some(({ of }) => of !== undefined);
    const values: PublishedValues = isSame && !derives ? new Map() : await valuesAt(name);
    const isToday = isSame && known?.kind === "list" && (!derives || derivesAlike(known, lines ?? [], values));
    const list = isToday ? known : listOf(each, schema, known, values);
    lists.push(list);
    if (lines === undefined) unknown.push(name);
    else items.set(name, itemsOf(list, lines));
  }
  // Others may refer to lists that are not published.
  lists.push(...api.lists.filter((each) => about.operations.every(({ name }) => name !== each.name)));
  const current = [...plan.catalog.items].filter(([name]) => lists.some((each) => each.name === name));
  const sizes = new Map(about.operations.flatMap(({ name, page_sizes }) => sizesOf(name, page_sizes)));
  const { title, description } = about;
  return {
    label,
    catalog: {
      api: { ...api, base, lists, documents, operations: [...lists, ...documents] },
      items: new Map([...current, ...items]),
      deployments: plan.catalog.deployments,
      settings: {
        ...settings,
        title: title === "API" ? undefined : title,
        description,
        pageSizes: new Map([...settings.pageSizes, ...sizes]),
      },
    },
    deployment: {
      name: plan.deployment.name,
      operations: about.operations.map(({ name }) => name),
      documents: contents,
    },
    unknown,
    notes,
    today: withOperations(api, today),
  };
}

async function jsonAt(read: Read, requestPath: string, file: string): Promise<unknown> {
  const bytes = await read(requestPath, file);
  return bytes && parseJson(bytes.toString());
}

function linesOf(bytes: Buffer, name: string): readonly Item[] {
  const lines = bytes.toString().split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const item = parseJson(line);
      if (typeof item === "object" && item !== null) return Object(item);
      throw new MachineError(`The dump of ${name} is damaged: a line is no item.`, "Compare with another build.");
    });
}

/** A schema without what the program and its address add. */
function withoutNames(schema: unknown): Rules {
  const { $id, $schema, $comment, ...rules } = Object(schema);
  return rules;
}

type Rules = Readonly<Record<string, unknown>>;

/** Throws MachineError if it is not a schema that this program publishes. */
function schemaOf(rules: Rules): z.ZodObject {
  let schema: unknown;
  try {
    schema = z.fromJSONSchema(rules as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MachineError(`A published schema cannot be read: ${reason}`, "Compare with another build.");
  }
  if (schema instanceof z.ZodObject) return schema;
  throw new MachineError("A published schema is missing or damaged.", "Compare with another build.");
}

function withSchema(operation: Operation, rules: Rules): Operation {
  const made = schemaOf(rules);
  const schema = () => made;
  return operation.kind === "list"
    ? { ...operation, resource: { ...operation.resource, schema } }
    : { ...operation, resource: { ...operation.resource, schema } };
}

const withOperations = (api: Api, changed: ReadonlyMap<string, Operation>): Api => {
  const current = <Each extends Operation>(each: Each): Each => (changed.get(each.name) ?? each) as Each;
  const [lists, documents] = [api.lists.map(current), api.documents.map(current)];
  return { ...api, lists, documents, operations: [...lists, ...documents] };
};

/** An entry of BASE as it would be below another base, without the page sizes, which are a setting. */
const relocated = ({ path: own, item, page_sizes, ...each }: Entry, from: string, to: string): unknown => {
  const at = (address: string | undefined) => address?.replace(from, to);
  return { ...each, path: at(own), item: at(item) };
};

const sizesOf = (name: string, sizes: Entry["page_sizes"]): readonly (readonly [string, PageSizes])[] =>
  sizes === undefined ? [] : [[name, sizes === "every" ? everyPageSize : sizes]];

function documentOf({ name, description, cache, ...more }: Entry, rules: Rules): DocumentOperation {
  const document = defineDocument({ purpose: description, schema: schemaOf(rules), cache });
  const [made] = completeApi(defineApi({ collections: {}, documents: { [name]: document } })).documents;
  if (made === undefined) throw new Error(`There is no document ${name}.`);
  const resource = { ...made.resource, deprecated: more.deprecated_fields };
  return { ...made, resource, ...(more.deprecated && { deprecated: more.deprecated }) };
}

/** The declaration of a list as far as it is published, and otherwise today's. */
function listOf(each: Entry, rules: Rules, known: Operation | undefined, values: PublishedValues): ListOperation {
  const { name, description: purpose, key, order, together, parameters, item, aliases, brief, cache } = each;
  const own = known?.kind === "list" ? known : undefined;
  const collection = {
    kind: "collection",
    site: undefined,
    declaration: {
      ...{ purpose, schema: schemaOf(rules), key, order, cache },
      paged: parameters.includes("limit"),
      item: item !== undefined && (aliases === undefined || { aliases }),
      ...(own && { noun: { one: own.resource.noun, many: own.resource.nouns } }),
      ...(brief && { brief }),
    } as unknown as CollectionDeclaration,
  } as const;
  const [made] = completeApi(defineApi({ collections: { [name]: collection } })).lists;
  if (made === undefined) throw new Error(`There is no list ${name}.`);
  const filters = Object.entries(each.filters).map(([param, rule]): Filter => {
    const { field, by } = ruleOf(
      rule,
      own?.filters.find((filter) => filter.param === param),
    );
    const accepts = { kind: "listed", type: "text", values: [...(values.get(param)?.keys() ?? [])] } as const;
    const notice = each.deprecated_filters[param];
    return {
      param,
      field,
      by,
      accepts,
      ...(by === "function" && { of: () => [] }),
      ...(notice && { deprecated: notice }),
    };
  });
  const defining = own?.resource.defining ?? [];
  const resource = { ...made.resource, defining, deprecated: each.deprecated_fields };
  return { ...made, filters, together, resource, ...(each.deprecated && { deprecated: each.deprecated }) };
}

/** By parameter, how many items each published value lists. */
type PublishedValues = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Whether today's functions list the published items by the published values. */
function derivesAlike({ filters }: ListOperation, items: readonly Item[], values: PublishedValues): boolean {
  return filters.every(({ param, of }) => {
    if (of === undefined) return true;
    const counts = new Map<string, number>();
    try {
      for (const value of items.flatMap(of)) counts.set(value, (counts.get(value) ?? 0) + 1);
    } catch {
      // A function that fails for an earlier item is another one than listed it.
      return false;
    }
    const published = [...(values.get(param) ?? [])].filter(([, count]) => count > 0);
    return published.length === counts.size && published.every(([value, count]) => counts.get(value) === count);
  });
}

/** What a filter compares. Whether a field is a list is known of today's filter by it. */
function ruleOf(rule: unknown, own: Filter | undefined): Pick<Filter, "field" | "by"> {
  if (typeof rule === "string") {
    return { field: rule, by: own?.field === rule && own.by === "elements" ? "elements" : "value" };
  }
  const { field, keysOf } = Object(rule);
  if (typeof keysOf === "string") return { field: keysOf, by: "names" };
  return typeof field === "string" ? { field, by: "slug" } : { field: undefined, by: "function" };
}
