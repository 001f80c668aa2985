// The terminal that a command runs in.
import { wrapAnsi } from "fast-wrap-ansi";
import picocolors from "picocolors";
import { hasCode, inWords } from "../machine-error.ts";

const { env, stdout, stderr } = process;

const wantsColor = (stream: { isTTY?: boolean }) => stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";

/** Colours for standard output. */
export const out = picocolors.createColors(wantsColor(stdout));

/** Colours for standard error. */
export const err = picocolors.createColors(wantsColor(stderr));

/** In columns. Undefined: the stream is not a terminal. */
export const widthOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY === true ? stream.columns : undefined;

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

/** Whether a progress bar can be drawn and erased. */
export const isLive = stderr.isTTY === true && !env["CI"];

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
