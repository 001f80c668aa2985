// The files of a new repository: real files in templates/, with placeholders for its name and host, and for the version or
// archive of stillapi.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { modulesFolder } from "../../files/checkout.ts";
import type { Publishing } from "../../hosts/host.ts";

export const templates = ["blank", "edge-network"] as const;

/** A host that the repository publishes to. */
export interface Target {
  readonly host: string;
  readonly publishing: Publishing;
}

export type Targets = readonly [Target, ...Target[]];

export interface Repository {
  readonly template: (typeof templates)[number];
  /** A valid name of a package, also the name of the host's project. */
  readonly name: string;
  /** The workflow publishes to each, in this order. */
  readonly targets: Targets;
  /** The version of stillapi in package.json. */
  readonly version: string;
}

/** The texts of the files by their paths in the repository. */
export function repositoryFiles({ template, name, targets, version }: Repository) {
  const settings = settingsOf(targets);
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    VERSION: version,
    HOSTS: targets.map(({ host }) => host).join(", "),
    HOST_TITLE: titleOf(targets),
    ANSWER: targets.length === 1 ? "answers" : "answer",
    HOST_SETUP: setUpOf(targets, name),
    HOST_SETTINGS: settingRows(settings),
    HOST_LINKS: targets.map(linkTo).join("\n"),
    HOST_PERMISSION: targets.find(({ publishing }) => publishing.permissions)?.publishing.permissions ?? "read",
    HOST_STEPS: publishSteps(settings, name),
  };
  const filled = (text: string): string => text.replace(/__([A-Z_]+)__/g, (_, key: string) => String(values[key]));
  const ofHosts = targets.flatMap(({ publishing }) => Object.entries(publishing.files ?? {}));
  const files = [...filesIn("repository"), ...filesIn(template), ...ofHosts];
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

/** `Netlify, nginx and Caddy` */
export const titleOf = (targets: Targets): string =>
  targets
    .map(({ publishing }) => publishing.title)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");

const setUpOf = (targets: Targets, name: string): string =>
  targets
    .map(({ publishing: { title, setUp } }) => (targets.length === 1 ? setUp(name) : `**${title}:** ${setUp(name)}`))
    .join("\n\n");

const linkTo = ({ host, publishing }: Target): string =>
  `[How ${publishing.title} answers, and how to roll back](node_modules/stillapi/docs/hosts/${host}.md) ·`;

/** A secret or variable of the repository that publishing to a host needs. */
interface Setting {
  readonly kind: "secret" | "variable";
  /** In the environment of the commands that publish. */
  readonly variable: string;
  /** In the settings of the repository. */
  readonly name: string;
  readonly meaning: string;
}

interface TargetSettings extends Target {
  /** The variable of the repository with the address of the published API. */
  readonly address: string;
  readonly settings: readonly Setting[];
  /** The option of `verify`, if the build is for several hosts. */
  readonly hostOption: string;
}

/** A name that an earlier host needs too has the name of the host before it, as in `CADDY_SERVER`. */
function settingsOf(targets: Targets): readonly TargetSettings[] {
  const named = new Set<string>();
  return targets.map(({ host, publishing }) => {
    const nameFor = (name: string): string => {
      const free = named.has(name) ? `${host.toUpperCase().replaceAll("-", "_")}_${name}` : name;
      named.add(free);
      return free;
    };
    const settingsIn = (kind: Setting["kind"], all: Readonly<Record<string, string>> = {}): readonly Setting[] =>
      Object.entries(all).map(([variable, meaning]) => ({ kind, variable, name: nameFor(variable), meaning }));
    return {
      host,
      publishing,
      address: nameFor("API_URL"),
      settings: [...settingsIn("secret", publishing.secrets), ...settingsIn("variable", publishing.variables)],
      hostOption: targets.length === 1 ? "" : ` --host ${host}`,
    };
  });
}

function settingRows(all: readonly TargetSettings[]): string {
  const rows = all.flatMap(({ publishing, address, settings }, index) => [
    ...(index === 0
      ? []
      : [`| variable \`${address}\` | the address at ${publishing.title}, where the workflow verifies it |`]),
    ...settings.map(({ kind, name, meaning }) => `| ${kind} \`${name}\` | ${meaning} |`),
  ]);
  return rows.join("\n");
}

/** In YAML, below `- ` in the steps of a job: for each host a step that publishes and one that verifies. */
function publishSteps(all: readonly TargetSettings[], projectName: string): string {
  const steps = all.flatMap(({ publishing: { run, permissions }, address, settings, hostOption }) => {
    const env = {
      ...Object.fromEntries(
        settings.map(({ kind, variable, name }) => [
          variable,
          kind === "secret" ? `\${{ secrets.${name} }}` : `\${{ vars.${name} }}`,
        ]),
      ),
      ...(permissions && { GITHUB_TOKEN: `\${{ github.token }}` }),
    };
    return [
      { run: run(projectName).join("\n"), ...(Object.keys(env).length > 0 && { env }) },
      {
        if: `vars.${address} != ''`,
        run: `npm run verify -- "$API_URL"${hostOption}`,
        env: { API_URL: `\${{ vars.${address} }}` },
      },
    ];
  });
  return stringify(steps, { lineWidth: 0 }).trimEnd().slice("- ".length).replaceAll("\n", "\n      ");
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
