// The form of a book in Decap CMS: in Chromium, a picture is uploaded, and an item, a word, times and lists are filled in. The
// local server of Decap CMS writes the file, which must be content.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import getPort from "get-port";
import type { Page } from "puppeteer-core";
import { expect, inject, it, onTestFinished } from "vitest";
import { blocksOf, readPage } from "../../../docs/pages.ts";
import { run } from "../../../test/cli/run-command.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { isSkipped, openInTest, type PageAnswer, serveInTest } from "../../../test/documents/browser.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const packages = inject("toolPackages");

const repository = temporaryFolder();

const config = `import { defineApi, defineCollection, image, reference } from "stillapi";
import { count, label, slug, time } from "stillapi/forms";
import * as z from "zod";

const authors = defineCollection({
  purpose: "Authors.",
  schema: z.strictObject({ id: slug, name: label }),
  key: "id",
  files: "authors/{id}.json",
});

const books = defineCollection({
  purpose: "Books.",
  schema: z.strictObject({
    id: slug,
    title: label.describe("The title on the cover."),
    language: z.enum(["en", "fr"]),
    author: reference("authors"),
    cover: image(),
    pages: count,
    published: z.iso.date(),
    seen: time,
    tags: z.array(slug),
    chapters: z.array(z.strictObject({ title: label, long: z.boolean() })),
    price: z.number().optional(),
    sold: z.boolean(),
    body: z.string(),
  }),
  key: "id",
  files: "books/{language}/{id}.md",
  item: true,
});

export default defineApi({ collections: { authors, books } });
`;

const head = (server: string) => `backend: { name: git-gateway }
local_backend: { url: "${server}/api/v1" }
media_folder: content/photos
public_folder: /photos
`;

