// Follows declaring.md in an empty folder: each file is written, each diff applied and each command run, in the order of
// the page.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../test/cli/run-command.ts";
import { typeCheck } from "../test/client/type-check.ts";
import { blocksOf, readPage } from "./pages.ts";

const page = readPage("docs/declaring.md");
const blocks = blocksOf(page);
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-declaring-"));
const cwd = process.cwd();

beforeAll(() => process.chdir(folder));

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

const apply = (diff: string, ...options: readonly string[]) =>
  execFileSync("git", ["apply", ...options, "-"], { input: diff, encoding: "utf8" });

/** The commands are those of package.json, in the process of the test. */
async function type(commands: string): Promise<void> {
  for (const command of commands.trim().split("\n")) {
    const [, name] = /^npm run (\w+)$/.exec(command) ?? [];
    if (name === undefined) execFileSync("sh", ["-ec", command]);
    else expect(await run([name]), command).toMatchObject({ status: 0 });
  }
}

const dataOf = (file: string) => JSON.parse(readFileSync(path.join("dist", file), "utf8")).data;

/** The requests of the first table, with the files that answer them. */
function checkRequests(): void {
  const [, first = ""] = page.split("\n## A first API\n");
  const [section = ""] = first.split("\n## ");
  const rows = [...section.matchAll(/^\| `(\/api\/v1\/\S+)` \| `(\S+\.json)`/gm)];
  expect(rows).toHaveLength(4);
  for (const [, , file = ""] of rows) expect(existsSync(path.join("dist", file)), file).toBe(true);
  expect(dataOf("api/v1/books.json").map(({ id }: { id: string }) => id)).toEqual(["gilgi", "orlando", "the-waves"]);
  expect(dataOf("api/v1/books/author/woolf/limit/1.json")).toMatchObject([{ id: "orlando" }]);
  expect(dataOf("api/v1/books/language/fr.json")).toEqual([]);
}

it("does what the page says", { timeout: 120_000 }, async () => {
  const followed = { files: 0, diffs: 0, commands: 0, mistakes: 0 };
  for (const [index, { language, text }] of blocks.entries()) {
    const [kind, file] = language.split(" ");
    if (language === "diff mistake") {
      apply(text);
      expect(await run(["check"])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(blocks[index + 1]?.text ?? "nothing"),
      });
      apply(text, "--reverse");
      followed.mistakes++;
    } else if (file !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      followed.files++;
    } else if (kind === "diff") {
      apply(text);
      followed.diffs++;
    } else if (kind === "sh") {
      await type(text);
      if (followed.commands++ === 0) checkRequests();
    }
  }
  expect(followed).toEqual({ files: 7, diffs: 5, commands: 6, mistakes: 1 });
  const [book] = dataOf("library/books/author/woolf/genre/novel.json");
  expect(book).toEqual({ id: "the-waves", title: "The Waves", author: "woolf" });
  expect(JSON.parse(readFileSync("dist/library/books/item/the-waves.json", "utf8"))).toMatchObject({ pages: 324 });
  expect(JSON.parse(readFileSync("dist/library/edition.json", "utf8"))).toEqual({
    version: 1,
    published_at: "2026-11-20T09:00:00Z",
  });
  const consumer = blocks.find(({ text }) => text.includes("createClient"))?.text ?? "";
  const files = Object.fromEntries(["api.config.ts", "people.ts"].map((name) => [name, readFileSync(name, "utf8")]));
  process.chdir(cwd);
  expect(typeCheck({ ...files, "consumer.ts": consumer }).errors).toEqual([]);
});

it("lists the options and forms that there are", async () => {
  const { collectionOptions } = await import("../build/declaration/options.ts");
  const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const named = (text: string) =>
    [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
  expect(named(section("Collections")).sort()).toEqual(Object.keys(collectionOptions.shape).sort());
  const forms = Object.keys(await import("../src/forms.ts"));
  expect(named(section("Fields")).sort()).toEqual(forms.sort());
});
