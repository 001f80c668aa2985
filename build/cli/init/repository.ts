// A repository of data, as the texts of its files.
import type { Api } from "../../../src/api.ts";
import { vscodeExtensions, vscodeSettings } from "../editors/vscode.ts";
import { starterContent } from "./content.ts";
import { type Repository, readme } from "./readme.ts";
import { workflow } from "./workflow.ts";

/** The texts of its files by their paths. */
export function repositoryFiles(api: Api, repository: Repository): ReadonlyMap<string, string> {
  const { name, host, publishing, program, template } = repository;
  const commands = ["build", "check", "dev", "preview", "diff", "verify", "types"];
  const manifest = {
    name,
    private: true,
    type: "module",
    scripts: Object.fromEntries(commands.map((command) => [command, `stillapi ${command}`])),
    dependencies: { stillapi: program.dependency, ...template.dependencies },
  };
  return new Map([
    ["README.md", readme(api, repository)],
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    [".gitignore", gitignore],
    [".github/workflows/api.yml", workflow(name, publishing)],
    [".vscode/settings.json", vscodeSettings(api)],
    [".vscode/extensions.json", vscodeExtensions()],
    ...Object.entries(publishing?.files ?? {}),
    ...[...starterContent(api, template, name, host)].map(([file, text]): [string, string] => [
      `content/${file}`,
      text,
    ]),
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
