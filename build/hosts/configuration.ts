import type { OutputFile } from "../file.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";

/** A path that two hosts want to have with different bytes. */
export interface Clash {
  readonly file: string;
  readonly hosts: readonly [string, string];
}

/** What the hosts together have in the publish root, each path once. */
export function configurationOf(
  hosts: readonly HostAdapter[],
  table: RoutingTable,
  precompressed = false,
): { readonly files: readonly OutputFile[]; readonly clashes: readonly Clash[] } {
  const owners = new Map<string, { readonly host: string; readonly output: OutputFile }>();
  const clashes: Clash[] = [];
  for (const { name: host, files } of hosts) {
    for (const output of files(table, precompressed)) {
      const { file } = output;
      const other = owners.get(file);
      if (other === undefined) owners.set(file, { host, output });
      else if (textOf(other.output) !== textOf(output)) clashes.push({ file, hosts: [other.host, host] });
    }
  }
  return { files: [...owners.values()].map(({ output }) => output), clashes };
}

/** Configurations are text. */
const textOf = ({ parts }: OutputFile): string => {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part)).join("");
};
