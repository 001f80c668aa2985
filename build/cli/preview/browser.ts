// Opens an address in the user's browser with the opener of the operating system.
import { spawn } from "node:child_process";
import { MachineError } from "../../machine-error.ts";

/** The command of a platform, as Node names it, and its arguments. */
const openers: Readonly<Record<string, readonly [command: string, ...args: readonly string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", '""'],
};

const usual = ["xdg-open"] as const;

/** Resolves once the opener has started. Rejects with MachineError if there is none. */
export async function openBrowser(
  address: string,
  [command, ...args] = openers[process.platform] ?? usual,
): Promise<void> {
  const child = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  await new Promise<void>((started, failed) => {
    child.once("spawn", started);
    child.once("error", () => {
      failed(new MachineError(`${command} cannot be run, so no browser was opened.`, `Open ${address} yourself.`));
    });
  });
  child.unref();
}
