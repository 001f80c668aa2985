// Sends a request like the program, for tests that compare texts.
import { Agent } from "node:http";
import { ask as askForBytes, type Connection, type HttpAnswer } from "../build/published/request.ts";
import type { Request } from "../build/routing/resolve.ts";

export interface TextAnswer extends Omit<HttpAnswer, "body"> {
  readonly body: string;
}

export async function ask(
  origin: string,
  request: Request,
  more: Readonly<Record<string, string>> = {},
  connection: Connection = {},
): Promise<TextAnswer> {
  const answer = await askForBytes(origin, request, { ...request.headers, ...more }, connection);
  return { ...answer, body: answer.body.toString() };
}

export type Send = (request: Request, headers?: Readonly<Record<string, string>>) => Promise<TextAnswer>;

/**
 * Keeps connections for plain GETs only: bytes after the answer to another request could be taken for an answer. `close`
 * closes them.
 */
export function keepConnections(origin: () => string): { readonly send: Send; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  return {
    send(request, headers = {}) {
      const isPlain = request.method === "GET" && request.headers === undefined;
      return ask(origin(), request, headers, isPlain ? { agent } : {});
    },
    close: () => agent.destroy(),
  };
}
