// The terminal that a command runs in.
import { clearScreenDown, cursorTo } from "node:readline";
import { wrapAnsi } from "fast-wrap-ansi";
import picocolors from "picocolors";
import { hasCode, inWords } from "../files/machine-error.ts";
import { integer } from "../text/words.ts";

const { env, stdout, stderr } = process;

const wantsColor = (stream: { isTTY?: boolean }) => stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";

/** Colours for standard output. */
export const out = picocolors.createColors(wantsColor(stdout));

/** Colours for standard error. */
export const err = picocolors.createColors(wantsColor(stderr));

/** In columns. Undefined: the stream is not a terminal. A terminal that does not know its width reports 0 columns. */
export const widthOf = (stream: Pick<NodeJS.WriteStream, "isTTY" | "columns">): number | undefined =>
  stream.isTTY === true ? stream.columns || 80 : undefined;

/**
 * A paragraph in lines of at most `width` columns. The first line is indented by `first` columns, the others by `rest`.
 * Undefined width: the text is not wrapped.
 */
export function wrapped(text: string, width: number | undefined, first = 0, rest = first + 2): string {
  if (width === undefined) return `${" ".repeat(first)}${text}`;
  return wrapAnsi(text, Math.max(20, width - Math.max(first, rest)), { hard: true })
    .split("\n")
    .map((line, index) => `${" ".repeat(index === 0 ? first : rest)}${line}`)
    .join("\n");
}

/** Keeps the earlier output above the screen, so that the user can scroll back to it. */
export function clearScreen(): void {
  if (stdout.isTTY !== true || env["TERM"] === "dumb") return;
  stdout.write("\n".repeat(Math.max(0, stdout.rows - 1)));
  cursorTo(stdout, 0, 0);
  clearScreenDown(stdout);
}

/** Whether a line of progress can be drawn and erased. */
export const isLive = stderr.isTTY === true && !env["CI"];

/** In milliseconds. A build that takes less than a second shows no count. */
const patience = 1_000;
const showEvery = 100;

/** A line on standard error that says how far a long build is. */
export function progressLine(isShown: boolean) {
  let startedAt = 0;
  let shownAt = performance.now() + patience;
  let total = 0;
  let done = 0;
  const show = (text: string) => {
    if (isShown) stderr.write(`\r\u{1b}[K${text}`);
  };
  return {
    announce: (phase: string) => show(`${phase} …`),
    start(files: number) {
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
    /** Erases the line. May be called more than once. */
    stop: () => show(""),
  };
}

/** Calls `stop` once: when the user or the system ends the program, or when its output fails. */
export function onEnd(stop: () => void): void {
  let isEnding = false;
  const end = () => {
    if (!isEnding) stop();
    isEnding = true;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"] as const) process.once(signal, end);
  if ((stdout.errored ?? stderr.errored) !== null) end();
}

/**
 * If the reader has gone, as after `build | head -1`, a command finishes its work in silence, and a server ends. Any other
 * failure of the output, such as a full disk, is reported, and the exit code is 2.
 */
export function watchOutput(): void {
  for (const stream of [stdout, stderr]) {
    stream.once("error", (error) => {
      stream.on("error", () => undefined);
      process.emit("SIGPIPE", "SIGPIPE");
      if (hasCode(error, "EPIPE")) return;
      process.once("exit", () => {
        process.exitCode = 2;
      });
      if (stream !== stdout) return;
      stderr.write(`${err.red("✗")} Standard output cannot be written. ${inWords(error) ?? error.message}\n`);
    });
  }
}
