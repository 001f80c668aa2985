// The reference as Markdown, and llms.txt, which leads programs to it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { marked } from "marked";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { manyLists, writeManyLists } from "../../../test/documents/many-lists.ts";
import { documentsIn, planOf, planSample, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import type { TestPlan } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const documentsOf = (plan: TestPlan) =>
  new Map(
    documentsIn(plan).map((document) => [
      document.path,
      { ...document, text: Buffer.concat([...document.parts()]).toString() },
    ]),
  );

const titlesIn = (text: string): readonly string[] =>
  marked.lexer(text).flatMap((token) => (token.type === "heading" ? [String(token["text"])] : []));

const linksIn = (text: string): readonly string[] => [...text.matchAll(/\]\((.*?)\)/g)].map(([, to = ""]) => to);

it("has the operations, parameters, fields and errors of the HTML, which names it", async () => {
  const plan = await planSample(path.join(folder, "edge"), { count: 30, pageSizes: "every" }, (to) =>
    writeFileSync(path.join(to, "api.yaml"), JSON.stringify({ title: "Edge", url: "https://edge.example" })),
  );
  const documents = documentsOf(plan);
  const about = documents.get("/api/v1/docs/index.md");
  expect(about).toMatchObject({ contentType: "text/markdown; charset=utf-8", file: "api/v1/docs/index.md" });
  const text = about?.text ?? "";
  expect(text).toContain("# Edge\n");
  expect(text).toContain("Base URL: `https://edge.example/api/v1`");
  const titles = titlesIn(text);
  for (const { name } of edgeNetwork.lists) {
    expect(titles).toContain(`List ${name}`);
    expect(text).toContain(`\`GET /api/v1/${name}\``);
  }
  expect(text).toMatch(/- `limit` \(integer\): Maximum number of items per page, from 1 to 100\. Defaults to 100\./);
  expect(text).toMatch(/\| `invalid_limit` +\| 400 +\|/);
  const reference = documents.get("/api/v1/docs/")?.text ?? "";
  expect(reference).toContain('<link rel="alternate" type="text/markdown" href="/api/v1/docs/index.md">');
  const fields = [...reference.matchAll(/<dt><a href="#[^"]+"><code>([\w.[\]]+)<\/code>/g)].map(([, field]) => field);
  expect(fields.filter((field) => !text.includes(`- \`${field}\` (`))).toEqual([]);
});

it("describes each of two lists with one noun by its own fields", async () => {
  const to = path.join(folder, "alike");
  mkdirSync(to);
  const listOf = (field: string) =>
    defineCollection({
      purpose: "Entries.",
      noun: { one: "entry", many: "entries" },
      schema: z.strictObject({ id: z.string(), [field]: z.string().describe(`Its ${field}.`) }),
      key: "id",
    });
  const api = completeApi(defineApi({ collections: { blog: listOf("headline"), ledger: listOf("amount") } }));
  writeFileSync(path.join(to, "blog.json"), '[{"id":"a","headline":"New"}]');
  writeFileSync(path.join(to, "ledger.json"), '[{"id":"b","amount":"5"}]');
  const documents = documentsOf(await planOf(to, api));
  const text = documents.get("/api/v1/docs/index.md")?.text ?? "";
  expect(text.match(/^(?:### Entry|Response: |- `(?:headline|amount)`).*/gm)).toEqual([
    "Response: The items, in order. See Entry (blog) below for its fields.",
    "Response: The items, in order. See Entry (ledger) below for its fields.",
    "### Entry (blog)",
    "- `headline` (string): Its headline.",
    "### Entry (ledger)",
    "- `amount` (string): Its amount.",
  ]);
  expect(documents.get("/api/v1/docs/data/ledger")?.text).toContain('href="/api/v1/docs/#resource-ledger.amount"');
});

it("has a page for each list of a large API, to which the start leads", async () => {
  const to = path.join(folder, "many");
  writeManyLists(to);
  const documents = documentsOf(await planOf(to, manyLists));
  const start = documents.get("/api/v1/docs/index.md")?.text ?? "";
  expect(linksIn(start).length).toBe(30);
  expect(linksIn(start).filter((link) => !documents.has(link))).toEqual([]);
  expect(titlesIn(documents.get("/api/v1/docs/collections/things-ac.md")?.text ?? "")).toEqual([
    "things-ac",
    "Operations",
    "List things-ac",
    "Get one things-ac-item",
    "Resources",
    "Things-ac-item",
  ]);
});

it("is named by llms.txt at the root, all of whose links lead somewhere, unless the front page is another's", async () => {
  const plan = await planSample(path.join(folder, "llms"), { count: 3, pageSizes: [5] });
  const documents = documentsOf(plan);
  const { text, contentType } = documents.get("/llms.txt") ?? { text: "" };
  expect(contentType).toBe("text/plain; charset=utf-8");
  expect(linksIn(text)).toEqual(expect.arrayContaining(["/api/v1/docs/index.md", "/api/v1/openapi.json"]));
  expect(linksIn(text).filter((link) => !documents.has(link))).toEqual([]);
  const without = documentsIn(plan, { settings: { frontPage: false } }).map(({ path: at }) => at);
  expect(without).not.toContain("/llms.txt");
  expect(without).toContain("/api/v1/docs/index.md");
});
