// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory.
import { setFlagsFromString } from "node:v8";
import { MachineError } from "../../files/machine-error.ts";
import { command, options } from "../command.ts";
import { openSchedule } from "../dev/schedule.ts";
import { type DevOptions, openSession, pauses } from "../dev/session.ts";
import { watchFolder } from "../dev/watch.ts";
import { explain } from "../explain.ts";
import { onEnd } from "../terminal.ts";

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
        .catch((error) => explain(error))
        // Nothing that the program has started keeps it.
        .finally(() => process.exit());
    });
    process.stdout.write(`Watching ${options.content}.\n`);
    return 0;
  },
);

interface Dev {
  readonly stop: () => Promise<void>;
}

/** Resolves after the first plan, even if the content has faults. Rejects if it throws. */
export async function startDev(options: DevOptions): Promise<Dev> {
  const session = openSession(options, (files, since) => watcher.follow(files, since));
  const schedule = openSchedule({
    task: session.plan,
    firstPause: pauses.afterSave,
    pause: session.pause,
    onError(error) {
      // Files that have changed since the plan started are read again at once.
      const isOutdated = error instanceof MachineError && session.pause() !== undefined;
      if (!isOutdated) session.fail(error);
    },
  });
  const watcher = await watchFolder(options.content, {
    onChange: schedule.request,
    onFollowed() {
      session.onDeclarationChange();
      schedule.request();
    },
  });
  try {
    await schedule.run();
  } catch (error) {
    await watcher.close();
    await schedule.stop();
    throw error;
  }
  return {
    async stop() {
      await watcher.close();
      await schedule.stop();
      await session.close();
    },
  };
}
