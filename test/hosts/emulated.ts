// Answers requests like the hosts that have no program to run, or a slow one: emulators of their rules, and file servers in
// this process.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import handler from "serve-handler";
import { headersOfObject } from "../../build/hosts/cloudfront/objects.ts";
import type { RoutingTable, Tables } from "../../build/routing/table.ts";
import { isFile, responseOf, type Subject } from "../check/conform.ts";
import { listen } from "../serve.ts";
import { loadCloudFront } from "./cloudfront-emulator.ts";
import { keepConnections } from "./configurations.ts";
import { loadNetlify } from "./netlify-emulator.ts";
import { loadVercel } from "./vercel-emulator.ts";
import { sendToWorker } from "./worker-emulator.ts";

/** Sends requests to the build in a folder, until it is stopped. */
export interface Answering {
  readonly send: Subject["send"];
  readonly stop: () => Promise<void> | void;
}

const inProcess = (send: Subject["send"]): Answering => ({ send, stop: () => undefined });

export async function netlify(dist: string): Promise<Answering> {
  const emulator = await loadNetlify(dist, (file) => isFile(dist, file));
  return inProcess(async (request) => responseOf(dist, request, await emulator.answer(request)));
}

export function vercel(dist: string): Answering {
  const config = readFileSync(path.join(dist, "vercel.json"), "utf8");
  const emulator = loadVercel(config, (file) => isFile(dist, file));
  return inProcess((request) => responseOf(dist, request, emulator.answer(request)));
}

export function cloudfront(dist: string, ...tables: readonly RoutingTable[]): Answering {
  const stored = (file: string) => {
    const headersIn = tables.map((table) => headersOfObject(table, file));
    const [type = "", cacheControl = ""] = headersIn.find((values) => values !== undefined) ?? [];
    const body = () => readFileSync(path.join(dist, file), "utf8");
    const headers = { "content-type": type, "cache-control": cacheControl };
    return isFile(dist, file) ? { headers, body } : undefined;
  };
  const template = readFileSync(path.join(`${dist}.hosts`, "cloudfront/template.json"), "utf8");
  const run = (script: string) => runInContext(script, createContext(Object.create(null)));
  return inProcess(loadCloudFront(template, { get: stored }, run));
}

export const worker = (dist: string, ...tables: Tables): Answering => inProcess(sendToWorker(dist, tables));

/** A file server without any configuration represents all plain hosts. */
export async function plain(dist: string): Promise<Answering> {
  const config = { public: dist, cleanUrls: false, directoryListing: false };
  const server = createServer((request, response) => handler(request, response, config));
  const { origin, stop } = await listen(server);
  const { send, close } = keepConnections(() => origin);
  return { send, stop: () => stop().finally(close) };
}
