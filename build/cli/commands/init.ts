import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Argument, InvalidArgumentError, Option } from "commander";
import manifest from "../../../package.json" with { type: "json" };
import { modulesFolder } from "../../files/checkout.ts";
import { addFolders } from "../../files/folders.ts";
import { MachineError } from "../../files/machine-error.ts";
import { publishedHosts, usualHost } from "../../hosts/names.ts";
import { shellWord } from "../../text/shell.ts";
import { command } from "../command.ts";
import { templates } from "../init/repository.ts";
import type { Target, Targets } from "../init/targets.ts";
import type { ExitCode } from "../report-error.ts";
import { out, widthOf, wrapped } from "../terminal.ts";

export const initCommand = command(
  "init",
  "write a repository of data: content, scripts, a workflow and the configuration of the host",
  [
    new Argument("[folder]", "the folder to write, new or empty").default("."),
    hostOption(),
    new Option("--template <name>", "the start: two small collections (blank), or the API of an edge network")
      .choices(templates)
      .default(templates[0]),
    new Option("--from <file...>", "data files, or folders of them, to copy and to declare").conflicts("template"),
  ],
  run,
);

/** An option with several values takes every word behind it, so a folder there is named. */
const folderFirst = (word: string, option: string, before: readonly string[]): string =>
  `The folder comes first: stillapi init ${shellWord(word)} ${option} ${before.map(shellWord).join(" ")}`;

function hostOption(): Option {
  const description = `the hosts to publish to; plain is GitHub Pages (default: ${usualHost})`;
  const option = new Option("--host <name...>", description).choices(publishedHosts);
  const { parseArg } = option;
  return option.argParser((name, before: readonly string[] | undefined) => {
    if (before !== undefined && publishedHosts.every((host) => host !== name))
      throw new InvalidArgumentError(`It is no host. ${folderFirst(name, "--host", before)}`);
    return parseArg?.(name, before);
  });
}

interface Choices {
  readonly host?: readonly string[];
  readonly template: (typeof templates)[number];
  readonly from?: readonly string[];
}

/** Reads everything that the repository needs before it writes the first file. */
async function run(target: string, { host: names = [usualHost], template, from }: Choices): Promise<ExitCode> {
  const { programAt, repositoryFiles } = await import("../init/repository.ts");
  const { titleOf } = await import("../init/targets.ts");
  const { filesWithin, repositoryAround } = await import("../init/monorepo.ts");
  const guessing = from === undefined ? undefined : await import("../init/from.ts");
  const { hosts } = await import("../../hosts/hosts.ts");
  const folder = path.resolve(target);
  if (target === ".") refuseFolderBehind(from);
  refuseFull(folder);
  const root = path.dirname(fileURLToPath(modulesFolder));
  const { dependency, archive } = programAt(root, manifest.version);
  const [first, ...others] = [...new Set(names)].map((host): Target => {
    const publishing = hosts.get(host)?.publishing;
    if (publishing === undefined) throw new Error(`The adapter of ${host} does not say how one publishes.`);
    return { host, publishing };
  });
  if (first === undefined) throw new Error("No host is named.");
  const targets: Targets = [first, ...others];
  const name = packageName(path.basename(folder));
  const around = repositoryAround(folder);
  const place = around === undefined ? undefined : { root: around, folder };
  const collections = (await guessing?.collectionsFrom(from ?? [], place)) ?? [];
  const templated = repositoryFiles({ template, name, targets, version: dependency });
  const repository = guessing?.repositoryOf(templated, collections) ?? templated;
  const within = around === undefined ? undefined : filesWithin(around, { folder, name }, repository, collections);
  const files = within?.files ?? repository;
  const packed = archive?.from === undefined ? undefined : readFileSync(archive.from);

  for (const [file, text] of files) write(path.join(folder, file), text);
  if (archive !== undefined) mkdirSync(path.join(folder, path.dirname(archive.file)));
  if (archive !== undefined && packed !== undefined) write(path.join(folder, archive.file), packed);

  const archived = packed === undefined ? "" : `, with this program in ${archive?.file}`;
  const next = [
    ...(folder === process.cwd() ? [] : [`cd ${shellWord(target.replace(/^-/, "./-"))}`]),
    ...(archive !== undefined && packed === undefined ? [packCommand(root)] : []),
    "npm install && npm run dev",
  ];
  const done = `${out.green("✓")} Created a data repository for ${titleOf(targets)}${archived}. Next:`;
  process.stdout.write(`${wrapped(done, widthOf(process.stdout), 0, 0)}\n\n`);
  process.stdout.write(next.map((line) => `  ${out.cyan(line)}\n`).join(""));
  process.stdout.write("\nIts README describes how to change the data and how to publish.\n");
  if (within !== undefined) process.stdout.write(`\n${within.note}`);
  await guessing?.reportCollections(folder, collections);
  return 0;
}

function refuseFolderBehind(from: readonly string[] = []): void {
  const last = from.at(-1);
  if (from.length < 2 || last === undefined || existsSync(last)) return;
  throw new MachineError(`There is no file ${last}.`, folderFirst(last, "--from", from.slice(0, -1)));
}

/** Throws MachineError if a folder has files. A new clone has a folder `.git` and nothing else. */
function refuseFull(folder: string): void {
  const [found] = existsSync(folder) ? readdirSync(folder).filter((name) => name !== ".git") : [];
  if (found === undefined) return;
  throw new MachineError(`${folder} is not empty: it holds ${found}.`, "Name a folder that is new or empty.");
}

function write(file: string, content: string | Uint8Array): void {
  addFolders(path.dirname(file));
  writeFileSync(file, content, { flag: "wx" });
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name; the project at the host has the same name. */
function packageName(folder: string): string {
  const words = folder.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 50).replace(/-$/, "") || "my-api";
}

/** The command that packs the program in `root`. An installed package lacks the sources that its scripts need. */
const packCommand = (root: string): string =>
  `npm pack${root.split(path.sep).includes("node_modules") ? " --ignore-scripts" : ""} --pack-destination vendor ${shellWord(root)}`;
