// The files that the chosen hosts need in the publish root, and whether they get in each other's way.
import type { OutputFile } from "../file.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";

/** The files of all hosts, each path once, and a sentence for each clash between two hosts. */
export function configurationOf(
  hosts: readonly HostAdapter[],
  table: RoutingTable,
  precompressed = false,
): { readonly files: readonly OutputFile[]; readonly clashes: readonly string[] } {
  const chosen = hosts.map((host) => ({
    ...host,
    generated: new Map(host.files(table, precompressed).map((output) => [output.file, output])),
  }));
  const clashes = chosen.flatMap((one, index) =>
    chosen.flatMap((other, at) => (at === index ? [] : clashesOf(one, other, index < at))),
  );
  return { files: [...new Map(chosen.flatMap(({ generated }) => [...generated])).values()], clashes };
}

interface Chosen extends HostAdapter {
  readonly generated: ReadonlyMap<string, OutputFile>;
}

/** `first`: of the two orders of a pair, the one in which files that both generate are compared. */
const clashesOf = (one: Chosen, other: Chosen, first: boolean): readonly string[] =>
  [...one.generated].flatMap(([file, output]) => {
    const theirs = other.generated.get(file);
    if (theirs === undefined) {
      return other.reads.includes(file) ? [`${one.name} generates ${file}, which ${other.name} reads too.`] : [];
    }
    if (!first || textOf(theirs) === textOf(output)) return [];
    return [`${one.name} and ${other.name} both generate ${file}, with different contents.`];
  });

/** Configurations are text. */
const textOf = ({ parts }: OutputFile): string => {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part)).join("");
};