function writeFile(file: string, text: string | Uint8Array): void {
  const full = path.join(repository, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

/** Writes a repository with one author, and the forms of its collections. */
async function writeRepository(server: string): Promise<void> {
  symlinkSync(path.resolve("node_modules"), path.join(repository, "node_modules"));
  writeFile("api.config.ts", config);
  writeFile("content/authors/ann.json", '{ "name": "Ann" }');
  writeFile("content/decap.yml", head(server));
  writeFile("cover.png", pictures.png);
  expect(await command("check")).toMatchObject({ status: 0 });
}

const command = (name: string, ...options: readonly string[]) =>
  run([
    name,
    "--config",
    path.join(repository, "api.config.ts"),
    "--content",
    path.join(repository, "content"),
    ...options,
  ]);

/** Starts the server that writes files for the editor. */
async function startServer(port: number): Promise<void> {
  const child = spawn(process.execPath, [path.join(packages, "decap-server/dist/index.js")], {
    cwd: repository,
    // `MODE` is also a variable of vitest.
    env: { ...process.env, MODE: "fs", GIT_REPO_DIRECTORY: repository, PORT: String(port), BIND_HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await new Promise<void>((listening, ended) => {
    child.once("exit", () => ended(new Error("decap-server has ended.")));
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("listening")) listening();
    });
  });
}

/** Serves the page of docs/forms.md, which may ask nothing but its own origin and the server. */
async function serveEditor(server: string): Promise<string> {
  const [{ text = "" } = {}] = blocksOf(readPage("docs/forms.md")).filter(({ language }) =>
    language.startsWith("html"),
  );
  const policy = `default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob: ${server}`;
  const typed = (type: string, body: string | Uint8Array): PageAnswer => ({
    headers: { "Content-Type": type, "Content-Security-Policy": policy },
    body,
  });
  const site = await serveInTest([], (url) => {
    const script = path.join(packages, "decap-cms/dist", path.basename(url));
    if (url === "/") return typed("text/html", text.replace(/https:[^"]*\//, "/"));
    if (url === "/decap.yml") return typed("text/yaml", readFileSync(path.join(repository, ".schemas/decap.yml")));
    return existsSync(script) ? typed("text/javascript", readFileSync(script)) : { status: 404, body: "" };
  });
  return site.origin;
}

it.skipIf(isSkipped)("fills a form, and the file is content", async () => {
  const port = await getPort({ host: "127.0.0.1" });
  const server = `http://127.0.0.1:${port}`;
  await writeRepository(server);
  await startServer(port);
  const notes: string[] = [];
  const origin = await serveEditor(server);
  const page = await openInTest(origin, { scripts: true }, notes);
  await fillForm(page);
  expect(notes.filter((note) => note.startsWith("http") && !note.startsWith(server))).toEqual([]);

  expect(readFileSync(path.join(repository, "content/books/en/the-sea.md"), "utf8")).toBe(`---
id: the-sea
title: "The Sea: a Cape"
language: en
author: ann
cover: /photos/cover.png
pages: 12
published: 2026-11-20
seen: 2026-11-20T09:30:00Z
tags:
  - blue
chapters:
  - long: false
    title: One
sold: false
---
It is blue.
`);
  expect(readFileSync(path.join(repository, "content/photos/cover.png"))).toEqual(Buffer.from(pictures.png));
  expect(await command("check")).toMatchObject({ status: 0 });
  const out = path.join(repository, "dist");
  expect(await command("build", "--out", out)).toMatchObject({ status: 0 });
  const { data } = JSON.parse(readFileSync(path.join(out, "api/v1/books.json"), "utf8"));
  const cover = { url: expect.stringMatching(/^\/api\/v1\/files\/photos\/cover\.png\?v=/), width: 3, height: 2 };
  expect(data).toMatchObject([{ id: "the-sea", language: "en", author: "ann", tags: ["blue"], cover }]);
});

/** The control of a field. */
const control = (field: string): string => `[id^="${field}-field-"]`;

/** Writes into an input at once: a slow page may lose letters that are typed. React notes the event alone. */
async function write(page: Page, selector: string, value: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate(`{
    const input = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, ${JSON.stringify(value)});
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }`);
}

/** Writes into the editor of texts until the preview has the text. The editor may lose what follows a click at once. */
async function writeText(page: Page, text: string): Promise<void> {
  const isShown = `[...document.querySelectorAll("iframe")].some(
    ({ contentDocument }) => contentDocument.body.innerText.includes(${JSON.stringify(text)}))`;
  while (!(await page.evaluate(isShown))) {
    await page.click("[data-slate-editor]");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.sendCharacter(text);
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
  }
}

/** Presses a button that is not under the pointer: a slow page may move it away before a click arrives. */
async function press(page: Page, selector: string): Promise<void> {
  const button = await page.waitForSelector(selector);
  await button?.evaluate((element: { readonly click?: () => void }) => element.click?.());
}

/** Chooses what is typed into a field. */
async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.type(control(field), text);
  await press(page, `[role=option] ::-p-text(${text})`);
}

async function fillForm(page: Page): Promise<void> {
  await press(page, "::-p-text(Login)");
  await page.waitForSelector("nav");
  await page.goto(new URL("#/collections/books/new", page.url()).href);
  await write(page, control("id"), "the-sea");
  await write(page, control("title"), "The Sea: a Cape");
  await choose(page, "language", "en");
  await choose(page, "author", "Ann");
  await upload(page, path.join(repository, "cover.png"));
  await write(page, control("pages"), "12");
  await write(page, control("published"), "2026-11-20");
  await write(page, control("seen"), "2026-11-20T09:30");
  await press(page, "::-p-text(Add tags)");
  await write(page, `input${control("tags")}`, "blue");
  await press(page, "::-p-text(Add chapters)");
  await write(page, `${control("chapters")} ${control("title")}`, "One");
  await write(page, control("price"), "7");
  await write(page, control("price"), "");
  await writeText(page, "It is blue.");
  await press(page, "::-p-text(Publish)");
  await press(page, "::-p-text(Publish now)");
  await page.waitForSelector("::-p-text(Entry saved)");
}

/** Uploads a picture into the library of the editor, and chooses it for the field. */
async function upload(page: Page, file: string): Promise<void> {
  await press(page, "::-p-text(Choose an image)");
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator("label ::-p-text(Upload)").click()]);
  await chooser.accept([file]);
  await page.waitForSelector(`::-p-text(${path.basename(file)})`);
  await press(page, "::-p-text(Choose selected)");
}
