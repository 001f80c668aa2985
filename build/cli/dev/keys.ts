// The keys that dev obeys in a terminal.
import { spawn } from "node:child_process";
import type { Preview } from "../preview/preview.ts";

export const keysText = "h: all addresses, o: open in the browser, q: quit";

/** The part of standard input that is used. */
export interface KeyInput {
  setRawMode(isRaw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data", listener: (keys: Buffer | string) => void): unknown;
}

interface Actions {
  /** Undefined as long as nothing is served. */
  readonly preview: () => Pick<Preview, "origin" | "paths"> | undefined;
  readonly print: (text: string) => void;
  /** Ends the program as a signal does. */
  readonly end: () => void;
  readonly open: (address: string) => void;
}

/** Returns a function that gives the keys back to the terminal. */
export function obeyKeys(input: KeyInput, { preview, print, end, open }: Actions): () => void {
  input.setRawMode(true);
  input.resume();
  input.on("data", (keys) => {
    for (const key of String(keys)) {
      const served = preview();
      // In this mode, Ctrl-C and Ctrl-D are keys.
      if (key === "q" || key === "\u0003" || key === "\u0004") end();
      else if (served === undefined) continue;
      else if (key === "h") print(served.paths.map((path) => `  ${served.origin}${path}\n`).join(""));
      else if (key === "o") open(`${served.origin}${served.paths[0] ?? "/"}`);
    }
  });
  return () => {
    input.setRawMode(false);
    input.pause();
  };
}

/** The program that opens an address with the reader's browser. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  // The first argument in quotes is the title of a window.
  win32: ["cmd", "/c", "start", '""'],
};

export function openInBrowser(address: string, print: (text: string) => void): void {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  spawn(command, [...args, address], { detached: true, stdio: "ignore" })
    .on("error", () => print(`No browser can be started. Open ${address}\n`))
    .unref();
}
