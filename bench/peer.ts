// A server with application code, for comparison, and the folder of all peers from npm. The packages of the peers are
// not the project's: they are installed separately.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { textFile } from "../build/file.ts";
import type { HostProgram } from "../build/hosts/host.ts";

export const peers = path.join(import.meta.dirname, "peers");

/** `data` is the server's data in memory. */
export const fastify = (data: unknown): HostProgram => ({
  command: "node",
  install: "https://nodejs.org",
  run: ({ folder: own, port }) => ({
    files: [textFile("data.json", JSON.stringify(data))],
    args: [path.join(peers, "fastify.js"), String(port), path.join(own, "data.json")],
    env: { NODE_ENV: "production" },
  }),
});

/** Undefined if these and all other packages are installed; if not, the reason. */
export async function installPeers(packages: readonly string[]): Promise<string | undefined> {
  if (packages.every((name) => existsSync(path.join(peers, "node_modules", name)))) return undefined;
  try {
    await promisify(execFile)("npm", ["ci", "--prefix", peers, "--ignore-scripts", "--loglevel", "error"]);
    return undefined;
  } catch (error) {
    return `npm ci --prefix bench/peers failed: ${error instanceof Error ? error.message.trim() : error}`;
  }
}
