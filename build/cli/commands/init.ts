import path from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { modulesFolder } from "../../checkout.ts";
import { hostNames } from "../../hosts/names.ts";
import { type ExitCode, usualHost } from "../options.ts";
import { out } from "../terminal.ts";

const { stdout } = process;

/** `version` is the version of the program. */
export const initCommand = (end: (code: ExitCode) => void, version: string) =>
  new Command("init")
    .description("write a repository of data: content, scripts, a workflow and the configuration of the host")
    .argument("[folder]", "the folder to write, new or empty", ".")
    .addOption(new Option("--host <name>", "the host to publish to").choices(hostNames).default(usualHost))
    .action(async (folder: string, { host }: { readonly host: string }) => end(await run(folder, host, version)));

async function run(asked: string, host: string, version: string): Promise<ExitCode> {
  const [{ completeApi }, { edgeNetwork }, { repositoryFiles }, { programAt }, { hosts }, { writeRepository }] =
    await Promise.all([
      import("../../../src/complete-api.ts"),
      import("../../../src/edge-network/index.ts"),
      import("../init/repository.ts"),
      import("../init/program.ts"),
      import("../../hosts/hosts.ts"),
      import("../init/write.ts"),
    ]);
  const folder = path.resolve(asked);
  const root = path.dirname(fileURLToPath(modulesFolder));
  const program = programAt(root, version);
  const publishing = hosts.get(host)?.publishing;
  const name = packageName(path.basename(folder));
  writeRepository(folder, repositoryFiles(completeApi(edgeNetwork), { name, host, publishing, program }), program);
  const { vendored } = program;
  const kept = vendored?.from === undefined ? "" : `, with this program in ${vendored.file}`;
  const enter = folder === process.cwd() ? [] : [`cd ${quoted(asked)}`];
  const pack = vendored !== undefined && vendored.from === undefined ? [packCommand(root)] : [];
  const next = [...enter, ...pack, "npm install && npm run dev"];
  stdout.write(`${out.green("✓")} Created a data repository for ${publishing?.title ?? host}${kept}. Next:\n\n`);
  stdout.write(next.map((line) => `  ${line}\n`).join(""));
  stdout.write(
    publishing === undefined
      ? `\nIts README says how to change the data. stillapi does not know how to publish to ${host}: add a step to its workflow.\n`
      : "\nIts README says how to change the data and publish.\n",
  );
  return 0;
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name; the project at the host has the same name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50)
    .replace(/-+$/, "");
  return name === "" ? "my-api" : name;
}

/** The command that packs the program in `root`. An installed package lacks the sources that its scripts need. */
const packCommand = (root: string): string =>
  `npm pack${root.split(path.sep).includes("node_modules") ? " --ignore-scripts" : ""} --pack-destination vendor ${quoted(root)}`;

/** As a word of a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
