import http, { type Agent } from "node:http";
import https from "node:https";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ConformanceRequest } from "./requests.ts";

export interface Response {
  readonly status: number;
  /** Names in lowercase; values of repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: string;
}

export interface Connection {
  /** Keeps connections for further requests. */
  readonly agent?: Agent;
  /** Ends the request, which then rejects. */
  readonly signal?: AbortSignal;
  /** How long nothing may come before the request rejects with ETIMEDOUT, in milliseconds. */
  readonly patience?: number;
}

/** Sends a request without normalising its URL, and reads the whole answer. Redirects are not followed. */
export function ask(
  origin: string,
  { method, path, query, headers: own }: ConformanceRequest,
  more: Readonly<Record<string, string>> = {},
  { agent, signal, patience = 0 }: Connection = {},
): Promise<Response> {
  const { protocol, hostname, port } = new URL(origin);
  const { request } = protocol === "https:" ? https : http;
  const headers = { ...own, ...more };
  const target = query === "" ? path : `${path}?${query}`;
  // IPv6 addresses have brackets in URLs only.
  const to = { hostname: hostname.replace(/^\[|\]$/g, ""), port, method, path: target, headers };
  return new Promise((answered, failed) => {
    const sent = request({ ...to, agent: agent ?? false, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", failed);
      response.on("end", () => {
        const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        try {
          answered({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(pairs),
            body: decompress(Buffer.concat(chunks), response.headers["content-encoding"]).toString("utf8"),
          });
        } catch (error) {
          failed(error);
        }
      });
    });
    sent.on("error", (error) => {
      const unasked = method === "HEAD" ? bodyOfHead(error) : undefined;
      if (unasked === undefined) failed(error);
      else answered(unasked);
    });
    sent.setTimeout(patience, () => sent.destroy(failure("Nothing came in time.", "ETIMEDOUT")));
    sent.end();
  });
}

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

/** An answer to HEAD that has a body, which Node's parser refuses. */
function bodyOfHead(error: Error): Response | undefined {
  if (!("rawPacket" in error) || !Buffer.isBuffer(error.rawPacket)) return undefined;
  const text = error.rawPacket.toString("latin1");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return status === undefined ? undefined : { status: Number(status), headers: {}, body: text };
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  // The answer to HEAD has an encoding and no body.
  if (body.length === 0) return body;
  switch (encoding) {
    case undefined:
      return body;
    case "br":
      return brotliDecompressSync(body);
    case "gzip":
      return gunzipSync(body);
    default:
      throw failure(`The answer has the encoding ${encoding}, which was not asked for.`, "ERR_ENCODING");
  }
}
