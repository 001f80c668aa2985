import { clearScreenDown, cursorTo } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { Command } from "commander";
import type { BuildPlan } from "../../build.ts";
import { isLogo } from "../../content/classify.ts";
import { formatOf } from "../../content/formats/formats.ts";
import { plural } from "../../text/words.ts";
import { configOption, type DeclarationChoice, openApi } from "../declared.ts";
import { explain } from "../explain.ts";
import { type Faults, reportFaults } from "../faults.ts";
import {
  allOption,
  chosenDeployment,
  chosenHosts,
  contentOption,
  deploymentOption,
  hostsOption,
  portOption,
} from "../options.ts";
import type { DevOptions } from "../preview/dev.ts";
import { onEnd, out } from "../terminal.ts";
import { supportEditors, warner } from "./editors.ts";
import { announce } from "./preview.ts";

export const devCommand = () =>
  new Command("dev")
    .description("serve the API from memory, and plan it again when the content or its declaration changes")
    .addOption(contentOption())
    .addOption(configOption())
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts whose limits count"))
    .addOption(portOption())
    .addOption(allOption())
    .action(run);

interface Arguments extends DeclarationChoice {
  readonly content: string;
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly port: number;
  readonly all: boolean;
}

const { stdout } = process;

/** Returns while the server keeps running. */
async function run({ content, host, port, all, ...rest }: Arguments): Promise<void> {
  // The heap is small, so V8 would mark it during each plan, which makes a save take a quarter longer.
  setFlagsFromString("--no-incremental-marking");
  const { startDev } = await import("../preview/dev.ts");
  const { changesBetween, filesText, savedText } = await import("../report/saved.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const warn = warner(warnings);
  let startedAt = performance.now();
  let head = "";
  let last: BuildPlan | undefined;
  let isFirst = true;

  const open: DevOptions["open"] = async () => {
    const [{ api, files }, faults] = await openApi(rest);
    if (api === undefined) return [{ chosen: undefined, files }, faults];
    return [{ chosen: { api, hosts: adapters(await chosenHosts(host, content, api)) }, files }, []];
  };

  /** The faults of what was saved are all that is on the screen. */
  async function report(folder: string, faults: Faults): Promise<void> {
    if (!isFirst) {
      clearScreen();
      stdout.write(`${head}\n`);
    }
    isFirst = false;
    warn();
    await reportFaults(folder, faults, "text", { all, effect: "; the last valid content is served" });
  }

  const dev = await startDev({ open, content, deployment: chosenDeployment(rest), onContent }, port, {
    onStart(changed, isDeclaration) {
      startedAt = performance.now();
      const files = changed.filter((file) => formatOf(file) !== undefined || isLogo(file));
      head = filesText(new Date(), files, isDeclaration ? "the declaration" : content, out);
    },
    onPlanned(plan) {
      const milliseconds = performance.now() - startedAt;
      const first = `${out.green("✓")} ${plural(plan.count, "file")} planned in ${(milliseconds / 1_000).toFixed(1)} s.`;
      stdout.write(`${last === undefined ? first : savedText(head, changesBetween(last, plan), milliseconds, out)}\n`);
      warn();
      last = plan;
      isFirst = false;
    },
    onFaults: (faults, of) => report(of === "content" ? content : "", faults),
    onError: (error) => explain(error),
    onTaken(last) {
      const taken = last === port ? `Port ${port} is` : `The ports ${port} to ${last} are`;
      stdout.write(`${taken} in use; using the next one.\n`);
    },
    onServing: ({ origin, paths }) => announce(content, "", origin, paths),
  });
  stdout.write(`Watching ${content}.\n`);
  onEnd(() => dev.stop().catch((error) => explain(error)));
}

/** Keeps the earlier output above the screen, so that the user can scroll back to it. */
function clearScreen(): void {
  if (stdout.isTTY !== true || process.env["TERM"] === "dumb") return;
  stdout.write("\n".repeat(Math.max(0, stdout.rows - 1)));
  cursorTo(stdout, 0, 0);
  clearScreenDown(stdout);
}
