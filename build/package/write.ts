// Writes the files to publish into lib/, and replaces package.json by the published one while npm packs:
//
//     lib/cli.cjs, lib/program.cjs   the command line: the starter, and the program as one script
//     lib/output/*-thread.mjs        its threads
//     lib/api/                       consumers' modules with their types
//     lib/THIRD-PARTY-LICENSES.txt   of the packages in the command line's script
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import glob from "fast-glob";
import { bundleApi, bundleProgram } from "./bundles.ts";

/**
 * The repository's package.json becomes the file `backup`. Rejects with esbuild's or TypeScript's report without changing
 * package.json.
 */
export async function writePackage(checkout: string, backup: string): Promise<void> {
  const at = (file: string): string => path.join(checkout, file);
  const lib = at("lib");
  const manifestFile = at("package.json");
  const draft = at(".package.json.new");
  rmSync(lib, { recursive: true, force: true });
  const program = await bundleProgram(checkout, lib);
  // npm makes commands executable on installation; this is for users who unpack the archive themselves.
  chmodSync(path.join(lib, "cli.cjs"), 0o755);
  const api = await bundleApi(checkout, path.join(lib, "api"));
  writeDeclarations(checkout, path.join(lib, "api"));
  writeFileSync(path.join(lib, "THIRD-PARTY-LICENSES.txt"), licenseTexts(checkout, program.inputs));
  const imported = [...api.externals, ...program.externals, "@babel/parser"];
  writeFileSync(draft, publishedManifest(readFileSync(manifestFile, "utf8"), imported));
  copyFileSync(manifestFile, at(backup));
  renameSync(draft, manifestFile);
}

/** Throws with TypeScript's report. */
function writeDeclarations(checkout: string, out: string): void {
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

/** `inputs` are the paths of modules, relative to the checkout. */
function licenseTexts(checkout: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageOf(file) ?? []));
  const parts = [...folders].sort().map((folder) => licenseOf(path.join(checkout, folder)));
  return ["The command line contains code of these packages.", ...new Set(parts)].join(`\n\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a module belongs to. */
const packageOf = (file: string): string | undefined => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  // The Apache License asks for the text of NOTICE, too.
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry));
  const texts = files.map((file) => `\n\n${readFileSync(path.join(folder, file), "utf8").trim()}`);
  return `${name} ${version}, ${license}${texts.join("")}`;
}

const publishedFields = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "type",
  "bin",
  "exports",
  "files",
  "engines",
];

/** The repository's package.json, reduced to the published fields and the packages that the published modules import. */
function publishedManifest(original: string, imported: readonly string[]): string {
  const manifest = JSON.parse(original);
  const published = {
    ...pick(manifest, publishedFields),
    dependencies: pick(manifest.dependencies, imported),
    // They let the next `npm pack` repair an interrupted one.
    scripts: pick(manifest.scripts, ["prepack", "postpack"]),
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
