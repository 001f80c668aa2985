// A build that is published: whole, with its configuration, and the same from the first byte that is sent to the last.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { bytesOf, type OutputFile } from "../files/file.ts";
import { pathsBelow } from "../files/folders.ts";
import { MachineError } from "../files/machine-error.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { commandThatBuilds, configurationFolder, locksOf } from "../output/location.ts";
import { openBuild } from "../published/build.ts";
import type { RoutingTable, Tables } from "../routing/table.ts";

export interface BuildToPublish {
  readonly folder: string;
  readonly tables: Tables;
  /** The folder of the configuration, and its files. */
  readonly configurationFolder: string;
  readonly configuration: readonly OutputFile[];
  /** The paths of the files in the folder, with slashes. */
  readonly files: readonly string[];
  /** Throws MachineError if a build has written since the build was opened. */
  readonly refuseChanged: () => void;
}

/** Throws MachineError if the folder has no whole build with the configuration of the host, or is being written. */
export function openToPublish(folder: string, host: HostAdapter): BuildToPublish {
  const build = openBuild(folder);
  refuseBuilding(folder);
  const configurationPath = path.join(configurationFolder(folder), host.name);
  const before = [stampsIn(folder), stampsIn(configurationPath)] as const;
  const tables = build.tables();
  const hint = `Run: ${commandThatBuilds(host.name, folder)}`;
  const needed = [...tables.flatMap(filesOfBuild), ...(host.files?.(tables) ?? []).map(({ file }) => file)];
  const missing = needed.find((file) => !build.has(file));
  if (missing !== undefined) {
    throw new MachineError(`${folder} is not a whole build: it has no ${missing}. Nothing was sent.`, hint);
  }
  const configuration = host.configuration?.(tables) ?? [];
  if (!configuration.every((file) => isIn(configurationPath, file))) {
    throw new MachineError(
      `${configurationPath} is not the configuration of the build in ${folder}. Nothing was sent.`,
      hint,
    );
  }
  const refuseChanged = () => {
    refuseBuilding(folder);
    if (JSON.stringify([stampsIn(folder), stampsIn(configurationPath)]) === JSON.stringify(before)) return;
    throw new MachineError(`A build has changed ${folder} meanwhile, so nothing was published.`, "Try again.");
  };
  return {
    folder,
    tables,
    configurationFolder: configurationPath,
    configuration,
    files: before[0].map(([file]) => file),
    refuseChanged,
  };
}

function refuseBuilding(folder: string): void {
  const lock = locksOf(folder).find((file) => existsSync(file));
  if (lock === undefined) return;
  throw new MachineError(
    `A build is writing ${folder}, so nothing was sent: there is ${lock}.`,
    "Try again when it has finished. If none is running, build again.",
  );
}

/** The files of a folder by their paths, each with a stamp that changes if the file is written. */
const stampsIn = (folder: string): readonly (readonly [file: string, stamp: string])[] =>
  (existsSync(folder) ? pathsBelow(folder) : []).map((file) => {
    const { ino, ctimeMs } = lstatSync(path.join(folder, file));
    return [file, `${ino} ${ctimeMs}`];
  });

/**
 * The documents, and the first page of each operation. Publishing removes what the build does not have, so a folder without a
 * part of the build would remove that part.
 */
const filesOfBuild = ({ documents, operations }: RoutingTable) => [
  ...documents.map(({ file }) => file),
  ...operations.map(({ path }) => `${path.slice(1)}.json`),
];

function isIn(folder: string, output: OutputFile): boolean {
  const full = path.join(folder, output.file);
  return existsSync(full) && readFileSync(full).equals(bytesOf(output));
}
