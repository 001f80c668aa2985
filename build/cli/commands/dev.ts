// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory. It writes
// nothing but schemas for editors. Faults do not stop it.
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { MachineError } from "../../files/machine-error.ts";
import { type Messages, openLog } from "../../messages.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { command, options } from "../command.ts";
import { type DevChange, DevChanges } from "../dev/changes.ts";
import { DevSite, freePort } from "../dev/site.ts";
import { type DevOptions, type DevState, stateAtStart, withChange, withDeclaration, withPlan } from "../dev/state.ts";
import { type Watch, watchFolder } from "../dev/watch.ts";
import { supportEditors } from "../editors/write.ts";
import { addressesText } from "../preview/preview.ts";
import { countText, errorsText, printMessages } from "../report/print-messages.ts";
import { changesBetween, filesText, savedText } from "../report/saved.ts";
import { explanationOf, reportError } from "../report-error.ts";
import { clearScreen, onEnd, out } from "../terminal.ts";

const { stdout } = process;
const { content, config, deployment, host, port, all } = options;

export const devCommand = command(
  "dev",
  "serve the API from memory, and update it when the content or the declaration changes",
  [content, config, deployment, host, port, all],
  async (options: DevOptions) => {
    // The heap is small, so V8 would mark it during each plan, which makes a save take a quarter longer.
    setFlagsFromString("--no-incremental-marking");
    const { stop } = await startDev(options);
    onEnd(() => {
      stop()
        .catch((error) => reportError(error))
        // Nothing that the program has started keeps it.
        .finally(() => process.exit());
    });
    stdout.write(`Watching ${options.content}.\n`);
    return 0;
  },
);

/** A run of the command. At each request, `DevSite` reads the plan of the current state. */
interface Dev {
  readonly options: DevOptions;
  readonly changes: DevChanges;
  readonly watch: Watch;
  readonly current: { state: DevState };
  readonly site: DevSite;
}

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions): Promise<{ readonly stop: () => Promise<void> }> {
  const changes = new DevChanges(options.content);
  const watch = await watchFolder(options.content, {
    onChange: () => changes.notice(),
    onFollowed: () => changes.noticeDeclaration(),
  });
  const current = { state: stateAtStart() };
  const dev = { options, changes, watch, current, site: new DevSite(current) };
  try {
    await update(dev, changes.now(current.state));
  } catch (error) {
    await watch.close();
    throw error;
  }
  const onFailure = (error: unknown) =>
    tell(dev, `dev has ended: ${String(error)}. Its terminal shows where the error was thrown.`);
  process.on("uncaughtExceptionMonitor", onFailure);
  const followed = followChanges(dev);
  return {
    async stop() {
      await watch.close();
      changes.close();
      await followed;
      await dev.site.close();
      process.off("uncaughtExceptionMonitor", onFailure);
    },
  };
}

async function followChanges(dev: Dev): Promise<void> {
  for (;;) {
    try {
      const change = await dev.changes.next(dev.current.state);
      if (change === undefined) return;
      await update(dev, change);
    } catch (error) {
      showError(dev, error);
    }
  }
}

/** Each step replaces the current state, so that what it has found is kept if a later one throws. */
async function update(dev: Dev, change: DevChange): Promise<void> {
  const { options, watch, current } = dev;
  const before = current.state;
  const startedAt = performance.now();
  const log = openLog();
  const head = filesText(new Date(), change.content, change.isDeclaration ? "the declaration" : options.content, out);
  current.state = withChange(before, change);
  current.state = await withDeclaration(current.state, options, log);
  watch.follow(current.state.followed);
  const { state, contents } = await withPlan(current.state, options, log);
  current.state = state;
  const milliseconds = performance.now() - startedAt;
  if (contents !== undefined) {
    // Requests that wait are answered first.
    await setImmediate();
    await supportEditors(options.content, contents, log);
  }
  if (state.plan !== undefined && state.plan !== before.plan)
    return showPlan(dev, { before: before.plan, plan: state.plan, messages: log.messages(), head, milliseconds });
  // Halfway through a checkout, files refer to others that do not exist yet.
  if (contents === undefined || !dev.changes.areMore(state)) showFaults(dev, log.messages(), head);
}

interface ShownPlan {
  readonly before: BuildPlan | undefined;
  readonly plan: BuildPlan;
  readonly messages: Messages;
  /** Names the files that were saved. */
  readonly head: string;
  readonly milliseconds: number;
}

/** Reports the effect of a plan that is served. Starts the server if the plan is the first. */
async function showPlan(dev: Dev, { before, plan, messages, head, milliseconds }: ShownPlan): Promise<void> {
  const { options, current, site } = dev;
  const first = `${out.green("✓")} Ready in ${(milliseconds / 1_000).toFixed(1)} s.`;
  stdout.write(`${before === undefined ? first : savedText(head, changesBetween(before, plan), milliseconds, out)}\n`);
  // Warnings that a save leaves unchanged are not repeated.
  const warnings = messages.shown.map(({ code, text }) => `${code} ${text}`).join("\n");
  if (warnings !== current.state.warnings) printMessages(messages, { all: options.all });
  current.state = { ...current.state, warnings };
  site.announce();
  if (site.isServed) return;
  const port = await freePort(options.port);
  if (port !== options.port) stdout.write(`Port ${options.port} is in use; using ${port}.\n`);
  const origin = await site.serve(port);
  stdout.write(`Serving ${options.content} on ${out.bold(origin)} (Ctrl-C stops it):\n`);
  stdout.write(addressesText({ origin, tables: site.tables() }));
}

/** Reports the faults of a save. Clears the screen, so that it only shows these. */
function showFaults({ options, current, site }: Dev, messages: Messages, head: string): void {
  const { plan, faults } = current.state;
  current.state = { ...current.state, faults: { title: countText(messages), text: errorsText(messages) } };
  site.announce();
  if (plan !== undefined || faults !== undefined) {
    clearScreen();
    stdout.write(`${head}\n`);
  }
  const effect = site.isServed ? "; the last valid content is served" : "; nothing is served yet";
  printMessages(messages, { all: options.all, effect });
}

/** Reports what an update has thrown, on the open pages too. A bug of the program ends it. */
function showError(dev: Dev, error: unknown): void {
  // Files that have changed since the plan started are read again at once.
  if (error instanceof MachineError && dev.changes.areMore(dev.current.state)) return;
  reportError(error);
  const { message, hint } = explanationOf(error) ?? {};
  tell(dev, [message, hint].filter(Boolean).join(" "));
}

/** Shows a text on the open pages. */
function tell({ current, site }: Dev, text: string): void {
  current.state = { ...current.state, faults: { title: "An error", text } };
  site.announce();
}
