// Plans the API again when the content changes, and answers from the last valid plan in memory. Nothing is written. Faults
// do not stop the server; pages for people show them.
import { type BuildOptions, type BuildPlan, planBuild } from "../../build.ts";
import type { Checked, Diagnostic, Omitted } from "../../diagnostics.ts";
import { hasCode } from "../../machine-error.ts";
import { type MemorySite, openMemory } from "./memory.ts";
import { pollFiles } from "./poll.ts";
import { type Preview, type Site, serveSite } from "./preview.ts";
import { watchFolder } from "./watch.ts";

export interface DevOptions extends Omit<BuildOptions, "api" | "hosts" | "out" | "history"> {
  /** Loads the declaration of the API: before the first build, and after each change of one of its files. */
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
   * first build. `isDeclaration`: whether the declaration is read, because it is new or has changed.
   */
  readonly onStart: (changed: readonly string[], isDeclaration: boolean) => void;
  readonly onPlanned: (plan: BuildPlan) => void;
  readonly onFaults: (diagnostics: readonly Diagnostic[], omitted: readonly Omitted[]) => void;
  /** The faults of the declaration. */
  readonly onMistakes: (faults: readonly Diagnostic[]) => void;
  /** An error of the machine, or a bug of this program. */
  readonly onError: (error: unknown) => void;
  /** The ports from the requested one to this one are in use; the next one is not. */
  readonly onTaken: (last: number) => void;
  /** Once, after the first plan that succeeds. */
  readonly onServing: (preview: Preview) => void;
}

export interface Dev {
  readonly stop: () => Promise<void>;
}

/** In milliseconds. Editors save in several steps; a build starts this long after the last one. */
const pause = 20;

/** The most ports that are tried. */
const mostPorts = 20;

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions, port: number, events: DevEvents): Promise<Dev> {
  let preview: Preview | undefined;
  let site: MemorySite | undefined;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<string>();
  const watcher = await watchFolder(options.content, (file) => {
    if (file !== undefined) changed.add(file);
    request();
  });
  let declared: Declared["chosen"];
  const declaration = pollFiles(() => {
    declared = undefined;
    request();
  });
  let running: Promise<void> | undefined = buildOnce();

  async function buildOnce(): Promise<void> {
    events.onStart([...changed].sort(), declared === undefined);
    changed.clear();
    if (declared === undefined && !(await open())) return;
    if (declared === undefined) throw new Error("An open declaration has an API.");
    const [plan, diagnostics, omitted] = await planBuild({ ...options, ...declared });
    if (plan === undefined) {
      site?.warn(diagnostics);
      return events.onFaults(diagnostics, omitted);
    }
    events.onPlanned(plan);
    if (site !== undefined) return site.show(plan);
    site = openMemory(plan);
    preview = await serveOnFreePort(site);
    events.onServing(preview);
  }

  /** Returns whether the declaration is valid. */
  async function open(): Promise<boolean> {
    const [{ chosen, files }, faults] = await options.open();
    declaration.watch(files);
    declared = chosen;
    if (chosen === undefined) {
      site?.warn(faults);
      events.onMistakes(faults);
    }
    return chosen !== undefined;
  }

  async function serveOnFreePort(opened: Site): Promise<Preview> {
    for (let chosen = port; ; chosen++) {
      try {
        const started = await serveSite(opened, chosen);
        if (chosen > port) events.onTaken(chosen - 1);
        return started;
      } catch (error) {
        if (!hasCode(error, "EADDRINUSE") || chosen + 1 >= Math.min(port + mostPorts, 65_536)) throw error;
      }
    }
  }

  /** One build at a time. Changes during a build are in the next one. */
  async function buildUntilFresh(): Promise<void> {
    do {
      isStale = false;
      await buildOnce().catch(events.onError);
    } while (isStale);
  }

  function request(): void {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (running !== undefined) return;
      running = buildUntilFresh().finally(() => {
        running = undefined;
      });
    }, pause);
  }

  const stop = async (): Promise<void> => {
    await watcher.close();
    declaration.close();
    clearTimeout(timer);
    await running;
    await preview?.stop();
  };
  try {
    await running;
  } catch (error) {
    await watcher.close();
    declaration.close();
    throw error;
  } finally {
    running = undefined;
  }
  if (isStale) request();
  return { stop };
}
