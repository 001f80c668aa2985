// A line on a terminal that says how far a long build is. It is erased when the build ends.
import { integer } from "../../text/words.ts";

export interface Progress {
  /** Shows a phase before there is anything to count. */
  announce(phase: string): void;
  start(total: number): void;
  step(): void;
  /** May be called more than once. */
  stop(): void;
}

/** In milliseconds. A shorter build shows no count. */
const patience = 1_000;

/** In milliseconds. */
const showEvery = 100;

export function progressLine(stream: NodeJS.WriteStream, isShown: boolean): Progress {
  const openedAt = performance.now();
  let [startedAt, shownAt, total, done] = [openedAt, openedAt + patience, 0, 0];
  const show = (text: string) => {
    if (isShown) stream.write(`\r\u{1b}[K${text}`);
  };
  return {
    announce: (phase) => show(`${phase} …`),
    start(files) {
      show("");
      total = files;
      startedAt = performance.now();
    },
    step() {
      done++;
      const now = performance.now();
      if (now - shownAt < showEvery) return;
      shownAt = now;
      const left = ((now - startedAt) / done) * (total - done);
      show(`${integer(done)} of ${integer(total)} files, ${integer(Math.ceil(left / 1_000))} s left`);
    },
    stop: () => show(""),
  };
}
