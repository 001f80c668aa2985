// The files that the hosts need, and the conflicts between them.
import type { OutputFile } from "../files/file.ts";
import type { HostAdapter, Tables } from "./host.ts";

export interface HostFiles {
  /** Files of the publish root. */
  readonly files: readonly OutputFile[];
  /** Files of the folder beside the publish root, which has a folder for each host. */
  readonly configuration: readonly OutputFile[];
}

/** No two hosts generate the same file. */
export function configure(hosts: readonly HostAdapter[], tables: Tables): HostFiles {
  return {
    files: hosts.flatMap(({ files }) => files?.(tables) ?? []),
    configuration: hosts.flatMap(({ name, configuration }) =>
      (configuration?.(tables) ?? []).map((output) => ({ ...output, file: `${name}/${output.file}` })),
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
