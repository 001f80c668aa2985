// Checks that a given build is published: compares a sample of its files with the answers.
import { readFileSync } from "node:fs";
import path from "node:path";
import glob from "fast-glob";
import type { TextAnswer } from "../../address/ask.ts";
import type { Client } from "../../address/client.ts";
import type { Request } from "../../hosts/host.ts";
import { hasCode, MachineError } from "../../machine-error.ts";
import { apiFolder, errorFolder, itemFolder } from "../../routing/paths.ts";
import { parseRoutingTable, type RoutingTable, routingTable, tableFile } from "../../routing/table.ts";
import { addressOf } from "./addresses.ts";
import { sampleOf } from "./sample.ts";

export interface Comparison {
  readonly folder: string;
  /** The number of pages, items and documents of the build. */
  readonly files: number;
  readonly compared: number;
  /** The requests whose answers differ from the files. */
  readonly different: readonly Compared[];
}

export interface Compared {
  readonly file: string;
  readonly request: Request;
  readonly answer: TextAnswer | string;
}

export interface BuildFolder {
  readonly folder: string;
  readonly table: RoutingTable;
}

/** The build in a folder, if any. With `isExpected`, throws MachineError if the folder has no build of this version. */
export function readBuild(folder: string, isExpected: boolean): BuildFolder | undefined {
  const text = textOf(folder, tableFile);
  const isTable = text !== undefined && parseRoutingTable(text) !== undefined;
  const table = isTable ? routingTable.safeParse(JSON.parse(text)).data : undefined;
  if (table !== undefined) return { folder, table };
  if (!isExpected) return undefined;
  throw text === undefined
    ? new MachineError(`${folder} holds no built API.`, "Name another folder with --out, or run the build first.")
    : new MachineError(
        `${path.join(folder, tableFile)} is not a routing table of this version.`,
        "Run the build again.",
      );
}

function textOf(folder: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(folder, file), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** `atItsFile`: whether the host answers a request only under the path of its file. */
export async function compareFiles(
  client: Client,
  { folder, table }: BuildFolder,
  most: number,
  atItsFile: (request: Request) => boolean,
): Promise<Comparison> {
  const { base } = table;
  const documents = table.documents.map(({ file }) => file);
  const found = await glob(`${apiFolder(base)}/**/*.json`, { cwd: folder, ignore: [`${errorFolder(base)}/**`] });
  const files = [...new Set([...documents, ...found])].filter((file) => addressOf(table, file) !== undefined).sort();
  const sample = sampleOf(files, (file) => kindOf(table, file), most).flatMap((file) => {
    const address = addressOf(table, file);
    const expected = textOf(folder, file);
    // A concurrent build may have removed the file.
    if (address === undefined || expected === undefined) return [];
    const request = { method: "GET", ...address };
    return [{ file, expected, request: atItsFile(request) ? { method: "GET", path: `/${file}`, query: "" } : request }];
  });
  const answers = await client.sendAll(sample.map(({ request }) => request));
  const different = sample.flatMap(({ file, expected, request }, index) => {
    const answer = answers[index] ?? "no answer";
    const isSame = typeof answer !== "string" && answer.status === 200 && answer.body === expected;
    return isSame ? [] : [{ file, request, answer }];
  });
  return { folder, files: files.length, compared: sample.length, different };
}

/** Each document is a kind. The kind of a page is its operation and parameters, the kind of an item its operation. */
function kindOf({ base, documents }: RoutingTable, file: string): string {
  if (documents.some((each) => each.file === file)) return file;
  const [holder] = file.split(itemFolder);
  if (holder !== file) return `${holder}${itemFolder}`;
  const steps = file.slice(apiFolder(base).length + 1).split("/");
  return steps.filter((_, index) => index === 0 || index % 2 === 1).join("/");
}
