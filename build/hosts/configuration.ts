// The files that the hosts need, the conflicts between them, and the files that the program has written into its folders.
import type { Api } from "../../src/api.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import { ownedFiles } from "../routing/owned.ts";
import { missingPage } from "../routing/paths.ts";
import { makeTable, parseRoutingTable, type RoutingTable, tableFile } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";
import { hosts, local } from "./hosts.ts";

export interface Configuration {
  /** Files of the publish root, each path once. */
  readonly files: readonly OutputFile[];
  /** Files of the folder beside the publish root, which has a folder for each host. */
  readonly beside: readonly OutputFile[];
}

/**
 * The configuration of the hosts and of the local preview. Throws MachineError if a host would read a file that another
 * one generates.
 */
export function configure(hosts: readonly HostAdapter[], table: RoutingTable): Configuration {
  const chosen = [local, ...hosts].map((host) => ({
    host,
    files: new Map(host.files(table).map((output) => [output.entry.file, output])),
  }));
  for (const one of chosen)
    for (const other of chosen) {
      const clash = one === other ? undefined : conflictBetween(one, other, table.base);
      if (clash === undefined) continue;
      throw new MachineError(clash, "Name one of them at a time, and build each into a folder of its own with --out.");
    }
  const beside = hosts.flatMap(({ name, beside }) => (beside?.(table) ?? []).map((output) => inFolder(name, output)));
  return { files: [...new Map(chosen.flatMap(({ files }) => [...files])).values()], beside };
}

interface Chosen {
  readonly host: HostAdapter;
  readonly files: ReadonlyMap<string, OutputFile>;
}

function conflictBetween(one: Chosen, other: Chosen, base: string): string | undefined {
  for (const [file, output] of one.files) {
    const theirs = other.files.get(file);
    if (theirs === undefined) {
      if (other.host.reads(base).includes(file))
        return `${one.host.name} generates ${file}, which ${other.host.name} reads too.`;
    } else if (!bytesOf(theirs).equals(bytesOf(output))) {
      return `${one.host.name} and ${other.host.name} both generate ${file}, with different contents.`;
    }
  }
  return undefined;
}

const bytesOf = (output: OutputFile): Buffer => Buffer.concat(output.parts());

const inFolder = (folder: string, output: OutputFile): OutputFile => ({
  ...output,
  entry: { ...output.entry, file: `${folder}/${output.entry.file}` },
});

/** A host with the files of its configuration that it has to reload. */
export interface Reload {
  readonly host: string;
  readonly files: readonly string[];
}

/** `isChanged` takes paths in the folder beside the publish root. */
export const reloadsOf = (hosts: readonly HostAdapter[], isChanged: (file: string) => boolean): readonly Reload[] =>
  hosts
    .map(({ name, loads = [] }) => ({ host: name, files: loads.filter((file) => isChanged(`${name}/${file}`)) }))
    .filter(({ files }) => files.length > 0);

/**
 * Recognises the files that the program has written into the publish root. It reads the routing table that the last
 * build left there, so that it still knows the files of an operation that no longer exists.
 */
export function inPublishRoot(api: Api) {
  const { base, operations } = api;
  const everyOperation = operations.map(({ name }) => name);
  const ownedToday = ownedFiles(makeTable(api, everyOperation, () => everyPageSize));
  return {
    base,
    marker: tableFile,
    ownedBy(marker: string) {
      const table = parseRoutingTable(marker);
      if (table === undefined) return undefined;
      const ownedThen = ownedFiles(table);
      const atRoot = new Set([base, table.base].flatMap(rootFiles));
      return (file: string): boolean => atRoot.has(file) || ownedToday(file) || ownedThen(file);
    },
  };
}

const rootFiles = (base: string): readonly string[] => [
  tableFile,
  missingPage,
  ...[local, ...hosts.values()].flatMap(({ owns }) => owns(base)),
];

/** Like `inPublishRoot`, for the folder beside the publish root. */
export const besidePublishRoot = ({ base }: Api) => ({
  base,
  marker: tableFile,
  ownedBy: (marker: string) =>
    parseRoutingTable(marker) && ((file: string) => file === tableFile || hosts.has(file.split("/")[0] ?? "")),
});
