// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory. It writes
// nothing but schemas for editors. Faults do not stop the server; pages for people show them.
import { clearScreenDown, cursorTo } from "node:readline";
import { setFlagsFromString } from "node:v8";
import getPort from "get-port";
import type { Api } from "../../../src/model/api.ts";
import { type BuildPlan, planBuild } from "../../build.ts";
import { isLogo } from "../../content/classify.ts";
import { formatOf } from "../../content/formats/formats.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import type { Diagnostic } from "../../diagnostics.ts";
import { bytesOf, encode } from "../../files/file.ts";
import { plural } from "../../text/words.ts";
import { warningsOf } from "../../warnings.ts";
import { type ContentOptions, chosenHosts, command, openApi, options } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import { explain } from "../explain.ts";
import { type Preview, type ServedSite, serveSite, servingText } from "../preview/preview.ts";
import { watchFolder } from "../preview/watch.ts";
import { type Faults, reportFaults } from "../report/faults.ts";
import { changesBetween, filesText, savedText } from "../report/saved.ts";
import { onEnd, out, printWarnings } from "../terminal.ts";

const { stdout } = process;
const { content, config, deployment, host, port, all } = options;

export const devCommand = command(
  "dev",
  "serve the API from memory, and plan it again when the content or its declaration changes",
  [content, config, deployment, host, port, all],
  async (options: DevOptions) => {
    // The heap is small, so V8 would mark it during each plan, which makes a save take a quarter longer.
    setFlagsFromString("--no-incremental-marking");
    const { stop } = await startDev(options);
    onEnd(() => stop().catch((error) => explain(error)));
    stdout.write(`Watching ${options.content}.\n`);
    return 0;
  },
);

interface DevOptions extends Omit<ContentOptions, "format"> {
  readonly port: number;
}

/**
 * In milliseconds. Editors save in several steps, some of them by a file of another name, which they rename; a checkout
 * changes many files, with longer pauses between them.
 */
export const pauses = { afterSave: 10, afterOther: 150, afterCheckout: 400 };

/** More changes at a time are those of a checkout. */
const mostSaved = 10;

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions): Promise<{ readonly stop: () => Promise<void> }> {
  const { onContent, warnings: editorWarnings } = await supportEditors(options.content);
  let api: Api | undefined;
  let isDeclarationStale = true;
  let last: BuildPlan | undefined;
  /** Pages for people begin with these, until there is another plan. */
  let faults: readonly Diagnostic[] = [];
  let preview: Preview | undefined;
  let isFirst = true;
  let warned = "";
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<string>();
  const watcher = await watchFolder(options.content, {
    onChange(file) {
      if (file !== undefined) changed.add(file);
      request();
    },
    onFollowed() {
      isDeclarationStale = true;
      request();
    },
  });
  let running: Promise<void> | undefined = plan();

  async function plan(): Promise<void> {
    const startedAt = performance.now();
    isStale = false;
    isDeclarationStale ||= api === undefined;
    const files = [...changed].filter((file) => formatOf(file) !== undefined || isLogo(file)).sort();
    const head = filesText(new Date(), files, isDeclarationStale ? "the declaration" : options.content, out);
    changed.clear();
    if (isDeclarationStale) {
      isDeclarationStale = false;
      const [declaration, mistakes] = await openApi(options);
      watcher.follow(declaration.files);
      api = declaration.api;
      if (api === undefined) report(head, "", [mistakes, []]);
    }
    if (api === undefined) return;
    const { hosts } = await chosenHosts(options, api);
    const deployment = options.deployment || undefined;
    const now = secondsNow();
    const history = { from: undefined, now, isExpected: false };
    const [planned, ...found] = await planBuild({ ...options, api, deployment, hosts, history, onContent });
    if (planned !== undefined) return serve(planned, now, head, performance.now() - startedAt);
    // Halfway through a checkout, files lack others that are about to come.
    if (!isStale) report(head, options.content, found);
  }

  /** The faults of what was saved are all that is on the screen. */
  function report(head: string, folder: string, found: Faults): void {
    faults = found[0];
    if (!isFirst) {
      clearScreen();
      stdout.write(`${head}\n`);
    }
    isFirst = false;
    warn(editorWarnings);
    reportFaults(folder, found, { format: "text", all: options.all, effect: "; the last valid content is served" });
  }

  async function serve(planned: BuildPlan, now: number, head: string, milliseconds: number): Promise<void> {
    const first = `${out.green("✓")} ${plural(planned.count, "file")} planned in ${(milliseconds / 1_000).toFixed(1)} s.`;
    stdout.write(`${last === undefined ? first : savedText(head, changesBetween(last, planned), milliseconds, out)}\n`);
    warn([...warningsOf(planned, dayOf(now)), ...editorWarnings]);
    last = planned;
    faults = [];
    isFirst = false;
    if (preview !== undefined) return;
    const site = siteOf(() => [last ?? planned, faults]);
    preview = await serveSite(site, await freePort(options.port));
    stdout.write(servingText(options.content, "", preview));
  }

  /** Repeats no warnings after a save that leaves them as they are. */
  function warn(warnings: readonly string[]): void {
    const all = warnings.join("\n");
    if (all !== warned) printWarnings(warnings);
    warned = all;
  }

  /** One plan at a time, once no further change comes. Changes during a plan are in the next one. */
  function request(): void {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running ??= plan()
        .catch((error) => void explain(error))
        .finally(() => {
          running = undefined;
          if (isStale) request();
        });
    }, pause());
  }

  function pause(): number {
    if (changed.size > mostSaved) return pauses.afterCheckout;
    const isContent =
      isDeclarationStale || changed.size === 0 || [...changed].some((file) => formatOf(file) !== undefined);
    return isContent ? pauses.afterSave : pauses.afterOther;
  }

  try {
    await running;
  } catch (error) {
    await watcher.close();
    throw error;
  } finally {
    running = undefined;
  }
  if (isStale) request();
  return {
    async stop() {
      await watcher.close();
      await running;
      clearTimeout(timer);
      await preview?.stop();
    },
  };
}

/** The port, or the next one that is free. */
async function freePort(port: number): Promise<number> {
  if (port === 0) return 0;
  const next = Array.from({ length: 20 }, (_, index) => port + index).filter((each) => each < 65_536);
  const free = await getPort({ host: "127.0.0.1", port: next });
  if (free !== port) stdout.write(`Port ${port} is in use; using ${free}.\n`);
  return free;
}

/** Each file is made when it is asked for. */
function siteOf(now: () => readonly [plan: BuildPlan, faults: readonly Diagnostic[]]): ServedSite {
  return {
    table: () => now()[0].table,
    has: (file) => now()[0].find(file) !== undefined,
    async read(file) {
      const [plan, faults] = now();
      const found = plan.find(file);
      const isForPeople = plan.documents.some((each) => each.file === file && each.contentType.startsWith("text/html"));
      if (found === undefined || faults.length === 0 || !isForPeople) return found && bytesOf(found);
      return withFaults(bytesOf(found).toString(), faults);
    },
  };
}

function withFaults(html: string, faults: readonly Diagnostic[]): Uint8Array {
  const lines = faults.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`);
  const text = lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = "This page is of the last valid content. What is wrong now:";
  return encode(html.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`));
}

/** Keeps the earlier output above the screen, so that the user can scroll back to it. */
function clearScreen(): void {
  if (stdout.isTTY !== true || process.env["TERM"] === "dumb") return;
  stdout.write("\n".repeat(Math.max(0, stdout.rows - 1)));
  cursorTo(stdout, 0, 0);
  clearScreenDown(stdout);
}
