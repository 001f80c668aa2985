// One run of dev: the declaration and the last valid plan. It writes nothing but schemas for editors. Faults do not stop the
// server.

import path from "node:path";
import { clearScreenDown, cursorTo } from "node:readline";
import { setImmediate } from "node:timers/promises";
import getPort from "get-port";
import type { Api, Apis } from "../../../src/model/api.ts";
import { planContents } from "../../build.ts";
import type { Measurements } from "../../content/assets/assets.ts";
import { readContents } from "../../content/content.ts";
import { dotNamesIn, isHidden } from "../../content/globs.ts";
import { isContent } from "../../content/roles.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import { type Messages, openLog } from "../../messages.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { plural } from "../../text/words.ts";
import { type ContentOptions, chosenTarget, openApis } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import { explain, explanationOf } from "../explain.ts";
import { addressesText, type Preview, serveSite } from "../preview/preview.ts";
import { errorsText, printMessages } from "../report/messages.ts";
import { changesBetween, filesText, savedText } from "../report/saved.ts";
import { out } from "../terminal.ts";
import { openLive, type PageState } from "./live.ts";
import { siteOf } from "./site.ts";
import { changedFiles, type Snapshot, snapshotOf } from "./snapshot.ts";

const { stdout } = process;

export interface DevOptions extends Omit<ContentOptions, "format"> {
  readonly port: number;
}

/**
 * In milliseconds. Editors save in several steps, some of them by a file of another name, which they rename; a checkout
 * changes many files, with longer pauses between them.
 */
export const pauses = { afterSave: 10, afterOther: 150, afterCheckout: 400 };

/** More changes at a time count as a checkout. */
const maxSaved = 10;

export interface Session {
  /** The declaration, or a module that it imports, has changed. */
  onDeclarationChange(): void;
  /** The pause after the changes since the last plan. Undefined if nothing has changed. */
  pause(): number | undefined;
  /** Plans and serves the current content. `isRequested` returns whether something may have changed meanwhile. */
  plan(isRequested: () => boolean): Promise<void>;
  /** Reports why a plan failed, on the open pages too. Throws what is a bug of the program. */
  fail(error: unknown): void;
  close(): Promise<void>;
}

