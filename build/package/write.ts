// Writes what is published into lib/, and for the time of packing the published package.json:
//
//     lib/cli.cjs, lib/program.cjs   the command line: what starts it, and the rest as one script
//     lib/output/*-thread.mjs        its threads
//     lib/api/                       what consumers import, with its types
//     lib/THIRD-PARTY-LICENSES.txt   of the packages in the command line's script
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleApi, bundleProgram } from "./bundles.ts";
import { writeDeclarations } from "./declarations.ts";
import { licenseTexts } from "./licenses.ts";
import { publishedManifest } from "./manifest.ts";
import { manifestFile, ownManifestFile } from "./restore.mjs";

/** Rejects with esbuild's or TypeScript's report without changing package.json. */
export async function writePackage(checkout: string): Promise<void> {
  const at = (file: string): string => path.join(checkout, file);
  const lib = at("lib");
  rmSync(lib, { recursive: true, force: true });
  const own = readFileSync(at(manifestFile), "utf8");
  const { inputs } = await bundleProgram(checkout, lib);
  // npm makes commands executable on installation; this is for users who unpack the archive themselves.
  chmodSync(path.join(lib, "cli.cjs"), 0o755);
  const { externals } = await bundleApi(checkout, path.join(lib, "api"));
  writeDeclarations(checkout, path.join(lib, "api"));
  writeFileSync(path.join(lib, "THIRD-PARTY-LICENSES.txt"), licenseTexts(checkout, inputs));
  writeFileSync(at(".package.json.new"), publishedManifest(own, externals));
  writeFileSync(at(ownManifestFile), own);
  renameSync(at(".package.json.new"), at(manifestFile));
}
