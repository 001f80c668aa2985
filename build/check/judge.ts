import type { Response } from "../address/ask.ts";
import { parseJson } from "../json.ts";
import type { Expected } from "./expected.ts";

/** One way in which an answer is not the expected one. */
export type Difference =
  | { readonly kind: "status"; readonly sent: number; readonly expected: number }
  /** Names in lowercase. `sent` is undefined where the header is missing. */
  | { readonly kind: "header"; readonly name: string; readonly sent: string | undefined; readonly expected: string }
  /** Of an error the expected body is its code and parameter, without a message. */
  | { readonly kind: "body"; readonly sent: string; readonly expected: string }
  | { readonly kind: "body of HEAD" };

/** What is wrong with an answer, a line each; nothing where it conforms. */
export const judge = (method: string, expected: Expected, response: Response): readonly string[] =>
  differences(method, expected, response).map(lineOf);

function lineOf(difference: Difference): string {
  switch (difference.kind) {
    case "status":
      return `status ${difference.sent}, not ${difference.expected}`;
    case "header":
      return `${difference.name}: ${difference.sent}, not ${difference.expected}`;
    case "body":
      return `body ${difference.sent.slice(0, 200)}, not ${difference.expected.slice(0, 200)}`;
    case "body of HEAD":
      return "a body in answer to HEAD";
  }
}

export function differences(
  method: string,
  expected: Expected,
  { status, headers, body }: Response,
): readonly Difference[] {
  const found: Difference[] = [];
  if (status !== expected.status) found.push({ kind: "status", sent: status, expected: expected.status });
  for (const [name, value] of Object.entries(expected.headers)) {
    const sent = headers[name];
    if (!isSame(name, sent, value)) found.push({ kind: "header", name, sent, expected: value });
  }
  if (method === "HEAD") {
    if (body !== "") found.push({ kind: "body of HEAD" });
  } else if (expected.body !== undefined) {
    const wanted = typeof expected.body === "string" ? expected.body : errorBody(expected.status, expected.body);
    const isRight = typeof expected.body === "string" ? body === wanted : wordless(body) === wanted;
    if (!isRight) found.push({ kind: "body", sent: body, expected: wanted });
  }
  return found;
}

/** A server may name itself in an address that leads to itself (RFC 9110, section 10.2.2). */
const isSame = (name: string, sent: string | undefined, expected: string): boolean =>
  sent === expected || (name === "location" && sent?.replace(/^https?:\/\/[^/]*/, "") === expected);

const errorBody = (status: number, { code, param }: { readonly code: string; readonly param?: string }): string =>
  JSON.stringify({ object: "error", status, code, message: "", ...(param === undefined ? {} : { param }) });

/** An error without its message; undefined where it has none, or is not JSON. */
function wordless(body: string): string | undefined {
  const sent = parseJson(body);
  const message: unknown = Object(sent).message;
  const isWorded = typeof message === "string" && message.endsWith(".");
  return isWorded ? JSON.stringify({ ...Object(sent), message: "" }) : undefined;
}
