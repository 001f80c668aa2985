// Sends one request over HTTP and reads the whole answer, within limits of time and size.
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
}

/** Does not normalise the URL and does not follow redirects. */
export function ask(
  origin: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
  { agent, ...limits }: Connection,
): Promise<HttpAnswer> {
  const { signal, patience = 0, most = Infinity } = limits;
  const { protocol, hostname, port } = new URL(origin);
  const { method, path, query } = request;
  // IPv6 addresses have brackets in URLs only.
  const server = { hostname: hostname.replace(/^\[|\]$/g, ""), port, agent: agent ?? false };
  const options = {
    ...server,
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers,
    ...(signal && { signal }),
  };
  return new Promise((answered, failed) => {
    const sent = (protocol === "https:" ? https : http).request(options);
    sent.on("response", (response) => {
      bodyOf(response, most).then((body) => answered(answerOf(response, body)), failed);
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      answered(answerOf(response, Buffer.of()));
    });
    sent.on("error", (error) => {
      // The server closed a kept connection just when the request was sent (RFC 9112, section 9.3.1).
      const isLost = sent.reusedSocket && hasCode(error, "ECONNRESET", "EPIPE");
      if (isLost) answered(ask(origin, request, headers, limits));
      // Node's parser takes the body for another answer.
      else if (method === "HEAD" && "rawPacket" in error) failed(failure("The answer has a body.", "ERR_BODY"));
      else failed(error);
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

const decoders = new Map([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
]);

async function bodyOf(response: IncomingMessage, most: number): Promise<Buffer> {
  const tooLong = () => failure("The answer is too long.", "ERR_TOO_LONG");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > most) throw tooLong();
    chunks.push(chunk);
  }
  const encoding = response.headers["content-encoding"];
  const body = Buffer.concat(chunks);
  // An answer to HEAD has an encoding and no body.
  if (length === 0 || encoding === undefined) return body;
  const decode = decoders.get(encoding);
  if (decode === undefined) throw failure(`The encoding ${encoding} was not asked for.`, "ERR_ENCODING");
  try {
    return decode(body, most === Infinity ? {} : { maxOutputLength: most });
  } catch (error) {
    throw hasCode(error, "ERR_BUFFER_TOO_LARGE") ? tooLong() : error;
  }
}
