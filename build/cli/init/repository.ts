// The files of a new repository: real files in templates/, with placeholders for its name and host, and for the version or
// archive of stillapi.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ownField } from "../../../src/model/fields.ts";
import { modulesFolder } from "../../files/checkout.ts";
import { pathsBelow } from "../../files/folders.ts";
import { linkTo, settingsOf, setUpOf, type Targets, titleOf } from "./targets.ts";
import { workflowValues } from "./workflow.ts";

export const templates = ["blank", "edge-network"] as const;

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
    HOST_LINKS: targets.map(linkTo).join("\n"),
    ...workflowValues(settings, name),
  };
  const filled = (text: string): string =>
    text.replace(/__([A-Z_]+)__/g, (_, key: string) => String(ownField(values, key)));
  const ofHosts = targets.flatMap(({ publishing }) => Object.entries(publishing.files ?? {}));
  const files = [...filesIn("repository"), ...filesIn(template), ...ofHosts];
  return new Map(files.map(([file, text]) => [file, filled(text)]));
}

function filesIn(template: string): readonly (readonly [file: string, text: string])[] {
  const folder = fileURLToPath(new URL(`cli/init/templates/${template}`, modulesFolder));
  // npm packs no file with the name .gitignore.
  return pathsBelow(folder).map((file) => [
    file.replace("_gitignore", ".gitignore"),
    readFileSync(path.join(folder, file), "utf8"),
  ]);
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
