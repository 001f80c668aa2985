// Follows declaring.md in an empty folder.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { entryOptions } from "../build/declaration/options.ts";
import * as forms from "../src/declare/forms.ts";
import { run } from "../test/cli/run-command.ts";
import { typeCheck } from "../test/client/type-check.ts";
import { applyDiff, compareQuotation, runCommands, testInEmptyFolder, writeBlock } from "./follow.ts";
import { blocksOf, isQuotation, readPage } from "./pages.ts";

const page = readPage("docs/declaring.md");
const blocks = blocksOf(page);
const cwd = process.cwd();

testInEmptyFolder();

const sectionOf = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";

const read = (file: string) => JSON.parse(readFileSync(path.join("dist", file), "utf8"));

/** The requests of the first table, with the files that answer them. */
function checkRequests(): void {
  const rows = [...sectionOf("A first API").matchAll(/^\| `(\/api\/v1\/\S+)` \| `(\S+\.json)`/gm)];
  expect(rows).toHaveLength(4);
  for (const [, , file = ""] of rows) expect(existsSync(path.join("dist", file)), file).toBe(true);
  expect(read("api/v1/books.json").data).toMatchObject([{ id: "gilgi" }, { id: "orlando" }, { id: "the-waves" }]);
  expect(read("api/v1/books/author/woolf/limit/1.json").data).toMatchObject([{ id: "orlando" }]);
  expect(read("api/v1/books/language/fr.json").data).toEqual([]);
}

/** The files that the sections on orders, files and outputs name. */
function checkOutputs(): void {
  const sorted = JSON.parse(readFileSync("network/dist/api/v1/nodes/sort/capacity/region/lhr1.json", "utf8")).data;
  expect(sorted.map(({ capacity }: { capacity: string }) => capacity)).toEqual(["100G", "40G", "9G"]);
  const [, vase] = JSON.parse(readFileSync("museum/dist/api/v1/objects.json", "utf8")).data;
  const picture = readFileSync("museum/content/photos/vase.svg");
  expect(readFileSync("museum/dist/api/v1/files/photos/vase.svg")).toEqual(picture);
  expect(vase.leaflet).toMatchObject({ content_type: "text/plain", bytes: 29 });
  expect(existsSync("scans/dist/api/v1/files")).toBe(false);
  const readOutput = (file: string) => readFileSync(path.join("concerts/dist", file), "utf8");
  expect(JSON.parse(readOutput("api/concerts/winterreise.json"))).toMatchObject({ title: "Winterreise" });
  expect(JSON.parse(readOutput("api/v1/concerts.geojson")).features).toHaveLength(2);
  expect(readOutput("concerts.ics")).toContain("SUMMARY:Winterreise\r\n");
  const { documents, outputs } = JSON.parse(readOutput("routing.json"));
  const typeOf = (at: string) => documents.find((document: { path: string }) => document.path === at)?.contentType;
  expect(typeOf("/concerts.ics")).toBe("text/calendar; charset=utf-8");
  expect(typeOf("/api/v1/concerts.geojson")).toBe("application/geo+json");
  expect(outputs).toMatchObject([{ path: "/api/concerts/{id}.json", cacheControl: "public, max-age=600" }]);
}

it("does what the page says", { timeout: 120_000 }, async () => {
  const followed = { file: 0, diff: 0, sh: 0, mistake: 0 };
  let printed = "";
  for (const block of blocks) {
    const { language, text } = block;
    if (language === "diff mistake") {
      applyDiff(text);
      const checked = await run(["check"]);
      expect(checked).toMatchObject({ status: 1, stdout: "" });
      printed = checked.stderr;
      applyDiff(text, "--reverse");
      followed.mistake++;
    } else if (isQuotation(block)) {
      compareQuotation(block, printed);
    } else if (language === "sh") {
      printed = await runCommands(text);
      if (followed.sh++ === 0) checkRequests();
    } else {
      const written = writeBlock(block);
      if (written !== undefined) followed[written]++;
    }
  }
  expect(followed).toEqual({ file: 23, diff: 3, sh: 9, mistake: 1 });
  checkOutputs();
  expect(read("library/books/author/woolf/genre/novel.json").data).toEqual([
    { id: "the-waves", title: "The Waves", author: "woolf" },
  ]);
  expect(read("library/books/item/the-waves.json")).toMatchObject({ pages: 324 });
  expect(read("library/edition.json")).toEqual({ version: 1, published_at: "2026-11-20T09:00:00Z" });
  const consumer = blocks.find(({ text }) => text.includes("createClient"))?.text ?? "";
  const config = readFileSync("api.config.ts", "utf8");
  process.chdir(cwd);
  const concerts = blocks.find(({ text }) => text.includes("ical-generator"))?.text ?? "";
  const written = (file: string) => blocks.find(({ language }) => language.endsWith(` services/${file}`))?.text ?? "";
  const files = {
    "api.config.ts": config,
    "consumer.ts": consumer,
    "concerts.ts": concerts,
    "services/service.schema.json": written("service.schema.json"),
    "services/api.config.ts": written("api.config.ts"),
  };
  expect(typeCheck(files).errors).toEqual([]);
});

it("lists all options and forms", () => {
  const named = (heading: string) =>
    [...sectionOf(heading).matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
  expect(named("Collections").sort()).toEqual(Object.keys(entryOptions.collection.shape).sort());
  expect(named("Fields").sort()).toEqual(Object.keys(forms).sort());
});
