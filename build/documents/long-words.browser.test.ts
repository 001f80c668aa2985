// Words longer than a line, wherever publishers and declarations have words: no page scrolls sideways.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, defineDocument, html, reference } from "../../src/index.ts";
import {
  expectAccessible,
  expectToFit,
  isSkipped,
  openInTest,
  type PageServer,
  serve,
} from "../../test/documents/browser.ts";
import { documentsIn, planOf, temporaryFolder } from "../../test/documents/source.ts";
import { completeApi } from "../declaration/complete.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A word of some letters, without a place to break it. */
const word = (start: string, length = 80): string => start + "m".repeat(length - start.length);

const list = word("list", 32);
const others = word("others", 32);
const field = word("field", 60);
const param = word("param", 32);
const sentence = (name: string) => `${word("A")} \`${word(name)}\`, and \`${list}\`: ${word("B")}.`;

const things = {
  purpose: sentence("purpose"),
  noun: { one: word("thing", 40), many: word("things", 40) },
  key: "id",
  order: [field, `-${word("order", 60)}`],
  schema: z
    .strictObject({
      id: z.string().describe(sentence("id")),
      name: z.string().describe(sentence("name")),
      [field]: z.enum([word("one"), word("two", 100)]).describe(sentence("field")),
      [word("order", 60)]: z.string().describe(sentence("order")),
      to: reference(others).describe(sentence("to")),
      inner: z.strictObject({ [word("inner", 60)]: z.string().describe(sentence("inner")) }),
      status: z.string(),
      mail: z.string(),
      site: z.string(),
    })
    .meta({ title: word("Thing", 40) }),
  filters: { [param]: field, to: "to" },
  item: true,
  deprecated: { since: "2026-01-01", why: sentence("why"), use: `/api/v1/${others}` },
} as const;

const api = completeApi(
  defineApi({
    collections: {
      [list]: defineCollection(things as unknown as Parameters<typeof defineCollection>[0]),
      [others]: defineCollection({
        purpose: sentence("others"),
        schema: z.strictObject({ id: z.string(), name: z.string() }),
        key: "id",
      }),
    },
    documents: {
      [word("document", 32)]: defineDocument({ purpose: sentence("document"), schema: z.object({ text: z.string() }) }),
    },
    pages: {
      "docs/own": { title: word("Own"), render: () => html`<h1>Own</h1><p>${word("text")}</p>` },
      "docs/more": { title: word("More"), render: () => html`<h1>More</h1><pre><code>${word("code")}</code></pre>` },
    },
  }),
);

const thing = (index: number) => ({
  id: word(`id${index}`, 100),
  name: index === 0 ? word("name", 99) : `Some ${word("name", 80)}`,
  [field]: index % 2 === 0 ? word("one") : word("two", 100),
  [word("order", 60)]: word("text", 300),
  to: word(`o${index % 3}`, 100),
  inner: { [word("inner", 60)]: word("text") },
  status: word("status", 30),
  mail: `${word("mail", 60)}@${word("example", 60)}.com`,
  site: `https://${word("example", 60)}.com/${word("path")}`,
});

const introduction = `# ${word("Heading")}

${word("Text")} with \`${word("code")}\` and [${word("link")}](https://example.com/).

- \`${word("code")}\` ${word("text")}

| ${word("head", 40)} | \`${word("code")}\` |
| --- | --- |
| ${word("cell", 40)} | ${word("cell")} |
`;

const settings = {
  title: word("Title"),
  description: sentence("description"),
  license: { name: word("License"), url: `https://example.com/${word("license")}` },
  contact: { name: word("Contact") },
  page_sizes: [2, 100],
};

describe.skipIf(isSkipped)("with long words", () => {
  let site: PageServer;

  beforeAll(async () => {
    mkdirSync(path.join(folder, "deployments"), { recursive: true });
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(value));
    write("api", settings);
    writeFileSync(path.join(folder, "introduction.md"), introduction);
    write(
      list,
      Array.from({ length: 120 }, (_, index) => thing(index)),
    );
    write(
      others,
      [0, 1, 2].map((index) => ({ id: word(`o${index}`, 100), name: word("Name", 99) })),
    );
    write("deployments/edge", {
      operations: [list, others, word("document", 32)],
      [word("document", 32)]: { text: word("text") },
    });
    const plan = await planOf(folder, api);
    const at = "2026-01-01T00:00:00Z";
    const keys = [word("id0", 100), word("gone", 100)];
    const change = {
      at,
      build: "b",
      collections: { [list]: { added: keys, changed: keys, removed: keys } },
      documents: [],
    };
    const changes = { object: "changes", since: at, build: "a", data: [change] } as const;
    site = await serve(documentsIn(plan, { changes }), () => ({
      body: JSON.stringify({ [word("key")]: [word("text"), 1] }),
    }));
  });

  afterAll(() => site.stop());

  const data = `/api/v1/docs/data/${list}`;

  describe.each([{ scripts: false }, { scripts: true }])("scripts: $scripts", ({ scripts }) => {
    it.each([
      ["the reference", "/api/v1/docs/"],
      ["a table", data],
      ["a table of a value", `${data}?${param}=${word("one")}`],
      ["the changes", "/api/v1/docs/changes"],
      ["a declared page", "/api/v1/docs/own"],
    ])("%s fits narrow screens", async (_, place) => {
      const page = await openInTest(`${site.origin}${place}`, { width: 320, scripts });
      expect(await page.$("h1")).not.toBe(null);
      await expectToFit(page, [768, 390, 320]);
    });
  });

  it("the contents, a response and a row that is open fit narrow screens", async () => {
    const page = await openInTest(`${site.origin}/api/v1/docs/`, { width: 320, scripts: true });
    await page.click(".folded summary");
    for (const handle of await page.$$("details"))
      await handle.evaluate((details) => Object.assign(details, { open: true }));
    await page.evaluate(`document.querySelector("form.console").requestSubmit()`);
    await page.waitForSelector(".answer .facts + pre");
    await expectToFit(page, [390, 320]);
    await expectAccessible(page);
    const table = await openInTest(`${site.origin}${data}?${param}=${word("one")}#row-${word("id0", 100)}`, {
      width: 320,
      scripts: true,
    });
    await table.waitForSelector(".opened");
    await expectToFit(table, [390, 320]);
    const wide = await table.$$eval(".opened .item", (all) => all.map((item) => item.scrollWidth - item.clientWidth));
    expect(wide).toEqual([0]);
  });
});