/** `onDeclared` is called with the files of a declaration, and the time before they were read. */
export function openSession(
  options: DevOptions,
  onDeclared: (files: readonly string[], since: number) => void,
): Session {
  let isDeclarationChanged = true;
  /** Of pictures and other files beside the data, so that a save reads only those that have changed. */
  const measurements: Measurements = new Map();
  /** Undefined if there are faults in the declaration. */
  let apis: Apis | undefined;
  /** The state of the content when the last plan started. */
  let planned: Snapshot | undefined;
  /** The snapshot of the last `pause`. The plan that follows reuses it, because `stat` of many files takes time. */
  let latest: Snapshot | undefined;
  let served: BuildPlan | undefined;
  /** Pages of an earlier run are loaded anew. */
  const run = Date.now();
  let plans = 0;
  /** The faults of saves after the plan that is served. */
  let faults = "";
  const state = (): PageState => ({ plan: `${run}-${plans}`, faults });
  const live = openLive(state);
  let warnings = "";
  let preview: Preview | undefined;
  /** Whether the screen has output that the next report replaces. */
  let hasReported = false;
  return {
    onDeclarationChange() {
      isDeclarationChanged = true;
    },
    pause,
    plan,
    fail(error) {
      explain(error);
      const { message, hint } = explanationOf(error);
      showOnPages([message, hint].filter(Boolean).join(" "));
    },
    close: async () => preview?.stop(),
  };

  function mayMatter(file: string): boolean {
    return isContent(file, { collections: (apis ?? []).flatMap(({ collections }) => collections) });
  }

  function changesSince(before: Snapshot | undefined, now: Snapshot): readonly string[] {
    return before === undefined ? [] : changedFiles(before, now);
  }

  function pause(): number | undefined {
    latest = snapshotOf(options.content);
    const changed = changesSince(planned, latest);
    if (changed.length > maxSaved) return pauses.afterCheckout;
    if (isDeclarationChanged || changed.some((file) => mayMatter(file))) return pauses.afterSave;
    return changed.length === 0 ? undefined : pauses.afterOther;
  }

  async function plan(isRequested: () => boolean): Promise<void> {
    const startedAt = performance.now();
    const log = openLog();
    const { content } = options;
    const now = latest ?? snapshotOf(content);
    const files = changesSince(planned, now).filter((file) => mayMatter(file));
    const head = filesText(new Date(), files, isDeclarationChanged ? "the declaration" : content, out);
    planned = now;
    if (isDeclarationChanged || apis === undefined) {
      isDeclarationChanged = false;
      // If there is no declaration any more, nothing is planned with the one before.
      apis = undefined;
      const since = Date.now();
      const declaration = await openApis(options, log);
      apis = declaration.apis;
      onDeclared([...declaration.files, ...dotFilesIn(content, apis ?? [])], since);
    }
    if (apis === undefined) return report(head, log.messages());
    const { deployment, hosts } = await chosenTarget(options);
    const time = secondsNow();
    const history = { from: undefined, now: time };
    const read = await readContents(content, apis, log, measurements);
    const planOptions = { content, deployment, hosts, history, today: dayOf(time) };
    const plan = await planContents(read, planOptions, log);
    const before = served;
    const milliseconds = performance.now() - startedAt;
    if (plan !== undefined) {
      served = plan;
      plans++;
      faults = "";
      // Requests that wait are answered first.
      await setImmediate();
    }
    await supportEditors(content, read, log);
    if (plan !== undefined) return announce(before, plan, log.messages(), head, milliseconds);
    // Halfway through a checkout, files refer to others that do not exist yet.
    if (!isRequested() || pause() === undefined) report(head, log.messages());
  }

  function showOnPages(text: string): void {
    faults = text;
    live.announce();
  }

  /** Clears the screen, so that it only shows the faults of the last save. */
  function report(head: string, messages: Messages): void {
    showOnPages(errorsText(messages));
    if (hasReported) {
      clearScreen();
      stdout.write(`${head}\n`);
    }
    hasReported = true;
    const effect = preview === undefined ? "; nothing is served yet" : "; the last valid content is served";
    printMessages(messages, { all: options.all, effect });
  }

  /** Reports the effect of a plan that is served. Starts the server if the plan is the first. */
  async function announce(
    before: BuildPlan | undefined,
    plan: BuildPlan,
    messages: Messages,
    head: string,
    milliseconds: number,
  ): Promise<void> {
    const first = `${out.green("✓")} ${plural(plan.count, "file")} planned in ${(milliseconds / 1_000).toFixed(1)} s.`;
    stdout.write(
      `${before === undefined ? first : savedText(head, changesBetween(before, plan), milliseconds, out)}\n`,
    );
    warn(messages);
    hasReported = true;
    live.announce();
    if (preview !== undefined) return;
    const site = siteOf(() => ({ plan: served ?? plan, state: state() }), live);
    preview = await serveSite(site, await freePort(options.port));
    const { origin } = preview;
    stdout.write(`Serving ${options.content} on ${out.bold(origin)} (Ctrl-C stops it):\n`);
    stdout.write(addressesText({ origin, tables: site.tables() }));
  }

  /** Does not repeat warnings that a save leaves unchanged. */
  function warn(messages: Messages): void {
    const texts = messages.shown.map(({ code, text }) => `${code} ${text}`).join("\n");
    if (texts !== warnings) printMessages(messages, { all: options.all });
    warnings = texts;
  }
}

/** The port, or the next one that is free. */
async function freePort(port: number): Promise<number> {
  if (port === 0) return 0;
  const next = Array.from({ length: 20 }, (_, index) => port + index).filter((candidate) => candidate < 65_536);
  const free = await getPort({ host: "127.0.0.1", port: next });
  if (free !== port) stdout.write(`Port ${port} is in use; using ${free}.\n`);
  return free;
}

/** Keeps the earlier output above the screen, so that the user can scroll back to it. */
function clearScreen(): void {
  if (stdout.isTTY !== true || process.env["TERM"] === "dumb") return;
  stdout.write("\n".repeat(Math.max(0, stdout.rows - 1)));
  cursorTo(stdout, 0, 0);
  clearScreenDown(stdout);
}

/** The files of a content folder that its watcher ignores, because they or folders above them have names that start with a dot. */
function dotFilesIn(content: string, apis: readonly Api[]): readonly string[] {
  const isDotName = dotNamesIn(apis.flatMap(({ collections }) => collections));
  const files = [...snapshotOf(content, isDotName).keys()].filter(isHidden);
  return files.map((file) => path.join(content, file));
}
