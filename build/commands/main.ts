// Arguments to command to report to exit code. Everything the program is told by its surroundings is read here. cli.ts
// starts it.
// What a build does not need is imported where it is needed: loading code takes longer than building a small API.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import picocolors from "picocolors";
import { listOperations } from "../../src/operations.ts";
import { type BuildPlan, besideFolder, build, check, planBuild } from "../build.ts";
import { modulesFolder } from "../checkout.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { hosts } from "../hosts/hosts.ts";
import { inWords, MachineError } from "../machine-error.ts";
import { budgetText } from "../report/budget.ts";
import { integer } from "../report/columns.ts";
import { progressBar } from "../report/progress.ts";
import { outcomeText, type Summariser, summarise, summaryText, type Times } from "../report/summary.ts";
import { isSidecar } from "../routing/sidecar.ts";

/** 0: done. 1: the content has faults, nothing was written. 2: wrong usage, or the machine is at fault. */
type ExitCode = 0 | 1 | 2;

type Format = "text" | "json";

const { env, stdout, stderr } = process;
const wantsColor = (stream: { isTTY?: boolean }) => stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
const out = picocolors.createColors(wantsColor(stdout));
const err = picocolors.createColors(wantsColor(stderr));

const cache = fileURLToPath(new URL("../node_modules/.cache/edge-api", modulesFolder));

const withProgram = [...hosts.values()].filter(({ program }) => program !== undefined).map(({ name }) => name);

const contentOption = () => new Option("--content <folder>", "the folder with the data").default("content");
const outOption = (what: string) => new Option("--out <folder>", what).default("dist");
const formatOption = () =>
  new Option("--format <format>", "how to report: for people or for programs")
    .choices(["text", "json"])
    .default("text");

