// Follows a page as a reader does: its blocks in their order, in the current folder. `npm run` is the program in the process
// of the test; a command that keeps running is the published program. Only addresses are the test's.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, inject } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { type Sample, writeSample } from "../test/check/sample.ts";
import { run } from "../test/cli/run-command.ts";
import { type Block, isQuotation, outputMark } from "./pages.ts";

/** Runs the tests of a file in an empty folder, in which declarations find packages. */
export function testInEmptyFolder(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-page-"));
  const cwd = process.cwd();
  beforeAll(() => {
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(cwd);
    rmSync(folder, { recursive: true });
  });
}

/** Copies the working tree, with a sample as its content and with separate packages. */
export function copyRepository(to: string, sample: Sample): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const file of listed.split("\n").filter((name) => name !== "" && !name.startsWith("content/"))) {
    cpSync(file, path.join(to, file));
  }
  writeSample(path.join(to, "content"), sample);
  mkdirSync(path.join(to, "node_modules"));
  // Not the folder of caches, which is the copy's own.
  for (const name of readdirSync("node_modules").filter((name) => name === ".bin" || !name.startsWith("."))) {
    symlinkSync(path.resolve("node_modules", name), path.join(to, "node_modules", name));
  }
  execFileSync("git", ["init", "--quiet"], { cwd: to });
}

/** Without the variables that the test's own run has set. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|npm_|TEST$)/.test(name)));

export const applyDiff = (diff: string, ...options: readonly string[]): void =>
  void execFileSync("git", ["apply", ...options, "-"], { input: diff });

/** Writes the file of a block, or applies its diff. */
export function writeBlock({ language, text }: Block): "file" | "diff" | undefined {
  const [kind = "", file] = language.split(" ");
  if (kind === "diff") {
    applyDiff(text);
    return "diff";
  }
  if (file === undefined) return undefined;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return "file";
}

export interface Addresses {
  /** Stands for the root of the machine that commands publish to. */
  readonly server: string;
  /** Stands for the address of a published API. */
  readonly published: string;
}

/** The address at which commands that keep running serve, as pages write it. */
const local = "http://127.0.0.1:3000";

/**
 * Runs the blocks of a page, and compares what they print with the outputs that the page quotes. Throws the output of a
 * command that fails.
 */
export async function runBlocks(blocks: readonly Block[], { server, published }: Addresses): Promise<void> {
  let serving: Serving | undefined;
  let printed = "";
  try {
    for (const block of blocks) {
      const { text, mark } = block;
      if (isQuotation(block)) {
        compareQuotation(block, printed);
        continue;
      }
      const here = text
        .replaceAll(/(?<= )(?:server:)?(?=\/(?:srv|var|etc)\/)/g, server)
        .replaceAll("https://api.example.com", published)
        .replaceAll(local, serving?.origin ?? local);
      if (mark === undefined) printed = (await runCommands(here)).replaceAll(serving?.origin ?? local, local);
      else {
        // A reader presses Ctrl-C before the next server.
        await serving?.stop();
        serving = await serve(here);
      }
    }
  } finally {
    await serving?.stop();
  }
}

/**
 * Compares a quotation, in which `…` stands for any text, with what the commands before it have printed, or with the file
 * that its mark names. Leaves it out if the mark names a test.
 */
export function compareQuotation({ mark, text }: Block, printed: string): void {
  const [, file] = /^part of (\S+)$/.exec(mark ?? "") ?? [];
  if (file !== undefined) expectPart(JSON.parse(readFileSync(file, "utf8")), JSON.parse(text));
  else if (mark === outputMark) expectOutput(printed, text);
}

/** Throws if a text is not the quoted one. */
export function expectOutput(printed: string, quoted: string): void {
  if (isQuoted(printed.trim(), quoted.trim())) return;
  throw new Error(`The page quotes\n${quoted}\nbut this is printed:\n${printed}`);
}

function isQuoted(text: string, quoted: string): boolean {
  const parts = quoted.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(text);
}

