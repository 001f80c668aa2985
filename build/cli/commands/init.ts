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
    .addOption(
      new Option("--template <name>", "the API: the Edge Network's, or a declaration to write your own from")
        .choices(templates)
        .default(templates[0]),
    )
    .action(async (folder: string, options: Choices) => end(await run(folder, options, version)));

const templates = ["edge-network", "blank"] as const;

interface Choices {
  readonly host: string;
  readonly template: (typeof templates)[number];
}

async function run(asked: string, { host, template: chosen }: Choices, version: string): Promise<ExitCode> {
  const [{ blank }, { edgeNetworkTemplate }, { repositoryFiles }, { programAt }, { hosts }, write] = await Promise.all([
    import("../init/blank.ts"),
    import("../init/template.ts"),
    import("../init/repository.ts"),
    import("../init/program.ts"),
    import("../../hosts/hosts.ts"),
    import("../init/write.ts"),
  ]);
  const folder = path.resolve(asked);
  const template = chosen === "blank" ? blank : edgeNetworkTemplate;
  const root = path.dirname(fileURLToPath(modulesFolder));
  const program = programAt(root, version);
  const publishing = hosts.get(host)?.publishing;
  const name = packageName(path.basename(folder));
  write.refuseFull(folder);
  write.writeFiles(folder, template.files);
  const { openDeclaration } = await import("../../declaration/declaration.ts");
  const [{ api }] = await openDeclaration({ folder });
  if (api === undefined) throw new Error("The declaration of the template has faults.");
  write.writeFiles(folder, repositoryFiles(api, { name, host, publishing, program, template }));
  write.keepProgram(folder, program);
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
