// An API that is published at an address, or built in a folder: what `--previous` and `--against` name.
import { parseMarker, tableFile } from "../routing/table.ts";
import type { RequestLimits } from "./client.ts";
import { readWhole } from "./folder.ts";
import { isAddress, parseAddress, publicName } from "./place.ts";

/** The caller must close it. */
export interface PublishedFiles {
  /** The folder, or the address without its password. */
  readonly label: string;
  /** The folder, or the address without its password and the base of the API's paths. */
  readonly root: string;
  /** The bytes at the path of a request, such as `/api/v1/nodes`. Undefined if there are none. Throws Unreadable. */
  read(path: string): Promise<Buffer | undefined>;
  /** The marker that the last build wrote into the folder. Undefined for an address. Throws Unreadable. */
  marker(): Promise<ReturnType<typeof parseMarker>>;
  close(): void;
}

/**
 * `base` is the prefix of the API's paths, which the address may include. Throws MachineError if the address has no valid
 * form. A folder that does not exist has no files.
 */
export async function openPublished(place: string, base: string, limits: RequestLimits): Promise<PublishedFiles> {
  const label = publicName(place);
  if (isAddress(place)) {
    // Node's modules for HTTP take 3 ms, and a build reads only its folder.
    const { Client } = await import("./client.ts");
    const client = new Client(parseAddress(place), base, limits);
    return {
      label,
      root: client.root,
      read: (path) => client.read(path),
      marker: async () => undefined,
      close: () => client.close(),
    };
  }
  const { maxBytes } = limits;
  return {
    label,
    root: place,
    read: (path) => readWhole(place, answerFile(path), maxBytes),
    marker: async () => parseMarker(String(await readWhole(place, tableFile, maxBytes))),
    close: () => undefined,
  };
}

/** The files of answers have an ending that their paths lack. */
export const answerFile = (path: string): string => path.slice(1) + (/\.(?:nd)?json$/.test(path) ? "" : ".json");
