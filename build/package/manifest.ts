// The published package.json: the repository's without the entries that only the repository needs.
import * as z from "zod";

const kept = ["name", "version", "description", "license", "type", "bin", "exports", "files", "engines"];

/** These scripts are kept, so that the next `npm pack` repairs an interrupted one. */
const keptScripts = ["prepack", "postpack"];

const texts = z.record(z.string(), z.string());
const manifest = z.looseObject({ scripts: texts, dependencies: texts });

/**
 * `original` is the text of the repository's package.json; `imported` are the packages that the published modules
 * import.
 */
export function publishedManifest(own: string, imported: readonly string[]): string {
  const { scripts, dependencies, ...rest } = manifest.parse(JSON.parse(own));
  const published = {
    ...pick(rest, kept),
    dependencies: pick(dependencies, imported),
    scripts: pick(scripts, keptScripts),
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

function pick<Value>(from: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  const missing = names.filter((name) => from[name] === undefined);
  if (missing.length > 0) throw new Error(`package.json lacks ${missing.join(", ")}.`);
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
