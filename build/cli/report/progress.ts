import type { SingleBar } from "cli-progress";
import { integer } from "../../words.ts";

export interface Progress {
  /** Shows a phase before there is anything to count. */
  announce(phase: string): void;
  start(total: number): void;
  step(): void;
  /** May be called more than once. */
  stop(): void;
}

/** In milliseconds. A shorter build shows no bar. */
const patience = 1_000;

export async function progressBar(stream: NodeJS.WriteStream, shown: boolean): Promise<Progress> {
  const cliProgress = shown ? await import("cli-progress") : undefined;
  const openedAt = performance.now();
  let startedAt = openedAt;
  let total = 0;
  let done = 0;
  let bar: SingleBar | undefined;
  let announced = false;
  const pace = () => {
    const rate = (1000 * done) / Math.max(1, performance.now() - startedAt);
    return { rate: integer(Math.round(rate)), left: integer(Math.ceil((total - done) / rate)) };
  };
  const clear = () => {
    if (announced) stream.write("\r\u{1b}[K");
    announced = false;
  };
  return {
    announce(phase) {
      if (!shown) return;
      stream.write(`${phase} …`);
      announced = true;
    },
    start(files) {
      clear();
      total = files;
      startedAt = performance.now();
    },
    step() {
      done++;
      if (cliProgress === undefined || (bar === undefined && performance.now() - openedAt < patience)) return;
      if (bar === undefined) {
        const format = "{bar} {percentage}% {value}/{total} files, {rate}/s, {left} s left";
        bar = new cliProgress.SingleBar({
          format,
          stream,
          clearOnComplete: true,
          barCompleteChar: "█",
          barIncompleteChar: "░",
          barsize: 30,
        });
        bar.start(total, done, pace());
      } else {
        bar.update(done, pace());
      }
    },
    stop() {
      clear();
      bar?.stop();
      bar = undefined;
    },
  };
}
