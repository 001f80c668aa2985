// Random declarations with nouns, names and fields that are hard to make addresses of. On every page all ids are unique, every
// link of every document leads to a file of the build and to an anchor in it, and no example uses what is deprecated.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import {
  type ApiDeclaration,
  type Collection,
  defineApi,
  defineCollection,
  defineDocument,
} from "../../src/declare/declare.ts";
import { deprecated } from "../../src/declare/forms.ts";
import { deadAnchorsIn, hasAnchor, linksIn } from "../../test/documents/check-page.ts";
import { planned, type TestPlan } from "../../test/plan.ts";
import { rounds } from "../../test/seed.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";
import { plain } from "../hosts/plain/index.ts";
import { resolve, settle, splitTarget } from "../routing/resolve.ts";

const folder = temporaryFolder();

const gone = { since: "2026-01-01", why: "It was never used." };

/** Names that begin like anchors, or continue each other. */
const names = ["a", "a-parameters", "a-0", "list-a", "item-a", "resource-a", "report", "films2020", "films2021"];

const nouns = ["entry", "report", "узел", "образ", "κόμβος", "节点", "film 2020", "film 2021", 'a "b" <c>', "Ä"];

interface Field {
  readonly schema: z.ZodType;
  readonly values: readonly unknown[];
}

const objectOf = (name: string) => z.strictObject({ [name]: z.string().describe("A name.") });

const kinds: Readonly<Record<string, Field>> = {
  word: { schema: z.enum(["on", "off"]), values: ["on", "off"] },
  number: { schema: z.int(), values: [1, 2, 3] },
  list: { schema: z.array(z.enum(["x", "y"])).describe("Words."), values: [["x"], ["x", "y"]] },
  record: { schema: z.record(z.string(), objectOf("a b")), values: [{}, { q: { "a b": "c" } }] },
  tuple: { schema: z.tuple([z.number(), objectOf("größe")]), values: [[1, { größe: "m" }]] },
  lists: {
    schema: z.union([z.array(objectOf("a")), z.array(z.strictObject({ a: z.int(), b: z.int() })), objectOf("a")]),
    values: [[{ a: "x" }], [{ a: 1, b: 2 }], { a: "x" }],
  },
  old: { schema: deprecated(z.string(), gone), values: ["was"] },
};

const fieldNames = ["n", "a b", "größe", 'q"<u>', "x.y", "tags[]", "50%"];

const anyField = fc.tuple(fc.constantFrom(...fieldNames), fc.constantFrom(...Object.keys(kinds)));

const choice = fc.constantFrom("none", "current", "deprecated", "both");

const anyCollection = fc.record({
  name: fc.constantFrom(...names),
  noun: fc.option(fc.constantFrom(...nouns)),
  fields: fc.uniqueArray(anyField, { selector: ([name]) => name, maxLength: 4 }),
  count: fc.constantFrom(0, 3, 30),
  hasItems: fc.boolean(),
  isGone: fc.boolean(),
  isPaged: fc.boolean(),
  filters: choice,
  orders: choice,
});

type AnyCollection = typeof anyCollection extends fc.Arbitrary<infer Value> ? Value : never;

const anyApi = fc.record({
  collections: fc.uniqueArray(anyCollection, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
  /** More than twelve lists have a page of the reference each. */
  isSplit: fc.boolean(),
  isPlain: fc.boolean(),
  hasDocument: fc.boolean(),
  mount: fc.constantFrom(undefined, "/below"),
});

type AnyApi = typeof anyApi extends fc.Arbitrary<infer Value> ? Value : never;

const schemaOf = ({ fields }: AnyCollection) =>
  z.strictObject({
    id: z.string().describe("Its key."),
    tag: z.enum(["r", "g"]),
    ...Object.fromEntries(fields.map(([name, kind]) => [name, kinds[kind]?.schema ?? z.never()])),
  });

function collectionOf(any: AnyCollection): Collection {
  const { noun, hasItems, isGone, isPaged, filters, orders } = any;
  const has = (chosen: string, which: string) => chosen === which || chosen === "both";
  return defineCollection({
    purpose: "What somebody keeps.",
    ...(noun !== null && { noun: { one: noun, many: `${noun}s` } }),
    schema: schemaOf(any),
    key: "id",
    ...(hasItems && { item: true }),
    paged: isPaged,
    filters: {
      ...(has(filters, "current") && { tag: "tag" }),
      ...(has(filters, "deprecated") && { parameters: { field: "tag", deprecated: gone } }),
    },
    orders: {
      ...(has(orders, "deprecated") && { old: { fields: ["-id"], deprecated: gone } }),
      ...(has(orders, "current") && { last: ["-id"] }),
    },
    ...(isGone && { deprecated: gone }),
  } as unknown as Parameters<typeof defineCollection>[0]) as unknown as Collection;
}

const itemsOf = ({ fields, count }: AnyCollection): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `k${index}`,
    tag: index % 2 === 0 ? "r" : "g",
    ...Object.fromEntries(
      fields.map(([name, kind]) => {
        const values = kinds[kind]?.values ?? [];
        return [name, values[index % values.length]];
      }),
    ),
  }));

