import { request } from "node:http";
import type { ConformanceRequest } from "./requests.ts";

export interface Response {
  readonly status: number;
  /** Names in lowercase; values of repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request as it is, without the normalisation of URLs, and reads the whole answer. */
export function ask(
  origin: string,
  { method, path, query }: ConformanceRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { hostname, port } = new URL(origin);
  const target = query === "" ? path : `${path}?${query}`;
  return new Promise((answered, failed) => {
    const sent = request({ hostname, port, method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", failed);
      response.on("end", () => {
        const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        answered({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(pairs),
          body: Buffer.concat(chunks).toString("utf8"),
        });
      });
    });
    sent.on("error", failed);
    sent.end();
  });
}
