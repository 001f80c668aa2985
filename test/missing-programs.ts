// Says which programs are missing that npm cannot install, and how to get them. The tests that need them are skipped.
import { findProgram } from "../build/cli/preview/program.ts";
import { hosts } from "../build/hosts/hosts.ts";

/** The path of Chromium; undefined if it is not installed. */
export const chromium: string | undefined = ["chromium", "chromium-browser", "google-chrome"]
  .map((command) => findProgram({ command }))
  .find((found) => found !== undefined);

const others = [
  { command: "rsync", install: "sudo apt-get install rsync" },
  { command: "python3", install: "sudo apt-get install python3" },
];

/** Prints the lines at the end, because those before the tests scroll away. */
export function teardown(): void {
  const programs = [...hosts.values()].flatMap(({ program }) => program ?? []);
  const missing = [...programs, ...others].filter((program) => findProgram(program) === undefined);
  const lines = missing.map(({ command, install }) => `${command} (${install})`);
  if (chromium === undefined) lines.push("chromium (sudo apt-get install chromium)");
  if (lines.length === 0) return;
  console.log("Tests are skipped that need programs which are not installed:");
  for (const line of lines) console.log(`  ${line}`);
}