/** Throws if neither a JSON value nor a part of it is the quoted one. */
export function expectPart(value: unknown, quoted: unknown): void {
  if (hasPart(value, quoted)) return;
  const [page, real] = [quoted, value].map((json) => JSON.stringify(json, undefined, 2).slice(0, 5_000));
  throw new Error(`The page quotes\n${page}\nwhich is no part of\n${real}`);
}

const hasPart = (value: unknown, quoted: unknown): boolean =>
  isSame(value, quoted) ||
  (typeof value === "object" && value !== null && Object.values(value).some((part) => hasPart(part, quoted)));

/** In the quoted value, the text `…` as the last element of a list stands for any further ones. */
function isSame(value: unknown, quoted: unknown): boolean {
  if (typeof value === "string" && typeof quoted === "string") return isQuoted(value, quoted);
  if (typeof value !== "object" || typeof quoted !== "object" || value === null || quoted === null)
    return value === quoted;
  const isCut = Array.isArray(quoted) && quoted.at(-1) === "…";
  const entries = Object.entries(quoted).slice(0, isCut ? -1 : undefined);
  const values = Object.entries(value).slice(0, isCut ? entries.length : undefined);
  return (
    Array.isArray(value) === Array.isArray(quoted) &&
    values.length === entries.length &&
    entries.every(([name, part], index) => values[index]?.[0] === name && isSame(values[index]?.[1], part))
  );
}

/** Commands end with a line or with `&&`, which quoted text may contain. Comments are left out. */
const commandsOf = (text: string): readonly string[] =>
  [...text.replaceAll(/ +# .*$/gm, "").matchAll(/((?:'[^']*'|(?!&&)[^'\n])+)(?:&&)?/g)].map(([, command = ""]) =>
    command.trim(),
  );

/** The script, its arguments, and the file that it is written to. */
const scriptForm = /^npm run (?:--silent )?(\w+)(?: -- ([^>]+?))?(?: > (\S+))?$/;

/** Returns what the commands print on the standard output. */
export async function runCommands(text: string): Promise<string> {
  let printed = "";
  for (const command of commandsOf(text)) printed += await runCommand(command);
  return printed;
}

async function runCommand(command: string): Promise<string> {
  // The packages are there.
  if (command === "npm ci") return "";
  const [isScript, name = "", args = "", file] = scriptForm.exec(command) ?? [];
  if (isScript === undefined) {
    const { stdout } = await promisify(execFile)("sh", ["-ec", command], { env: environment() });
    return stdout;
  }
  const { status, stdout, stderr } = await run([name, ...args.split(" ").filter(Boolean)]);
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  if (file === undefined) return stdout;
  writeFileSync(file, stdout);
  return "";
}

interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** The script `serve` on any free port, which is not of this program. */
const plainServer = [
  "node_modules/serve/build/main.js",
  ...manifest.scripts.serve.replace(":3000", ":0").split(" ").slice(1),
];

/** Starts a command that keeps running, on any free port, and waits until it prints its address. */
function serve(text: string): Promise<Serving> {
  const [, name = "", args = ""] = scriptForm.exec(commandsOf(text).join()) ?? [];
  const words =
    name === "serve" ? plainServer : [inject("program"), name, ...args.split(" ").filter(Boolean), "--port", "0"];
  const child = spawn(process.execPath, words, { env: environment(), detached: true });
  const ended = new Promise<void>((over) => child.once("close", () => over()));
  const stop = async () => {
    interrupt(child);
    await ended;
  };
  return new Promise((ready, failed) => {
    let printed = "";
    const onData = (chunk: Buffer) => {
      printed += chunk.toString();
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (origin !== undefined) ready({ origin, stop });
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.once("error", failed);
    child.once("close", () => failed(new Error(`A command that keeps running ended:\n${text}\n${printed}`)));
  });
}

/** As Ctrl-C does: the signal goes to the program and to what it has started. */
function interrupt({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGINT");
}
