// Follows forms.md in an empty folder, with a table of books. build/cli/editors/forms.browser.test.ts uses its page.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "../test/cli/run-command.ts";
import { runCommands, testInEmptyFolder, writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const page = readPage("docs/forms.md");

testInEmptyFolder();

const config = `import { defineApi, defineCollection, image } from "stillapi";
import { count, label, slug } from "stillapi/forms";
import * as z from "zod";

const schema = z.strictObject({ id: slug, title: label, pages: count, cover: image().nullable() });
export default defineApi({ collections: { books: defineCollection({ purpose: "Books.", schema, key: "id" }) } });
`;

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40"><path d="M1 1h9v9z"/></svg>';

it("makes a file of each row, and a form for them, as the page says", async () => {
  writeFileSync("api.config.ts", config);
  mkdirSync("content/photos", { recursive: true });
  writeFileSync("content/photos/sea.svg", picture);
  const blocks = blocksOf(page);
  for (const block of blocks) {
    if (block.mark === undefined) writeBlock(block);
  }
  const [table = ""] = blocks.flatMap(({ language, text }) => (language.startsWith("csv") ? text : []));
  writeFileSync("content/books.csv", `${table}land,The Land,90,\n`);
  const commands = blocks.flatMap(({ mark, text }) => (mark === undefined ? [] : [text]));
  expect(commands).toHaveLength(1);
  for (const text of commands) await runCommands(text);

  const answer = readFileSync("dist/api/v1/books.json", "utf8");
  expect(readdirSync("content/books").sort()).toEqual(["land.json", "sea.json"]);
  expect(JSON.parse(readFileSync("content/books/sea.json", "utf8")).cover).toBe("/photos/sea.svg");
  expect(await run(["build", "--out", "after"])).toMatchObject({ status: 0 });
  expect(readFileSync("after/api/v1/books.json", "utf8")).toBe(answer);
  const { locale, collections } = parse(readFileSync(".schemas/decap.yml", "utf8"));
  expect(locale).toBe("fr");
  expect(collections).toMatchObject([{ folder: "content/books", extension: "json", slug: "{{fields.id}}" }]);
});
