// The files that the hosts need, the conflicts between them, and the files that the program has written into its folders.
import type { OutputFile } from "../files/file.ts";
import { apiFolder, missingPage } from "../routing/paths.ts";
import { parseRoutingTable } from "../routing/table.ts";
import type { HostAdapter, Tables } from "./host.ts";
import { hosts } from "./hosts.ts";

export interface Configuration {
  /** Files of the publish root. */
  readonly files: readonly OutputFile[];
  /** Files of the folder beside the publish root, which has a folder for each host. */
  readonly beside: readonly OutputFile[];
}

/** No two hosts generate the same file. */
export function configure(hosts: readonly HostAdapter[], tables: Tables): Configuration {
  return {
    files: hosts.flatMap(({ files }) => files?.(tables) ?? []),
    beside: hosts.flatMap(({ name, beside }) =>
      (beside?.(tables) ?? []).map((output) => ({ ...output, file: `${name}/${output.file}` })),
    ),
  };
}

/** Why two of the hosts cannot publish the same folder, in a sentence. Undefined if they all can. */
export function conflictAmong(hosts: readonly HostAdapter[]): string | undefined {
  for (const host of hosts) {
    for (const file of host.generates ?? []) {
      const reader = hosts.find((other) => other !== host && other.reads?.includes(file));
      if (reader !== undefined) return `${host.name} generates ${file}, which ${reader.name} reads too.`;
    }
  }
  return undefined;
}

/** A host with the files of its configuration that it has to reload. */
export interface Reload {
  readonly host: string;
  readonly files: readonly string[];
}

/** `bases` are the bases of the APIs. `isChanged` takes paths in the folder beside the publish root. */
export const reloadsOf = (
  hosts: readonly HostAdapter[],
  bases: readonly string[],
  isChanged: (file: string) => boolean,
): readonly Reload[] =>
  hosts
    .map(({ name, loads }) => ({
      host: name,
      files: filesToLoad(loads, bases).filter((file) => isChanged(`${name}/${file}`)),
    }))
    .filter(({ files }) => files.length > 0);

/** Each once: some hosts have one file for all APIs. */
const filesToLoad = (loads: HostAdapter["loads"], bases: readonly string[]): readonly string[] => [
  ...new Set(bases.flatMap((base) => loads?.(base) ?? [])),
];

/** The files that older versions wrote outside the folder of the API. Their markers do not list them. */
const filesOfOlderVersions = (base: string): readonly string[] => [
  "serve.json",
  ".nojekyll",
  "CORS",
  "_redirects",
  "_headers",
  "_worker.js",
  "_routes.json",
  ".assetsignore",
  "vercel.json",
  apiFolder(base).replace(/[^/]*$/, ".htaccess"),
];

/**
 * The paths that the build with this marker may have written in the publish root; undefined if the text is no marker. A path
 * that ends with a slash stands for everything below.
 */
export function ownedInRoot(marker: string): readonly string[] | undefined {
  const table = parseRoutingTable(marker);
  if (table === undefined || table.owns !== undefined) return table?.owns;
  const { base, documents } = table;
  const copies = documents.flatMap(({ file }) => ["", ".br", ".gz"].map((suffix) => file + suffix));
  return [`${apiFolder(base)}/`, missingPage, ...copies, ...filesOfOlderVersions(base)];
}

/** The same for the folder beside the publish root. */
export function ownedBeside(marker: string): readonly string[] | undefined {
  const table = parseRoutingTable(marker);
  return table && (table.owns ?? [...hosts.keys()].map((name) => `${name}/`));
}
