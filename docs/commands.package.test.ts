// Runs the shell blocks of the pages as they are written, in the order of each page. A comment before a block may have the
// reason why it is not run (`not run: reason`), the test that runs it (`run by file`), or note that it serves until it is
// stopped (`keeps running`). A block that quotes an output says what it is compared with: what the commands before it print
// (`output`), a file that they write (`part of file`), or what a test makes (`compared by file`).
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Preview, startPreview } from "../build/cli/preview/preview.ts";
import { findProgram } from "../build/cli/preview/program.ts";
import { hosts } from "../build/hosts/hosts.ts";
import { run } from "../test/cli/run-command.ts";
import { missing } from "../test/hosts/publish.ts";
import { copyRepository, environment, runBlocks } from "./follow.ts";
import { type Block, blocksOf, isQuotation, outputMark, pageFiles, readPage } from "./pages.ts";

/** A test follows all of this page, its diffs too. */
const followed = "docs/internals.md";

const pages = pageFiles
  .filter((file) => file !== followed)
  .map((file) => ({ file, text: readPage(file), blocks: blocksOf(readPage(file)) }));

const isShell = ({ language }: Block): boolean => /^(?:sh|bash|shell|console)\b/.test(language);

const keepsRunning = "keeps running";

const isMark = (text: string): boolean => text === keepsRunning || /^(?:not run: |run by )./.test(text);

const isMarkOfOutput = (text = ""): boolean => text === outputMark || /^(?:part of|compared by) \S+$/.test(text);

describe.each(pages)("the blocks of $file", ({ text, blocks }) => {
  it("have marks that are known, and all marks have their block", () => {
    const marks = [
      ...text.matchAll(/^ *<!-- ((?:not run|run by|keeps running|output|part of|compared by).*) -->$/gm),
    ].map(([, mark]) => mark);
    const shell = blocks.filter(isShell);
    expect(shell.flatMap(({ mark }) => mark ?? []).filter((mark) => !isMark(mark))).toEqual([]);
    const marked = blocks.filter((block) => isShell(block) || isQuotation(block));
    expect(marked.flatMap(({ mark }) => mark ?? [])).toEqual(marks);
    for (const mark of marks.filter((text) => text?.startsWith("run by "))) {
      expect(existsSync(String(mark).slice("run by ".length)), mark).toBe(true);
    }
  });

  it("say what their outputs are compared with", () => {
    const quotations = blocks.filter(isQuotation);
    expect(quotations.filter(({ mark }) => !isMarkOfOutput(mark)).map(({ line }) => line)).toEqual([]);
    const tests = quotations.flatMap(({ mark = "" }) => /^compared by (.*)$/.exec(mark)?.[1] ?? []);
    for (const test of tests) expect(readFileSync(test, "utf8")).toContain(`quotationsFor("${test}")`);
  });

  it("are called sh if they are commands", () => {
    const commands = blocks.filter(({ language, text }) => language !== "sh" && /^(?:npm|npx|sh|curl) /m.test(text));
    expect(commands.map(({ line }) => line)).toEqual([]);
    expect(blocks.filter(isShell).filter(({ language }) => language !== "sh")).toEqual([]);
  });
});

const isRun = (block: Block): boolean => isShell(block) && (block.mark ?? keepsRunning) === keepsRunning;

/** The blocks that are run, each with the outputs that are quoted after it. */
const runnable = pages
  .map(({ file, blocks }) => ({
    file,
    blocks: blocks.filter((block, index) => {
      const commands = blocks.slice(0, index + 1).findLast(isShell);
      return commands !== undefined && isRun(commands) && (isShell(block) || isQuotation(block));
    }),
  }))
  .filter(({ blocks }) => blocks.length > 0);

/** Why the blocks of a page cannot be run on this machine; undefined if they can. */
function lackOf(blocks: readonly Block[]): string | undefined {
  const text = blocks.map((block) => block.text).join("");
  if (/npm run publish/.test(text) && missing !== undefined) return missing;
  const names = [...text.matchAll(/preview -- --host ([\w-]+)/g)].map(([, name = ""]) => name);
  const programs = names.flatMap((name) => hosts.get(name)?.program ?? []);
  const lacking = programs.find((program) => findProgram(program) === undefined);
  return lacking && `${lacking.command} is not installed. To install it: ${lacking.install}`;
}

describe("a reader who types the commands", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stillapi-commands-"));
  const at = (name: string): string => path.join(root, name);
  const copy = at("copy");
  const server = at("server");
  const git = (...args: readonly string[]) => execFileSync("git", args, { env: environment() });
  const cwd = process.cwd();
  let published: Preview;

  beforeAll(async () => {
    copyRepository(copy, { count: 12, pageSizes: [1, 2, 5, 100] });
    process.chdir(copy);
    // Those that the pages name.
    for (const name of new Set(
      pages.flatMap(({ text }) => [...text.matchAll(/--deployment ([a-z]+)/g)].map(([, n]) => n)),
    )) {
      const [from, to] = ["edge", name].map((deployment) => path.join("content", "deployments", `${deployment}.json`));
      if (from !== undefined && to !== undefined && !existsSync(to)) cpSync(from, to);
    }
    git("add", "--all");
    const who = ["-c", "user.name=Reader", "-c", "user.email=reader@example.com"];
    for (const message of ["First", "Second"]) git(...who, "commit", "--quiet", "--allow-empty", "--message", message);
    expect(await run(["build", "--out", at("published")])).toMatchObject({ status: 0 });
    published = await startPreview(at("published"), 0);
  });

  afterAll(async () => {
    process.chdir(cwd);
    await published?.stop();
    rmSync(root, { recursive: true });
  });

  describe.each(runnable)("of $file", ({ blocks }) => {
    const lack = lackOf(blocks);
    if (lack !== undefined) return it.skip(`is not tested, because ${lack}`);

    it("succeeds", { timeout: 300_000 }, async () => {
      git("clean", "--quiet", "-ffdx", "--exclude", "/node_modules");
      rmSync(server, { recursive: true, force: true });
      // A provider has made the folder of a web space.
      mkdirSync(path.join(server, "var/www/html"), { recursive: true });
      // The build that was published last.
      cpSync(at("published"), "dist", { recursive: true });
      await runBlocks(blocks, { server, published: published.origin });
    });
  });
});
