// The files that the chosen hosts need, and the conflicts between them.
import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";
import { local } from "./hosts.ts";

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
export function configure(hosts: readonly HostAdapter[], table: RoutingTable, precompressed = false): Configuration {
  const chosen = [local, ...hosts].map((host) => ({
    ...host,
    generated: new Map(host.files(table, precompressed).map((output) => [output.entry.file, output])),
  }));
  const clashes = chosen.flatMap((one, index) =>
    chosen.flatMap((other, at) => (at === index ? [] : clashesOf(one, other, table.base, index < at))),
  );
  for (const clash of clashes)
    throw new MachineError(clash, "Name one of them at a time, and build each into a folder of its own with --out.");
  const beside = hosts.flatMap(({ name, beside }) =>
    (beside?.(table, precompressed) ?? []).map((own) => inFolder(name, own)),
  );
  return { files: [...new Map(chosen.flatMap(({ generated }) => [...generated])).values()], beside };
}

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

interface Chosen extends HostAdapter {
  readonly generated: ReadonlyMap<string, OutputFile>;
}

/** `first`: whether this order of the pair also compares the files that both hosts generate. */
const clashesOf = (one: Chosen, other: Chosen, base: string, first: boolean): readonly string[] =>
  [...one.generated].flatMap(([file, output]) => {
    const theirs = other.generated.get(file);
    if (theirs === undefined) {
      return other.reads(base).includes(file) ? [`${one.name} generates ${file}, which ${other.name} reads too.`] : [];
    }
    return bytesOf(theirs).equals(bytesOf(output)) || !first
      ? []
      : [`${one.name} and ${other.name} both generate ${file}, with different contents.`];
  });

const bytesOf = (own: OutputFile): Buffer => Buffer.concat(own.parts());

const inFolder = (folder: string, own: OutputFile): OutputFile => ({
  ...own,
  entry: { ...own.entry, file: `${folder}/${own.entry.file}` },
});
