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

/** In characters; undefined where it is no terminal. */
export const widthOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY === true ? stream.columns : undefined;

/** A mark and a sentence behind it, which wraps at words where it goes to a terminal. */
export function wrapped(text: string, stream: NodeJS.WriteStream): string {
  const width = widthOf(stream);
  return width === undefined ? text : wrapAnsi(text, Math.max(20, width - 3), { hard: true }).replaceAll("\n", "\n  ");
}

/** Whether something may be drawn and erased again. */
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
 * Without a reader, as after `build | head -1`, a command finishes its work in silence, and a server ends. Any other
 * failure of the output, such as a full disk, is reported and makes the exit code 2.
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
