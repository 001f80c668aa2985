// Sends a request like the program, for tests that compare texts.
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
