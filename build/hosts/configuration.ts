import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";
import { local } from "./hosts.ts";

/** The configuration of the hosts, and of the local preview: files of the publish root and of the folder beside it. */
export interface Configuration {
  readonly files: readonly OutputFile[];
  readonly beside: readonly OutputFile[];
}

/** Throws where two hosts need a file of the publish root with different contents. */
export function configure(hosts: readonly HostAdapter[], table: RoutingTable, precompressed = false): Configuration {
  const owners = new Map<string, { readonly host: string; readonly output: OutputFile }>();
  for (const { name: host, files } of [local, ...hosts]) {
    for (const output of files(table, precompressed)) {
      const { file, length, digest } = output.entry;
      const other = owners.get(file);
      if (other === undefined) owners.set(file, { host, output });
      else if (other.output.entry.length !== length || other.output.entry.digest !== digest) {
        throw new MachineError(
          `${other.host} and ${host} both generate ${file}, with different contents.`,
          "Build for each into a folder of its own, with --out.",
        );
      }
    }
  }
  const beside = hosts.flatMap(({ name, beside }) =>
    (beside?.(table, precompressed) ?? []).map((own) => inFolder(name, own)),
  );
  return { files: [...owners.values()].map(({ output }) => output), beside };
}

const inFolder = (folder: string, own: OutputFile): OutputFile => ({
  entry: { ...own.entry, file: `${folder}/${own.entry.file}` },
  parts: () => own.parts(),
});
