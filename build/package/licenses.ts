// The licenses of the packages whose code is in the published script. Most licenses have to be included.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** `inputs` are the paths of modules, relative to the checkout. */
export function licenseTexts(checkout: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageOf(file) ?? []));
  const parts = [...folders].sort().map((folder) => licenseOf(path.join(checkout, folder)));
  return ["The command line contains code of these packages.", ...new Set(parts)].join(`\n\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a module belongs to. */
const packageOf = (file: string): string | undefined => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? "" : `\n\n${readFileSync(path.join(folder, file), "utf8").trim()}`;
  return `${name} ${version}, ${license}${text}`;
}
