// Answers requests to a build in this process: emulators of the rules of hosts that have no program to run, or a slow one,
// and file servers.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import handler from "serve-handler";
import { startPreview } from "../../build/cli/preview/preview.ts";
import { headersOfObject } from "../../build/hosts/cloudfront/index.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import type { Tables } from "../../build/routing/table.ts";
import { keepConnections } from "../ask.ts";
import { isFileOf, responseOf, type Subject } from "../check/conform.ts";
import { type Listening, listen } from "../serve.ts";
import { loadCloudFront } from "./cloudfront-emulator.ts";
import { loadNetlify } from "./netlify-emulator.ts";
import { loadVercel } from "./vercel-emulator.ts";
import { sendToWorker } from "./worker-emulator.ts";

/** Sends requests to the build in a folder, until it is stopped. */
export interface Answering {
  readonly send: Subject["send"];
  readonly stop: () => Promise<void> | void;
}

export type Start<Result extends Answering = Answering> = (dist: string, tables: Tables) => Promise<Result> | Result;

const inProcess = (send: Subject["send"]): Answering => ({ send, stop: () => undefined });

/** The routing table of one API. */
export const resolved: Start = (dist, [table]) => {
  const isFile = isFileOf(dist);
  return inProcess((request) => responseOf(dist, request, settle(resolve(table, request), isFile)));
};

export const netlify: Start = async (dist) => {
  const emulator = await loadNetlify(dist, isFileOf(dist));
  return inProcess(async (request) => responseOf(dist, request, await emulator.answer(request)));
};

export const vercel: Start = (dist) => {
  const config = readFileSync(path.join(dist, "vercel.json"), "utf8");
  const emulator = loadVercel(config, isFileOf(dist));
  return inProcess((request) => responseOf(dist, request, emulator.answer(request)));
};

export const cloudfront: Start = (dist, tables) => {
  const isFile = isFileOf(dist);
  const stored = (file: string) => {
    const headersIn = tables.map((table) => headersOfObject(table, file));
    const [type = "", cacheControl = ""] = headersIn.find((values) => values !== undefined) ?? [];
    const body = () => readFileSync(path.join(dist, file), "utf8");
    const headers = { "content-type": type, "cache-control": cacheControl };
    return isFile(file) ? { headers, body } : undefined;
  };
  const template = readFileSync(path.join(`${dist}.hosts`, "cloudfront/template.json"), "utf8");
  const run = (script: string) => runInContext(script, createContext(Object.create(null)));
  return inProcess(loadCloudFront(template, { get: stored }, run));
};

export const worker: Start = (dist, tables) => inProcess(sendToWorker(dist, tables));

/** A file server without any configuration represents all plain hosts. */
export const plain: Start = async (dist) => {
  const config = { public: dist, cleanUrls: false, directoryListing: false };
  const server = createServer((request, response) => handler(request, response, config));
  return connected(await listen(server));
};

export const preview: Start = async (dist) => connected(await startPreview(dist, 0));

function connected({ origin, stop }: Listening): Answering {
  const { send, close } = keepConnections(() => origin);
  return { send, stop: () => stop().finally(close) };
}
