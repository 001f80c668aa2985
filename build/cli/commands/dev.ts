// Plans the API again when the content or its declaration changes, and answers from the last valid plan in memory.
import { setFlagsFromString } from "node:v8";
import { MachineError } from "../../files/machine-error.ts";
import { command, options } from "../command.ts";
import { keysText, obeyKeys, openInBrowser } from "../dev/keys.ts";
import { openSchedule } from "../dev/schedule.ts";
import { type DevOptions, openSession, pauses, type Session } from "../dev/session.ts";
import { watchFolder } from "../dev/watch.ts";
import { explain } from "../explain.ts";
import { onEnd, out } from "../terminal.ts";

const { content, config, deployment, host, port, all } = options;

export const devCommand = command(
  "dev",
  "serve the API from memory, and update it when the content or the declaration changes",
  [content, config, deployment, host, port, all],
  async (options: DevOptions) => {
    // The heap is small, so V8 would mark it during each plan, which makes a save take a quarter longer.
    setFlagsFromString("--no-incremental-marking");
    const { stop, preview } = await startDev(options);
    const { stdin, stdout } = process;
    const print = (text: string) => stdout.write(text);
    let releaseKeys: (() => void) | undefined;
    onEnd(() => {
      releaseKeys?.();
      stop()
        .catch((error) => explain(error))
        // Nothing that the program has started keeps it.
        .finally(() => process.exit());
    });
    print(`Watching ${options.content}.\n`);
    if (stdin.isTTY !== true || stdout.isTTY !== true) return 0;
    print(`${out.dim(keysText)}\n`);
    releaseKeys = obeyKeys(stdin, {
      preview,
      print,
      end: () => process.emit("SIGINT", "SIGINT"),
      open: (address) => openInBrowser(address, print),
    });
    return 0;
  },
);

interface Dev extends Pick<Session, "preview"> {
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
    preview: session.preview,
    async stop() {
      await watcher.close();
      await schedule.stop();
      await session.close();
    },
  };
}
