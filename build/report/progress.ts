import type { SingleBar } from "cli-progress";

export interface Progress {
  start(total: number): void;
  step(): void;
  /** May be called more than once. */
  stop(): void;
}

/** A build shorter than this shows no bar. */
const patience = 1_000;

export async function progressBar(stream: NodeJS.WriteStream, shown: boolean): Promise<Progress> {
  const cliProgress = shown ? await import("cli-progress") : undefined;
  const startedAt = performance.now();
  let total = 0;
  let done = 0;
  let bar: SingleBar | undefined;
  return {
    start(files) {
      total = files;
    },
    step() {
      done++;
      if (cliProgress === undefined || (bar === undefined && performance.now() - startedAt < patience)) return;
      if (bar === undefined) {
        const format = "{bar} {percentage}% {value}/{total} files, {eta_formatted} left";
        bar = new cliProgress.SingleBar({
          format,
          stream,
          clearOnComplete: true,
          barCompleteChar: "█",
          barIncompleteChar: "░",
          barsize: 30,
        });
        bar.start(total, done);
      } else {
        bar.update(done);
      }
    },
    stop() {
      bar?.stop();
      bar = undefined;
    },
  };
}
