// Runs commands without blocking, so that an interruption stops the command and temporary folders are removed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Resolves with what the command prints. Rejects unless the command exits with 0; if the signal aborts, rejects with
 * the signal's reason once the command has ended.
 */
export async function execute({ file, args, cwd, env }: Command, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], cwd, env: { ...process.env, ...env } });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop);
  try {
    const [[status], stdout, stderr] = await Promise.all([
      once(child, "close"),
      text(child.stdout),
      text(child.stderr),
    ]);
    signal.throwIfAborted();
    if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
