// The files that the hosts need, the conflicts between them, and the files that the program has written into its folders.
import { bytesOf, type OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import { apiFolder, missingPage } from "../routing/paths.ts";
import { parseRoutingTable, type RoutingTable } from "../routing/table.ts";
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
  const chosen = [local, ...hosts].map((host) => ({ host, files: host.files(table) }));
  const clash = (sentence: string) =>
    new MachineError(sentence, "Name one of them at a time, and build each into a folder of its own with --out.");
  for (const { host, files } of chosen) {
    for (const output of files) {
      for (const other of chosen.filter((each) => each.host !== host)) {
        const names = `${host.name} and ${other.host.name}`;
        const theirs = other.files.find(({ file }) => file === output.file);
        if (theirs !== undefined && !bytesOf(theirs).equals(bytesOf(output))) {
          throw clash(`${names} both generate ${output.file}, with different contents.`);
        }
        if (theirs === undefined && other.host.reads(table.base).includes(output.file)) {
          throw clash(`${host.name} generates ${output.file}, which ${other.host.name} reads too.`);
        }
      }
    }
  }
  const files = chosen.flatMap((each) => each.files).map((output): [string, OutputFile] => [output.file, output]);
  const beside = hosts.flatMap(({ name, beside }) => (beside?.(table) ?? []).map((output) => inFolder(name, output)));
  return { files: [...new Map(files).values()], beside };
}

const inFolder = (folder: string, output: OutputFile): OutputFile => ({ ...output, file: `${folder}/${output.file}` });

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
 * What the build with this marker may have written into the publish root; undefined if the text is no marker. A path that
 * ends with a slash stands for everything below. Markers of older versions do not list it: they have the files of any host.
 */
export function ownedInRoot(marker: string): readonly string[] | undefined {
  const table = parseRoutingTable(marker);
  if (table === undefined) return undefined;
  const { base, documents, owns } = table;
  const copies = ["", ".br", ".gz"];
  return (
    owns ?? [
      `${apiFolder(base)}/`,
      missingPage,
      ...documents.flatMap(({ file }) => copies.map((suffix) => file + suffix)),
      ...[local, ...hosts.values()].flatMap((host) => host.owns(base)),
    ]
  );
}

/** The same of the folder beside the publish root. */
export function ownedBeside(marker: string): readonly string[] | undefined {
  const table = parseRoutingTable(marker);
  return table && (table.owns ?? [...hosts.keys()].map((name) => `${name}/`));
}
