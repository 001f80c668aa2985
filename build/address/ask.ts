import http, { type Agent, type IncomingMessage } from "node:http";
import https from "node:https";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { hasCode } from "../machine-error.ts";
import type { Request } from "../routing/resolve.ts";

export interface HttpAnswer {
  readonly status: number;
  /** Names are in lowercase; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Buffer;
}

export interface Connection {
  /** Keeps connections open for further requests. */
  readonly agent?: Agent;
  /** Aborts the request, which then rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds without data after which the request rejects with ETIMEDOUT. */
  readonly patience?: number;
  /** The size limit of the body, as received and decompressed. A longer one rejects with ERR_TOO_LONG. */
  readonly most?: number;
  /** Counts down over several requests, to the same effect. */
  readonly received?: Room;
}

/** The number of bytes that may still arrive, as received and decompressed. */
export interface Room {
  left: number;
}

/**
 * Sends a request without normalising its URL, and reads the whole answer. Does not follow redirects. A server may close
 * a kept connection just when a request is sent on it: the request is then sent once more, on a new connection (RFC
 * 9112, section 9.3.1).
 */
export async function ask(
  origin: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
  connection: Connection,
): Promise<HttpAnswer> {
  try {
    return await askOnce(origin, request, headers, connection);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    const { agent: _, ...fresh } = connection;
    return askOnce(origin, request, headers, fresh);
  }
}

/** Thrown if a kept connection was closed before an answer arrived. */
class LostConnection extends Error {}

function askOnce(
  origin: string,
  { method, path, query }: Request,
  headers: Readonly<Record<string, string>>,
  { agent, signal, patience = 0, most = Infinity, received = { left: Infinity } }: Connection,
): Promise<HttpAnswer> {
  const { protocol, hostname, port } = new URL(origin);
  const { request } = protocol === "https:" ? https : http;
  const target = query === "" ? path : `${path}?${query}`;
  // IPv6 addresses have brackets in URLs only.
  const to = { hostname: hostname.replace(/^\[|\]$/g, ""), port, method, path: target, headers };
  return new Promise((answered, failed) => {
    const sent = request({ ...to, agent: agent ?? false, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        received.left -= chunk.length;
        if (length <= most && received.left >= 0) return;
        failed(tooLong());
        sent.destroy();
      });
      response.on("error", failed);
      response.on("end", () => {
        try {
          const encoding = response.headers["content-encoding"];
          answered(answerOf(response, decompress(Buffer.concat(chunks), encoding, most, received)));
        } catch (error) {
          failed(error);
        }
      });
    });
    sent.on("error", (error) => {
      const unasked = method === "HEAD" ? bodyOfHead(error) : undefined;
      if (unasked !== undefined) answered(unasked);
      else if (sent.reusedSocket && hasCode(error, "ECONNRESET", "EPIPE")) failed(new LostConnection());
      else failed(error);
    });
    sent.on("upgrade", (response: IncomingMessage, socket) => {
      socket.destroy();
      answered(answerOf(response, Buffer.of()));
    });
    sent.setTimeout(patience, () => sent.destroy(failure("No data arrived in time.", "ETIMEDOUT")));
    sent.end();
  });
}

const answerOf = ({ statusCode = 0, headers }: IncomingMessage, body: Buffer): HttpAnswer => ({
  status: statusCode,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body,
});

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

const tooLong = (): Error => failure("The answer is too long.", "ERR_TOO_LONG");

/** An answer to HEAD with a body, which Node's parser rejects. */
function bodyOfHead(error: Error): HttpAnswer | undefined {
  if (!("rawPacket" in error) || !Buffer.isBuffer(error.rawPacket)) return undefined;
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(error.rawPacket.toString("latin1"))?.[1];
  return status === undefined ? undefined : { status: Number(status), headers: {}, body: error.rawPacket };
}

const decoders = new Map([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
]);

function decompress(body: Buffer, encoding: string | undefined, most: number, received: Room): Buffer {
  // An answer to HEAD has an encoding and no body.
  if (body.length === 0 || encoding === undefined) return body;
  const decoded = decoders.get(encoding);
  if (decoded === undefined) {
    throw failure(`The answer has the encoding ${encoding}, which was not asked for.`, "ERR_ENCODING");
  }
  const limit = Math.min(most, received.left + 1);
  try {
    const whole = decoded(body, limit === Infinity ? {} : { maxOutputLength: limit });
    received.left -= whole.length;
    return whole;
  } catch (error) {
    if (!hasCode(error, "ERR_BUFFER_TOO_LARGE")) throw error;
    received.left -= limit;
    throw tooLong();
  }
}
