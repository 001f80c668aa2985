// The files of a new repository: real files in templates/, with placeholders for its name and host, and for the version or
// archive of stillapi.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { modulesFolder } from "../../files/checkout.ts";
import type { Publishing } from "../../hosts/host.ts";

export const templates = ["blank", "edge-network"] as const;

export interface Repository {
  readonly template: (typeof templates)[number];
  /** A valid name of a package, also the name of the host's project. */
  readonly name: string;
  readonly host: string;
  readonly publishing: Publishing;
  /** The version of stillapi in package.json. */
  readonly version: string;
}

/** The texts of the files by their paths in the repository. */
export function repositoryFiles({ template, name, host, publishing, version }: Repository) {
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    VERSION: version,
    HOST: host,
    HOST_TITLE: publishing.title,
    HOST_SETUP: publishing.setUp(name),
    HOST_SETTINGS: settingRows(publishing),
    HOST_PERMISSION: publishing.permissions ?? "read",
    HOST_STEP: publishStep(publishing, name),
  };
  const filled = (text: string): string => text.replace(/__([A-Z_]+)__/g, (_, key: string) => String(values[key]));
  const files = [...filesIn("repository"), ...filesIn(template), ...Object.entries(publishing.files ?? {})];
  return new Map(files.map(([file, text]) => [file, filled(text)]));
}

function filesIn(template: string): readonly (readonly [file: string, text: string])[] {
  const folder = fileURLToPath(new URL(`cli/init/templates/${template}`, modulesFolder));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [nameOf(path.relative(folder, file)), readFileSync(file, "utf8")]);
}

/** npm packs no file with the name .gitignore. */
const nameOf = (file: string): string => file.split(path.sep).join("/").replace("_gitignore", ".gitignore");

const settingRows = ({ secrets, variables = {} }: Publishing): string =>
  [
    ...Object.entries(secrets).map(([name, meaning]) => `| secret \`${name}\` | ${meaning} |`),
    ...Object.entries(variables).map(([name, meaning]) => `| variable \`${name}\` | ${meaning} |`),
  ].join("\n");

/** In YAML, below `- ` in the steps of a job. */
function publishStep({ run, secrets, variables = {}, permissions }: Publishing, name: string): string {
  const env = {
    ...Object.fromEntries(Object.keys(secrets).map((secret) => [secret, `\${{ secrets.${secret} }}`])),
    ...Object.fromEntries(Object.keys(variables).map((variable) => [variable, `\${{ vars.${variable} }}`])),
    ...(permissions && { GITHUB_TOKEN: `\${{ github.token }}` }),
  };
  const step = { run: run(name).join("\n"), ...(Object.keys(env).length > 0 && { env }) };
  return stringify(step, { lineWidth: 0 }).trimEnd().replaceAll("\n", "\n        ");
}

export interface ProgramSource {
  /** The version or file of stillapi in package.json. */
  readonly dependency: string;
  /** The archive that the repository keeps, by its path there. */
  readonly archive?: {
    readonly file: string;
    /** The archive that this program was installed from; undefined if it is unknown or gone. */
    readonly from: string | undefined;
  };
}

/**
 * `root` is the folder of this program's package.json. A program that did not come from a registry is never
 * requested by version: a registry may have another project's package of this name.
 */
export function programAt(root: string, version: string): ProgramSource {
  const resolved = resolvedFrom(root);
  if (/^https?:/.test(resolved)) return { dependency: `^${version}` };
  const archive = path.resolve(root, "..", "..", resolved.replace(/^file:/, ""));
  const from = resolved.endsWith(".tgz") && existsSync(archive) ? archive : undefined;
  const file = `vendor/${from === undefined ? `stillapi-${version}.tgz` : path.basename(from)}`;
  return { dependency: `file:${file}`, archive: { file, from } };
}

/** The source from which npm installed the program. Empty for a checkout, and if npm installed it globally or not at all. */
function resolvedFrom(root: string): string {
  // npm writes this file for each project, including the folders in which npx keeps packages.
  const file = path.join(root, "..", ".package-lock.json");
  if (path.basename(path.dirname(root)) !== "node_modules" || !existsSync(file)) return "";
  const { packages = {} } = JSON.parse(readFileSync(file, "utf8"));
  return packages[`node_modules/${path.basename(root)}`]?.resolved ?? "";
}
