// Follows search.md in an empty folder, and runs its programs against the API that it builds.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Preview, startPreview } from "../build/cli/preview/preview.ts";
import { typeCheck } from "../test/client/type-check.ts";
import { runCommands, writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const blocks = blocksOf(readPage("docs/search.md"));
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-search-"));
const cwd = process.cwd();
let preview: Preview;

beforeAll(async () => {
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  process.chdir(folder);
  for (const block of blocks) {
    if (block.mark === undefined) writeBlock(block);
    else await runCommands(block.text);
  }
  preview = await startPreview("dist", 0);
});

afterAll(async () => {
  await preview.stop();
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

/** The exports of a program of the page, which then reads the API of the test. */
async function programOf(file: string) {
  const outfile = path.join(folder, file.replace(/\.ts$/, ".mjs"));
  await build({
    // By default, the current folder of the first test of this process.
    absWorkingDir: folder,
    stdin: {
      contents: readFileSync(file, "utf8").replace("https://api.example.com", preview.origin),
      resolveDir: folder,
      loader: "ts",
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    alias: {
      "stillapi/client": path.join(cwd, "src/answers/client.ts"),
      stillapi: path.join(cwd, "src/index.ts"),
    },
  });
  return import(pathToFileURL(outfile).href);
}

it("finds words by a request", async () => {
  const words = readdirSync("dist/api/v1/books/word");
  expect(words).toEqual(expect.arrayContaining(["miserables.json", "oeuvres.json", "ouest.json", "weiss.json"]));
  // One file for each word.
  expect(words).toHaveLength(20);
  const { findWords } = await programOf("find-words.ts");
  expect(await findWords("Woolf")).toEqual(["Orlando", "The Waves"]);
  expect(await findWords("virginia WAVES")).toEqual(["The Waves"]);
  expect(await findWords("Étoile")).toEqual(["Stars of the Night"]);
  expect(await findWords("Oeuvres soren")).toEqual(["Œuvres de l’Ouest"]);
  expect(await findWords("moon")).toEqual([]);
});

it("finds and sorts in a copy", async () => {
  const { update, find, titles, longest } = await programOf("find.ts");
  await update();
  await update();
  expect(find("virgina")).toEqual(["Orlando", "The Waves"]);
  expect(find("miserab")).toEqual(["Les Misérables"]);
  for (const word of ["OEuvres", "œuvres", "weiss", "Weiß", "ouest"]) expect(find(word)).toEqual(["Œuvres de l’Ouest"]);
  expect(titles()).toEqual([
    "Emma",
    "Les Misérables",
    "Œuvres de l’Ouest",
    "Orlando",
    "Stars of the Night",
    "The Waves",
  ]);
  expect(longest()[0]).toBe("Les Misérables");
});

it("type-checks", () => {
  const files = blocks.flatMap(({ language, text }) => {
    const [kind, file] = language.split(" ");
    return kind === "ts" && file !== undefined ? [[file, text] as const] : [];
  });
  expect(files).toHaveLength(4);
  process.chdir(cwd);
  expect(typeCheck(Object.fromEntries(files)).errors).toEqual([]);
});