export async function main(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command("edge-api")
    .description("Compiles an edge network's data files into a read-only JSON API made of static files.")
    .exitOverride()
    .configureHelp({ styleTitle: (title) => out.bold(title) });

  const deploymentOption = () =>
    new Option(
      "--deployment <name>",
      "the deployment to build (default: default_deployment of api.yaml, else edge)",
    ).env("DEPLOYMENT");
  const portOption = () =>
    new Option("--port <number>", "the port to listen on; 0 takes any free one").argParser(portNumber).default(3000);
  const hostsOption = (what: string) => new Option("--host <name...>", what).choices([...hosts.keys()]);
  program
    .command("build")
    .description("validate the content and write the API with its host's configuration")
    .addOption(contentOption())
    .addOption(outOption("the folder to publish"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for").default(["netlify"]))
    .option("--precompress", "write compressed copies of the pages too, for hosts that send them", false)
    .option("--clean", "write every file anew, whatever is there already", false)
    .addOption(formatOption())
    .action(async (options: BuildArguments) => {
      code = await runBuild(options);
    });

  program
    .command("check")
    .description("validate the content and write nothing")
    .addOption(contentOption())
    .addOption(deploymentOption())
    .addOption(hostsOption("also the limits of these hosts"))
    .addOption(formatOption())
    .action(async (options: { content: string; deployment?: string; host?: string[]; format: Format }) => {
      code = await runCheck(options);
    });

  program
    .command("dev")
    .description("build, serve, and build again whenever the content changes")
    .addOption(contentOption())
    .addOption(outOption("the folder to write and serve"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for").default(["netlify"]))
    .addOption(portOption())
    .action(runDev);

  program
    .command("preview")
    .description("serve a built API with its full query semantics, on this machine only")
    .addOption(outOption("the folder to serve"))
    .addOption(portOption())
    .addOption(
      new Option("--host <name>", "answer as this host does, with its own program and configuration").choices(
        withProgram,
      ),
    )
    .action(async (options: { out: string; port: number; host?: string }) => {
      code = await runPreview(options);
    });

  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return explain(error);
  }
}

interface BuildArguments {
  readonly content: string;
  readonly out: string;
  readonly deployment?: string;
  readonly host: readonly string[];
  readonly precompress: boolean;
  readonly clean: boolean;
  readonly format: Format;
}

async function runBuild(options: BuildArguments): Promise<ExitCode> {
  const { content, precompress, clean, format } = options;
  let plan: BuildPlan | undefined;
  let summary: Summariser | undefined;
  const bar = await progressBar(stderr, stderr.isTTY === true && !env.CI && format === "text");
  const times = stopwatch();
  bar.announce("Reading the content");
  try {
    const [result, diagnostics] = await build(
      {
        content,
        out: options.out,
        deployment: options.deployment || undefined,
        hosts: adapters(options.host),
        precompress,
        cache,
        clean,
      },
      {
        onPlan(made) {
          times.endContent();
          plan = made;
          summary = summarise(made);
          bar.start(made.count);
        },
        onChange(change) {
          summary?.add(change);
          if (change.kind !== "removed") times.endPages();
          if (change.kind !== "removed" && !isSidecar(change.file)) bar.step();
        },
        onWait: () => announceWait(options.out),
      },
    );
    bar.stop();
    if (result === undefined || plan === undefined || summary === undefined)
      return reportFaults(content, diagnostics, format);
    if (format === "json") {
      const operations = Object.fromEntries(summary.rows);
      const { counts, compressed } = summary;
      stdout.write(
        `${JSON.stringify({ faults: [], deployment: plan.deployment.name, ...counts, compressed, operations, budget: plan.budget, seconds: times.now().all / 1000 })}\n`,
      );
      return 0;
    }
    const title = plan.catalog.settings.title ?? "The API";
    stdout.write(`${out.bold(title)}, deployment ${plan.deployment.name}: ${content} → ${options.out}\n\n`);
    stdout.write(`${summaryText(summary, out)}\n\n`);
    if (plan.budget.length > 0) stdout.write(`${budgetText(plan.budget, out)}\n\n`);
    stdout.write(`${outcomeText(summary, times.now(), out)}\n`);
    if (result.foreign.length > 0) {
      stdout.write(`${options.out} also holds files of others, which were left alone: ${result.foreign.join(", ")}.\n`);
    }
    return 0;
  } finally {
    bar.stop();
  }
}

/** Tells where the time of a build goes. */
function stopwatch() {
  const started = performance.now();
  const since = () => performance.now() - started;
  const ended = { content: 0, pages: 0 };
  return {
    endContent() {
      ended.content = since();
      ended.pages = ended.content;
    },
    endPages() {
      ended.pages = since();
    },
    now: (): Times => ({ ...ended, all: since() }),
  };
}

/** Returns while it goes on. */
async function runDev(options: {
  content: string;
  out: string;
  deployment?: string;
  host: readonly string[];
  port: number;
}): Promise<void> {
  const { startDev } = await import("../preview/dev.ts");
  const { content, out: folder, port } = options;
  let times = stopwatch();
  let summary: Summariser | undefined;
  const dev = await startDev(
    {
      content,
      out: folder,
      deployment: options.deployment || undefined,
      hosts: adapters(options.host),
      precompress: false,
      cache,
    },
    port,
    {
      onStart() {
        times = stopwatch();
      },
      onPlan(made) {
        times.endContent();
        summary = summarise(made);
      },
      onChange(change) {
        times.endPages();
        summary?.add(change);
      },
      onWait: () => announceWait(folder),
      onBuilt: () => summary && stdout.write(`${outcomeText(summary, times.now(), out)}\n`),
      onFaults: (diagnostics) => reportFaults(content, diagnostics, "text"),
      onError: explain,
      onServing: ({ origin, paths }) => announce(folder, "", origin, paths),
    },
  );
  stdout.write(`Watching ${content}.\n`);
  for (const signal of endings) process.once(signal, () => dev.stop().catch(explain));
}

const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);

function announce(folder: string, by: string, origin: string, paths: readonly string[]): void {
  stdout.write(`Serving ${folder} ${by}on ${out.bold(origin)} (Ctrl-C stops it):\n`);
  stdout.write(paths.map((each) => `  ${origin}${each}\n`).join(""));
}

/** Returns while the preview goes on; with a host's program, when that has ended. */
async function runPreview({
  out: folder,
  port,
  host,
}: {
  out: string;
  port: number;
  host?: string;
}): Promise<ExitCode> {
  const chosen = host === undefined ? undefined : hosts.get(host);
  if (chosen?.program === undefined) {
    const { startPreview } = await import("../preview/preview.ts");
    const { origin, paths } = await startPreview(folder, port);
    announce(folder, "", origin, paths);
    return 0;
  }
  const { readTable } = await import("../preview/preview.ts");
  const { operations } = readTable(folder);
  const beside = path.join(besideFolder(folder), chosen.name);
  const lacking = [...chosen.owns.map((file) => path.join(folder, file)), ...(chosen.beside ? [beside] : [])];
  const missing = lacking.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new MachineError(`There is no ${missing}.`, `Build with --host ${chosen.name} first.`);
  const { startProgram } = await import("../preview/program.ts");
  const running = await startProgram(chosen.program, { publishRoot: folder, beside, port });
  const paths = operations.map((operation) => operation.path);
  announce(folder, `with ${chosen.program.command} `, running.origin, paths);
  if (chosen.program.differs !== undefined) stdout.write(`Mind that ${chosen.program.differs}.\n`);
  let asked = false;
  for (const signal of endings) {
    process.once(signal, () => {
      asked = true;
      running.stop().catch(explain);
    });
  }
  const printed = await running.ended;
  await running.stop();
  if (asked) return 0;
  throw new MachineError(`${chosen.program.command} ended: ${printed.trim()}`);
}

const adapters = (names: readonly string[]) => [...new Set(names)].flatMap((name) => hosts.get(name) ?? []);

/** Without a host only the content is looked at; with one also what a build would use of the host's limits. */
async function runCheck(options: {
  content: string;
  deployment?: string;
  host?: readonly string[];
  format: Format;
}): Promise<ExitCode> {
  const { content, host, format } = options;
  const [checked, diagnostics] =
    host === undefined
      ? await check(content).then(([catalog, faults]) => [{ catalog, budget: [] }, faults] as const)
      : await planBuild({ content, deployment: options.deployment || undefined, hosts: adapters(host) });
  if (checked === undefined || diagnostics.length > 0) return reportFaults(content, diagnostics, format);
  const { catalog, budget } = checked;
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: [], ...(host === undefined ? {} : { budget }) })}\n`);
    return 0;
  }
  const counts = listOperations.map(({ name, resource }) => plural(catalog.items.get(name)?.count ?? 0, resource.noun));
  const found = [...counts, plural(catalog.deployments.size, "deployment")].join(", ");
  stdout.write(`${out.green("✓")} ${content} is valid: ${found}.\n`);
  if (budget.length > 0) stdout.write(`\n${budgetText(budget, out)}\n`);
  return 0;
}

async function reportFaults(content: string, diagnostics: readonly Diagnostic[], format: Format): Promise<ExitCode> {
  const { faultAsData, faultText } = await import("../report/faults.ts");
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: diagnostics.map((each) => faultAsData(content, each)) })}\n`);
    return 1;
  }
  const frameOf = (file: string) => {
    const full = path.join(content, file);
    // A link may lead to what is no content, and a pipe nowhere.
    const isShown = stderr.isTTY === true && lstatSync(full, { throwIfNoEntry: false })?.isFile();
    return isShown ? readFileSync(full, "utf8").replace(/^\u{feff}/u, "") : undefined;
  };
  for (const diagnostic of diagnostics) stderr.write(`${faultText(content, diagnostic, err, frameOf)}\n`);
  const files = new Set(diagnostics.map(({ file }) => file)).size;
  stderr.write(
    `${err.red("✗")} ${plural(diagnostics.length, "fault")} in ${plural(files, "file")}; nothing was written.\n`,
  );
  return 1;
}

const plural = (count: number, noun: string): string => `${integer(count)} ${noun}${count === 1 ? "" : "s"}`;

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("A port is an integer from 0 to 65535.");
  return Number(text);
}

/** What the user can mend is said in words; anything else is a fault of this program and keeps its stack. */
function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof MachineError ? error.message : inWords(error);
  if (message === undefined) throw error;
  const hint = error instanceof MachineError && error.hint !== undefined ? ` ${err.cyan(error.hint)}` : "";
  stderr.write(`${err.red("✗")} ${message}${hint}\n`);
  return 2;
}
