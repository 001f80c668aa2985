// Writes the types of the modules that consumers import, with TypeScript: a file for each module.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import glob from "fast-glob";

/** Throws with TypeScript's report. */
export function writeDeclarations(checkout: string, out: string): void {
  const tsc = path.join(checkout, "node_modules", "typescript", "bin", "tsc");
  const project = path.join(checkout, "build", "package");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "--project", project, "--outDir", out], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`TypeScript could not write the types:\n${stdout}${stderr}`);
  for (const file of glob.sync("**/*.d.ts", { cwd: out, absolute: true })) {
    writeFileSync(file, withScripts(readFileSync(file, "utf8")));
  }
}

/** TypeScript keeps the names of imported modules, but beside a declaration is a script. */
const withScripts = (declarations: string): string =>
  declarations.replace(/((?:from|import\()\s*"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"');
