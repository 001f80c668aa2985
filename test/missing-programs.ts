// Says which programs are missing that npm cannot install, and how to get them. The tests that need them are skipped.
import which from "which";
import { findProgram } from "../build/cli/preview/program.ts";
import { hosts } from "../build/hosts/hosts.ts";

/** The path of Chromium; undefined if it is not installed. */
export const chromium: string | undefined = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => which.sync(name, { nothrow: true }))
  .find((found) => found !== null) as string | undefined;

/** At the end, where it is seen. */
export function teardown(): void {
  const servers = [...hosts.values()].flatMap(({ program }) => program ?? []);
  const missing = [
    ...servers
      .filter((program) => findProgram(program) === undefined)
      .map(({ command, install }) => `${command} (${install})`),
    ...["rsync", "python3"]
      .filter((name) => which.sync(name, { nothrow: true }) === null)
      .map((name) => `${name} (sudo apt-get install ${name})`),
    ...(chromium === undefined ? ["Chromium (sudo apt-get install chromium)"] : []),
  ];
  if (missing.length === 0) return;
  console.log("Tests are skipped that need programs which are not installed:");
  for (const line of missing) console.log(`  ${line}`);
}
