// A server with a program behind it, to compare with, and the folder of all peers that npm brings. Their packages are not
// the project's: they are installed beside it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { textFile } from "../build/file.ts";
import type { HostProgram } from "../build/hosts/host.ts";

export const peers = path.join(import.meta.dirname, "peers");

/** `data` is what the server has in memory. */
export const fastify = (data: unknown): HostProgram => ({
  command: "node",
  install: "https://nodejs.org",
  run: ({ folder: own, port }) => ({
    files: [textFile("data.json", JSON.stringify(data))],
    args: [path.join(peers, "fastify.js"), String(port), path.join(own, "data.json")],
    env: { NODE_ENV: "production" },
  }),
});

/** Undefined once these packages are there, and all others with them; else why they are not. */
export async function installPeers(packages: readonly string[]): Promise<string | undefined> {
  if (packages.every((name) => existsSync(path.join(peers, "node_modules", name)))) return undefined;
  try {
    await promisify(execFile)("npm", ["ci", "--prefix", peers, "--ignore-scripts", "--loglevel", "error"]);
    return undefined;
  } catch (error) {
    return `npm ci --prefix bench/peers failed: ${error instanceof Error ? error.message.trim() : error}`;
  }
}