const report = defineDocument({
  purpose: "How it goes.",
  schema: z.strictObject({ summary: z.string().describe("In a word."), state: z.enum(["on", "off"]) }),
});

const fewOf = (name: string): AnyCollection => ({
  name,
  noun: null,
  fields: [],
  count: 3,
  hasItems: true,
  isGone: false,
  isPaged: true,
  filters: "none",
  orders: "none",
});

/** Writes the content to a folder and plans its build. */
function planOf(any: AnyApi, content: string): Promise<TestPlan> {
  const { isSplit, isPlain, hasDocument, mount } = any;
  const further = Array.from({ length: isSplit ? 12 : 0 }, (_, index) => `z${index}`);
  const collections: readonly AnyCollection[] = [
    ...any.collections.filter(({ name }) => !hasDocument || name !== "report"),
    ...[...further, "last"].map(fewOf),
  ];
  const operations = [...collections.map(({ name }) => name), ...(hasDocument ? ["report"] : [])];
  mkdirSync(path.join(content, "deployments"), { recursive: true });
  const files = {
    "api.yaml": { page_sizes: [2, 100], ...(isPlain && { mount }) },
    "deployments/edge.json": { operations, ...(hasDocument && { report: { summary: "Fine.", state: "on" } }) },
    ...Object.fromEntries(collections.map((collection) => [`${collection.name}.json`, itemsOf(collection)])),
  };
  for (const [file, value] of Object.entries(files)) writeFileSync(path.join(content, file), JSON.stringify(value));
  const declaration = defineApi({
    collections: Object.fromEntries(collections.map((collection) => [collection.name, collectionOf(collection)])),
    documents: hasDocument ? { report } : {},
    outputs: {
      "all.txt": { render: () => "all" },
      "each/{id}.txt": { each: "last", render: ({ id }: { readonly id: string }) => id },
    },
  } as unknown as Parameters<typeof defineApi>[0]) as unknown as ApiDeclaration;
  return planned({ api: completeApi(declaration), content, hosts: isPlain ? [plain] : [] });
}

it("has unique ids, links that lead somewhere and examples that stay, whatever is declared", {
  timeout: 300_000,
}, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(anyApi, async (any) => {
      const content = path.join(folder, `${number++}`);
      expect(mistakesOf(await planOf(any, content))).toEqual([]);
      rmSync(content, { recursive: true });
    }),
    { numRuns: 15 * rounds },
  );
});

/** A request or an example of a parameter with the deprecated order or filter. */
const outdated = /(?:GET|curl)\b[^\n]{0,200}(?:[?&/](?:sort[=/]old|parameters[=/]))|"example":"old"/g;

/** The mistakes in the documents of a build. */
function mistakesOf(plan: TestPlan): readonly string[] {
  const texts = new Map(
    plan.documents.map((document) => [document.file, Buffer.concat([...document.parts()]).toString()] as const),
  );
  const textOf = (file: string): string => texts.get(file) ?? String(bytesOf(plan.files.find(file) ?? missing(file)));
  const isDead = (href: string): boolean => {
    if (/^(?:https?|mailto):/.test(href)) return false;
    const [target = "", anchor] = href.split("#");
    const request = { method: "GET", ...splitTarget(target) };
    const { status, file } = settle(resolve(plan.table, request), (needed) => plan.files.find(needed) !== undefined);
    if (status !== 200 || file === undefined) return true;
    return anchor !== undefined && file.endsWith(".html") && !hasAnchor(textOf(file), anchor);
  };
  const mistakes: string[] = [];
  for (const [file, text] of texts) {
    const links = file.endsWith(".html")
      ? linksIn(text).filter((href) => !href.startsWith("#"))
      : addressesIn(file, text);
    mistakes.push(...links.filter(isDead).map((href) => `${file} leads to ${href}`));
    if (!file.endsWith(".html")) continue;
    const spaced = [...text.matchAll(/ id="([^"]*\s[^"]*)"/g)].map(([, id = ""]) => id);
    mistakes.push(...[...spaced, ...deadAnchorsIn(text)].map((mistake) => `${file} has ${mistake}`));
  }
  for (const [file, text] of texts) {
    // A table may show what is deprecated, and of a host that only serves files each path has an example.
    const isExempt =
      file.includes("/docs/data/") || (file.endsWith("openapi.json") && plan.table.addresses === "files");
    const examples = isExempt ? null : text.match(outdated);
    mistakes.push(...(examples ?? []).map((example) => `${file} shows ${example}`));
  }
  return mistakes;
}

function missing(file: string): never {
  throw new Error(`There is no file ${file}.`);
}

/** The addresses in a document for programs. */
function addressesIn(file: string, text: string): readonly string[] {
  if (file.endsWith(".md") || file.endsWith(".txt"))
    return [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, to = ""]) => to);
  if (file.endsWith("find.json")) {
    const { groups } = JSON.parse(text);
    return groups.flatMap(({ at = "", to = "", entries }: { at?: string; to?: string; entries: string[][] }) =>
      entries.map(([name = "", , end = name]) => at + end + to),
    );
  }
  if (!/^(?:below\/)?api\/v1\.json$/.test(file)) return [];
  const { operations, documents } = JSON.parse(text);
  return [...operations, ...documents].map(({ path: at }: { path: string }) => at);
}
