// Says which programs are missing that npm cannot install, and how to get them. The tests that need them are skipped.
import type { TestProject } from "vitest/node";
import { findProgram } from "../build/cli/preview/program.ts";
import { hosts } from "../build/hosts/hosts.ts";

/** The path of Chromium; undefined if it is not installed. Without the parts that have windows it takes two thirds of the time. */
export const chromium: string | undefined = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
]
  .map((command) => findProgram({ command }))
  .find((found) => found !== undefined);

interface Program {
  readonly command: string;
  readonly install: string;
}

/** Not those that npm installs. */
const servers = [...hosts.values()]
  .flatMap(({ program }) => program ?? [])
  .filter(({ install }) => /apt/.test(install));
const rsync = { command: "rsync", install: "sudo apt-get install rsync" };
const python = { command: "python3", install: "sudo apt-get install python3" };
const browser = { command: "chromium", install: "sudo apt-get install chromium-headless-shell, or chromium" };

/** By project. */
const needed: Readonly<Record<string, readonly Program[]>> = {
  system: [...servers, browser],
  rest: [...servers, browser, rsync, python],
};

/** Prints the lines at the end, because those before the tests scroll away. */
export function setup({ name }: TestProject): () => void {
  return () => {
    const missing = (needed[name] ?? []).filter((program) => isMissing(program));
    if (missing.length === 0) return;
    console.log("Tests are skipped that need programs which are not installed:");
    for (const { command, install } of missing) console.log(`  ${command} (${install})`);
  };
}

const isMissing = (program: Program): boolean =>
  program === browser ? chromium === undefined : findProgram(program) === undefined;
