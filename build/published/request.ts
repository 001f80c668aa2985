// Sends one HTTP request. Whatever the server sends, the answer stays within the limits of size, and a server that sends
// nothing is given up.
import { kMaxLength } from "node:buffer";
import http, { type Agent, type IncomingMessage } from "node:http";
import https from "node:https";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { hasCode } from "../files/machine-error.ts";
import type { Request } from "../routing/resolve.ts";

export interface HttpAnswer {
  readonly status: number;
  /** Names are in lowercase; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, if it is compressed with gzip or Brotli. */
  readonly body: Buffer;
}

export interface Connection {
  /** Keeps connections open for further requests. */
  readonly agent?: Agent;
  /** Aborts the request, which then rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds without data after which the request rejects with ETIMEDOUT. */
  readonly patience?: number;
  /** The size limit of the body, as received and decompressed. A longer one rejects with ERR_BUFFER_TOO_LARGE. */
  readonly maxBytes?: number;
}

/** Sends one request. Does not normalise the path and does not follow redirects. */
export function ask(
  origin: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
  { agent, patience = 0, maxBytes = kMaxLength, ...options }: Connection,
): Promise<HttpAnswer> {
  const { method, path, query } = request;
  const target = query === "" ? path : `${path}?${query}`;
  return new Promise((answered, failed) => {
    const sent = (origin.startsWith("https:") ? https : http).request(origin, {
      method,
      path: target,
      headers,
      agent: agent ?? false,
      ...options,
    });
    sent.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      );
      bodyOf(response, maxBytes).then((body) => answered({ status, headers, body }), failed);
    });
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      failed(failure("ECONNRESET"));
    });
    sent.on("error", (error) => {
      // The server closed a kept connection just when the request was sent (RFC 9112, section 9.3.1).
      const isLost = sent.reusedSocket && hasCode(error, "ECONNRESET", "EPIPE");
      if (isLost) answered(ask(origin, request, headers, { patience, maxBytes, ...options }));
      else failed(error);
    });
    sent.setTimeout(patience, () => sent.destroy(failure("ETIMEDOUT")));
    sent.end();
  });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > maxBytes) throw failure("ERR_BUFFER_TOO_LARGE");
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  // An answer to HEAD has an encoding and no body.
  const encoding = length === 0 ? undefined : response.headers["content-encoding"];
  if (encoding === "gzip") return gunzipSync(body, { maxOutputLength: maxBytes });
  return encoding === "br" ? brotliDecompressSync(body, { maxOutputLength: maxBytes }) : body;
}
