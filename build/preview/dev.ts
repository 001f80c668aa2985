// The whole program while someone edits: whenever the content changes it is built again, and the last build is served.
// A fault stops nothing; once it is corrected, the next build is served.
import { buildInto, open } from "../build.ts";
import type { BuildEvents, BuildOptions, Built } from "../build-plan.ts";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import { type Preview, startPreview } from "./preview.ts";
import { watchFolder } from "./watch.ts";

export interface DevEvents extends BuildEvents {
  readonly onStart: () => void;
  readonly onBuilt: () => void;
  readonly onFaults: (diagnostics: readonly Diagnostic[], omitted: readonly Omitted[]) => void;
  /** The machine is at fault, or this program. */
  readonly onError: (error: unknown) => void;
  /** Once, after the first build that succeeds. */
  readonly onServing: (preview: Preview) => void;
}

export interface Dev {
  readonly stop: () => Promise<void>;
}

/** Editors save in several steps; this much time has to pass after the last one, in milliseconds. */
const pause = 20;

/** Resolves after the first build, also where the content has faults. Rejects where the first build throws. */
export async function startDev(options: BuildOptions, port: number, events: DevEvents): Promise<Dev> {
  let last: Built | undefined;
  let preview: Preview | undefined;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;
  const watcher = await watchFolder(options.content, request);
  const output = await open(options, events).catch(async (error) => {
    await watcher.close();
    throw error;
  });
  let running: Promise<void> | undefined = buildOnce();

  async function buildOnce(): Promise<void> {
    events.onStart();
    await output.lock();
    try {
      const [built, diagnostics, omitted] = await buildInto(output, { ...options, again: true }, events, last);
      if (built === undefined) return events.onFaults(diagnostics, omitted);
      last = built;
    } finally {
      await output.unlock();
    }
    events.onBuilt();
    if (preview !== undefined) return;
    preview = await startPreview(options.out, port);
    events.onServing(preview);
  }

  /** One build at a time. What changes during one is in the next. */
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
    clearTimeout(timer);
    await running;
    await preview?.stop();
    await output.close();
  };
  try {
    await running;
  } catch (error) {
    await watcher.close();
    await output.close();
    throw error;
  } finally {
    running = undefined;
  }
  if (isStale) request();
  return { stop };
}
