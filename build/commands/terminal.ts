// What the commands know of the terminal they run in.

import { wrapAnsi } from "fast-wrap-ansi";
import picocolors from "picocolors";

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

/** Stops what a command started when the user or the system asks for it. */
export function onEnd(stop: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
}
