import { InvalidArgumentError, Option } from "commander";
import type { Apis } from "../../../src/model/api.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import { MachineError } from "../../files/machine-error.ts";
import type { HistoryOptions } from "../../history/previous.ts";
import { reloadsOf } from "../../hosts/configuration.ts";
import type { Log } from "../../messages.ts";
import { credentialsFor } from "../../published/credentials.ts";
import { isAddress, isPlace, parseAddress, withoutPassword } from "../../published/place.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { type ContentOptions, chosenTarget, command, noOption, options, withApis } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import { builtAsData, builtText, lastLine, nextStep, type Summary, summarise } from "../report/built.ts";
import type { BuildOutput } from "../report/json-output.ts";
import { printJson, printMessages, reportErrors } from "../report/print-messages.ts";
import type { ExitCode } from "../report-error.ts";
import { out as colors, isLive, progressLine, widthOf } from "../terminal.ts";

const { stdout, stderr } = process;
const { content, config, out, deployment, host, all, format } = options;

const previous = new Option(
  "--previous <folder|url|none>",
  "the previous build, whose cursors stay valid: its folder or its published address (default: the out folder)",
)
  .argParser(noOption)
  .env("PREVIOUS");

const forget = new Option(
  "--forget <name/key>",
  "an item whose values the list of changes forgets, such as nodes/nod_x; repeatable",
)
  .argParser((item, before: readonly string[] | undefined) => [...(before ?? []), forgottenItem(item)])
  .default([]);

const replace = new Option(
  "--replace",
  "replace an API with another base in the out folder, instead of refusing to build",
).default(false);

export const buildCommand = command(
  "build",
  "validate the content and write the API with the configuration of its hosts",
  [content, config, out, replace, deployment, host, previous, forget, all, format],
  withApis(run),
);

interface BuildOptions extends ContentOptions {
  readonly out: string;
  readonly replace: boolean;
  readonly previous?: string;
  readonly forget: readonly string[];
}

function forgottenItem(text: string): string {
  if (/^[^/]+\/./.test(text)) return text;
  throw new InvalidArgumentError("Name a collection and the key of an item, as in nodes/nod_x.");
}

async function run(options: BuildOptions, apis: Apis, log: Log): Promise<ExitCode> {
  const { content, out: folder, replace: replaces, format } = options;
  const { build } = await import("../../build.ts");
  const { deployment, hosts } = await chosenTarget(options);
  checkForgotten(options.forget, apis);
  const history = chosenHistory(options);
  const progress = progressLine(isLive && format === "text");
  progress.announce("Reading the content");
  let summary: Summary | undefined;
  try {
    const built = await build(
      { apis, content, out: folder, replaces, history, deployment, hosts, today: dayOf(history.now) },
      log,
      {
        onRead: (read) => supportEditors(content, read, log),
        onWait() {
          progress.stop();
          stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
        },
        onPlan(plan) {
          summary = summarise(plan);
          progress.start(plan.count);
        },
        onChange(change) {
          summary?.add(change);
          if (change.kind !== "removed") progress.step();
        },
      },
    );
    progress.stop();
    if (built === undefined || summary === undefined)
      return reportErrors(log.messages(), { ...options, effect: "; nothing was built" });
    const { plan, replacedConfiguration } = built;
    const bases = plan.apis.map(({ table }) => table.base);
    const reloads = reloadsOf(plan.hosts, bases, (file) => replacedConfiguration.has(file));
    // Of the whole command, with the start of the program and the bundling of the declaration.
    const outcome = { plan, summary, reloads, milliseconds: performance.now() };
    if (format === "json") {
      printJson<BuildOutput>(builtAsData(outcome), log.messages());
      return 0;
    }
    stdout.write(builtText(outcome, { from: content, to: folder }, colors, widthOf(stdout)));
    printMessages(log.messages(), options);
    stdout.write(`${lastLine(outcome, colors)}\n`);
    const next = stdout.isTTY === true ? nextStep(summary, folder, colors) : undefined;
    if (next !== undefined) stdout.write(`${next}\n`);
    return 0;
  } finally {
    progress.stop();
  }
}

/** Throws MachineError if there is no collection of an item. */
function checkForgotten(items: readonly string[], apis: Apis): void {
  const names = apis.flatMap(({ lists }) => lists.map(({ name }) => name));
  for (const item of items) {
    const [name = ""] = item.split("/");
    if (names.includes(name)) continue;
    const message = `There is no collection ${quote(name)}, which --forget names.`;
    throw new MachineError(message, nearest(name, names) ?? `The collections are ${names.join(", ")}.`);
  }
}

/**
 * Throws MachineError if the previous build is neither an address nor a folder, if its credentials are wrong, or if
 * SOURCE_DATE_EPOCH is no time.
 */
function chosenHistory(options: BuildOptions): HistoryOptions {
  const { previous, out, forget: forgotten } = options;
  const now = secondsNow();
  if (previous === "none") return { from: undefined, now, forgotten };
  // A workflow may set the variable to an empty text.
  if (!previous) return { from: out, now, forgotten };
  if (!isPlace(previous)) {
    const message = `The previous build, ${withoutPassword(previous)}, is neither a folder nor an address.`;
    throw new MachineError(message, "An address starts with http:// or https://.");
  }
  if (isAddress(previous)) credentialsFor(parseAddress(previous));
  return { from: previous, isNamed: true, now, forgotten };
}
