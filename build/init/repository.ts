// A repository of data alone, as the texts of its files.
import { vscodeExtensions, vscodeSettings } from "../editors/vscode.ts";
import { starterContent } from "./content.ts";
import { publishing } from "./publishing.ts";
import { readme } from "./readme.ts";
import { workflow } from "./workflow.ts";

export interface Repository {
  /** A valid name of a package. */
  readonly name: string;
  readonly host: string;
  /** The host of a build without --host. */
  readonly usualHost: string;
  /** What package.json asks for as edge-api: a range of versions, or where the package is. */
  readonly program: string;
}

/** The files by their paths. */
export function repositoryFiles({ name, host, usualHost, program }: Repository): ReadonlyMap<string, string> {
  const how = publishing[host];
  const chosen = host === usualHost ? "" : ` --host ${host}`;
  const manifest = {
    name,
    private: true,
    scripts: {
      build: `edge-api build${chosen}`,
      check: `edge-api check${chosen}`,
      dev: `edge-api dev${chosen}`,
      preview: "edge-api preview",
      diff: `edge-api diff${chosen}`,
    },
    dependencies: { "edge-api": program },
  };
  return new Map([
    ["README.md", readme(name, host, how)],
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    [".gitignore", gitignore],
    [".github/workflows/api.yml", workflow(name, host, how)],
    [".vscode/settings.json", vscodeSettings()],
    [".vscode/extensions.json", vscodeExtensions()],
    ...Object.entries(how?.files?.(name) ?? {}),
    ...[...starterContent(name)].map(([file, text]): [string, string] => [`content/${file}`, text]),
  ]);
}

const gitignore = `\
node_modules/
# What a build writes:
dist/
.dist.staging*/
dist.hosts/
.schemas/
# What the hosts' programs write:
.netlify/
.vercel/
.wrangler/
`;
