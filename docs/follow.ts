// Follows a page as a reader does: its blocks in their order, in the current folder. `npm run` is the program in the process
// of the test; a command that keeps running is the published program. Only addresses are the test's.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { type Sample, writeSample } from "../test/check/sample.ts";
import { run } from "../test/cli/run-command.ts";
import type { Block } from "./pages.ts";

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

/** Runs the blocks of a page. Throws the output of a command that fails. */
export async function runBlocks(blocks: readonly Block[], { server, published }: Addresses): Promise<void> {
  let serving: Serving | undefined;
  try {
    for (const { text, mark } of blocks) {
      const here = text
        .replaceAll(/(?<= )(?:server:)?(?=\/(?:srv|var|etc)\/)/g, server)
        .replaceAll("https://api.example.com", published)
        .replaceAll(local, serving?.origin ?? local);
      if (mark === undefined) await runCommands(here);
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

/** Commands end with a line or with `&&`, which quoted text may contain. Comments are left out. */
const commandsOf = (text: string): readonly string[] =>
  [...text.replaceAll(/ +# .*$/gm, "").matchAll(/((?:'[^']*'|(?!&&)[^'\n])+)(?:&&)?/g)].map(([, command = ""]) =>
    command.trim(),
  );

/** The script, its arguments, and the file that it is written to. */
const scriptForm = /^npm run (?:--silent )?(\w+)(?: -- ([^>]+?))?(?: > (\S+))?$/;

export async function runCommands(text: string): Promise<void> {
  for (const command of commandsOf(text)) await runCommand(command);
}

async function runCommand(command: string): Promise<void> {
  // The packages are there.
  if (command === "npm ci") return;
  const [isScript, name = "", args = "", file] = scriptForm.exec(command) ?? [];
  if (isScript === undefined) {
    await promisify(execFile)("sh", ["-ec", command], { env: environment() });
    return;
  }
  const { status, stdout, stderr } = await run([name, ...args.split(" ").filter(Boolean)]);
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  if (file !== undefined) writeFileSync(file, stdout);
}

interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Starts a command that keeps running, on any free port, and waits until it prints its address. */
function serve(text: string): Promise<Serving> {
  const [, name = "", args = ""] = scriptForm.exec(commandsOf(text).join()) ?? [];
  const words = [inject("program"), name, ...args.split(" ").filter(Boolean), "--port", "0"];
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
