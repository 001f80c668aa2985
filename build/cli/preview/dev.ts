// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory. Nothing
// is written. Faults do not stop the server; pages for people show them.
import { type BuildOptions, type BuildPlan, planBuild } from "../../build.ts";
import { formatOf } from "../../content/formats/formats.ts";
import type { Checked, Diagnostic, Omitted } from "../../diagnostics.ts";
import { bytesOf, encode } from "../../file.ts";
import { hasCode } from "../../machine-error.ts";
import { secondsNow } from "../../seconds-now.ts";
import { type Preview, type Site, serveSite } from "./preview.ts";
import { watchFolder } from "./watch.ts";

export interface DevOptions extends Omit<BuildOptions, "api" | "hosts" | "out" | "history"> {
  /** Loads the declaration of the API: before the first plan, and after each change of one of its files. */
  readonly open: () => Promise<Checked<Declared>>;
}

interface Declared {
  /** Undefined if the declaration has faults. */
  readonly chosen: Pick<BuildOptions, "api" | "hosts"> | undefined;
  /** The files of the declaration. */
  readonly files: readonly string[];
}

export interface DevEvents {
  /**
   * `changed` are the files that are known to have changed since the last start, relative to the content: none for the
   * first plan. `isDeclaration`: whether the declaration is read, because it is new or has changed.
   */
  readonly onStart: (changed: readonly string[], isDeclaration: boolean) => void;
  readonly onPlanned: (plan: BuildPlan) => void;
  /** The paths of the faults are relative to the folder of what has them. */
  readonly onFaults: (
    faults: readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]],
    of: "content" | "declaration",
  ) => Promise<void>;
  /** An error of the machine, or a bug of this program. */
  readonly onError: (error: unknown) => void;
  /** The ports from the requested one to this one are in use; the next one is not. */
  readonly onTaken: (last: number) => void;
  /** Once, after the first valid plan. */
  readonly onServing: (preview: Preview) => void;
}

export interface Dev {
  readonly stop: () => Promise<void>;
}

/**
 * In milliseconds. Editors save in several steps, some of them by a file of another name, which they rename; a checkout
 * changes many files, with longer pauses between them.
 */
export const pauses = { afterSave: 10, afterOther: 150, afterCheckout: 400 };

/** More changes at a time are those of a checkout. */
const mostSaved = 10;

/** The most ports that are tried. */
const mostPorts = 20;

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions, port: number, events: DevEvents): Promise<Dev> {
  let declared: Declared["chosen"];
  let isDeclarationStale = true;
  let current: BuildPlan | undefined;
  /** Pages for people begin with these, until there is another plan. */
  let faults: readonly Diagnostic[] = [];
  let preview: Preview | undefined;
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
    isStale = false;
    events.onStart([...changed].sort(), isDeclarationStale || declared === undefined);
    changed.clear();
    if (isDeclarationStale || declared === undefined) await open();
    if (declared === undefined) return;
    const history = { from: undefined, now: secondsNow(), isExpected: false };
    const [planned, diagnostics, omitted] = await planBuild({ ...options, ...declared, history });
    if (planned === undefined) {
      // Halfway through a checkout, files lack others that are about to come.
      if (isStale) return;
      faults = diagnostics;
      return events.onFaults([diagnostics, omitted], "content");
    }
    [current, faults] = [planned, []];
    events.onPlanned(planned);
    if (preview !== undefined) return;
    preview = await serveOnFreePort(
      siteOf(() => [current ?? planned, faults]),
      port,
      events.onTaken,
    );
    events.onServing(preview);
  }

  async function open(): Promise<void> {
    isDeclarationStale = false;
    const [{ chosen, files }, mistakes] = await options.open();
    watcher.follow(files);
    declared = chosen;
    if (chosen !== undefined) return;
    faults = mistakes;
    await events.onFaults([mistakes, []], "declaration");
  }

  /** One plan at a time, once no further change comes. Changes during a plan are in the next one. */
  function request(): void {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running ??= plan()
        .catch(events.onError)
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

  const stop = async (): Promise<void> => {
    await watcher.close();
    await running;
    clearTimeout(timer);
    await preview?.stop();
  };
  try {
    await running;
  } catch (error) {
    await watcher.close();
    throw error;
  } finally {
    running = undefined;
  }
  if (isStale) request();
  return { stop };
}

async function serveOnFreePort(site: Site, port: number, onTaken: DevEvents["onTaken"]): Promise<Preview> {
  for (let chosen = port; ; chosen++) {
    try {
      const started = await serveSite(site, chosen);
      if (chosen > port) onTaken(chosen - 1);
      return started;
    } catch (error) {
      if (!hasCode(error, "EADDRINUSE") || chosen + 1 >= Math.min(port + mostPorts, 65_536)) throw error;
    }
  }
}

/** Each file is made when it is asked for. */
function siteOf(now: () => readonly [plan: BuildPlan, faults: readonly Diagnostic[]]): Site {
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

const withFaults = (html: string, faults: readonly Diagnostic[]): Uint8Array => {
  const lines = faults.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`);
  const text = lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = "This page is of the last valid content. What is wrong now:";
  return encode(html.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`));
};
