// The files of a new repository: real files in templates/, with placeholders for its name, host and version of stillapi.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { modulesFolder } from "../../checkout.ts";
import type { Publishing } from "../../hosts/host.ts";

export const templates = ["blank", "edge-network"] as const;

export interface Repository {
  readonly template: (typeof templates)[number];
  /** A valid name of a package, also the name of the host's project. */
  readonly name: string;
  readonly host: string;
  /** Undefined if stillapi does not know how to publish to the host. */
  readonly publishing: Publishing | undefined;
  /** The version of stillapi in package.json. */
  readonly version: string;
}

/** The texts of the files by their paths in the repository. */
export function repositoryFiles({ template, ...repository }: Repository): ReadonlyMap<string, string> {
  const { name, host, version, publishing = byHand(host) } = repository;
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

/** npm packs no file with the name .gitignore. */
const gitignore = "_gitignore";

function filesIn(template: string): readonly (readonly [file: string, text: string])[] {
  const folder = fileURLToPath(new URL(`cli/init/templates/${template}`, modulesFolder));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [nameOf(path.relative(folder, file)), readFileSync(file, "utf8")]);
}

const nameOf = (file: string): string => (file === gitignore ? ".gitignore" : file.split(path.sep).join("/"));

const byHand = (host: string): Publishing => ({
  title: host,
  secrets: {},
  run: () => [`echo "Replace this line by the commands that publish dist/ to ${host}." && exit 1`],
  setUp: () => `stillapi does not know how to publish to ${host}: write the commands into the workflow.`,
});

const settingRows = ({ secrets, variables = {} }: Publishing): string =>
  [
    ...Object.entries(secrets).map(([name, meaning]) => `| secret \`${name}\` | ${meaning} |`),
    ...Object.entries(variables).map(([name, meaning]) => `| variable \`${name}\` | ${meaning} |`),
  ].join("\n");

/** In YAML, below `- ` in the steps of a job. */
function publishStep({ run, secrets, variables = {}, permissions }: Publishing, name: string): string {
  const env = {
    ...Object.fromEntries(Object.keys(secrets).map((each) => [each, `\${{ secrets.${each} }}`])),
    ...Object.fromEntries(Object.keys(variables).map((each) => [each, `\${{ vars.${each} }}`])),
    ...(permissions === undefined ? {} : { GITHUB_TOKEN: `\${{ github.token }}` }),
  };
  const step = { run: run(name).join("\n"), ...(Object.keys(env).length > 0 && { env }) };
  return stringify(step, { lineWidth: 0 }).trimEnd().replaceAll("\n", "\n        ");
}
