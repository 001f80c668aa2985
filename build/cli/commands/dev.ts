// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory. It writes
// nothing but schemas for editors. Faults do not stop it.
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Apis } from "../../../src/model/api.ts";
import { isOutside } from "../../content/files.ts";
import { outsideFolders } from "../../content/globs.ts";
import { MachineError } from "../../files/machine-error.ts";
import { type Messages, openLog } from "../../messages.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { command, options } from "../command.ts";
import { type DevChange, DevChanges } from "../dev/changes.ts";
import { DevSite, freePort } from "../dev/site.ts";
import { type DevOptions, type DevState, stateAtStart, withChange, withDeclaration, withPlan } from "../dev/state.ts";
import { skipsOutside, type Watch, watchFolder } from "../dev/watch.ts";
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
    return 0;
  },
);

/** A run of the command. At each request, `DevSite` reads the plan of the current state. */
interface Dev {
  readonly options: DevOptions;
  readonly changes: DevChanges;
  readonly watch: Watch;
  /** Of the folders outside of the content folder. */
  readonly outside: Watch[];
  readonly current: { state: DevState };
  readonly site: DevSite;
}

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions): Promise<{ readonly stop: () => Promise<void> }> {
  const changes = new DevChanges(options.content);
  const watch = watchFolder(options.content, {
    onChange: () => changes.notice(),
    onFollowed: () => changes.noticeDeclaration(),
  });
  const current = { state: stateAtStart() };
  const dev: Dev = { options, changes, watch, outside: [], current, site: new DevSite(current) };
  try {
    await update(dev, changes.now(current.state));
  } catch (error) {
    closeWatches(dev);
    throw error;
  }
  const onFailure = (error: unknown) =>
    tell(dev, `dev has ended: ${String(error)}. Its terminal shows where the error was thrown.`);
  process.on("uncaughtExceptionMonitor", onFailure);
  const followed = followChanges(dev);
  const folders = dev.outside.map(({ root }) => path.relative("", root));
  stdout.write(`Watching ${[options.content, ...folders].join(", ")}.\n`);
  return {
    async stop() {
      closeWatches(dev);
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
  const saved = change.content.map((file) => (isOutside(file) ? path.join(options.content, file) : file));
  const head = filesText(new Date(), saved, change.isDeclaration ? "the declaration" : options.content, out);
  current.state = withChange(before, change);
  current.state = await withDeclaration(current.state, options, log);
  const { followed, apis } = current.state;
  watch.follow(followed);
  if (change.isDeclaration && apis !== undefined) watchOutside(dev, apis);
  const since = Date.now();
  const { state, contents } = await withPlan(current.state, options, log);
  current.state = state;
  const named = contents?.flatMap(({ outsideFiles }) => outsideFiles) ?? [];
  const declared = path.dirname(path.resolve(options.config ?? "api.config.ts"));
  watch.follow({ files: [...followed.files, ...named.map((file) => path.join(declared, file))], since });
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

function closeWatches({ watch, outside }: Pick<Dev, "watch" | "outside">): void {
  for (const each of [watch, ...outside.splice(0)]) each.close();
}

/** Watches the folders outside of the content folder, in place of those of the declaration before. */
function watchOutside({ options, changes, outside }: Dev, apis: Apis): void {
  for (const each of outside.splice(0)) each.close();
  const events = { onChange: () => changes.notice(), onFollowed: () => undefined };
  for (const each of outsideFolders(apis.flatMap(({ collections }) => collections)))
    outside.push(watchFolder(each.folder.path, events, skipsOutside(options.content, each)));
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
