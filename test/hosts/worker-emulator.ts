import { readFileSync } from "node:fs";
import path from "node:path";
import { respondFrom } from "../../build/hosts/cloudflare/worker.ts";
import type { Tables } from "../../build/routing/table.ts";
import { isFileOf, type Subject } from "../check/conform.ts";

/** Sends requests to Cloudflare's worker in this process, with the files of a publish root as its assets. */
export function sendToWorker(dist: string, tables: Tables): Subject["send"] {
  const isFile = isFileOf(dist);
  const fetch = async ({ method, url }: Request) => {
    const file = formsOf(decodeURI(new URL(url).pathname)).find(isFile);
    if (file === undefined) return new Response(null, { status: 404 });
    return new Response(method === "HEAD" ? null : readFileSync(path.join(dist, file)));
  };
  return async ({ method, path: asked, query }) => {
    const request = new Request(`http://localhost${asked}${query === "" ? "" : `?${query}`}`, { method });
    const answer = await respondFrom(tables, request, { fetch });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
}

/** ASSETS serves a page at its address without .html and index.html. */
const formsOf = (address: string): readonly string[] =>
  ["", ".html", "index.html"].map((ending) => address.slice(1) + ending);
