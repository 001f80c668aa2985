// Compares an answer with the expected one.

import { parseJson } from "../../build/json.ts";
import type { TextAnswer } from "../ask.ts";
import type { Expected } from "./expected.ts";

/** One way in which an answer differs from the expected one. */
export type Mismatch =
  | { readonly kind: "status"; readonly sent: number; readonly expected: number }
  /** Names in lowercase. `sent` is undefined if the header is missing. */
  | {
      readonly kind: "header";
      readonly name: string;
      readonly sent: string | undefined;
      readonly expected: string | undefined;
    }
  /** For an error, the expected body has its code and parameter, without a message. */
  | { readonly kind: "body"; readonly sent: string; readonly expected: string }
  | { readonly kind: "body of HEAD" };

/** The differences of an answer from the expected one. Empty if the answer conforms. */
export function mismatches(
  method: string,
  expected: Expected,
  { status, headers, body }: TextAnswer,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  if (status !== expected.status) found.push({ kind: "status", sent: status, expected: expected.status });
  for (const name of new Set([...Object.keys(expected.headers), ...notices])) {
    const [sent, value] = [headers[name], expected.headers[name]];
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

/** Only answers of what will go have these headers. */
const notices = ["deprecation", "sunset"];

/** A server may put its origin before a Location (RFC 9110, section 10.2.2). */
const isSame = (name: string, sent: string | undefined, expected: string | undefined): boolean =>
  sent === expected || (name === "location" && sent?.replace(/^https?:\/\/[^/]*/, "") === expected);

const errorBody = (status: number, { code, param }: { readonly code: string; readonly param?: string }): string =>
  JSON.stringify({ object: "error", status, code, message: "", ...(param === undefined ? {} : { param }) });

/** The body of an error without its message; undefined if it has no message or is not JSON. */
function wordless(body: string): string | undefined {
  const sent = parseJson(body);
  const message: unknown = Object(sent).message;
  const isWorded = typeof message === "string" && message.endsWith(".");
  return isWorded ? JSON.stringify({ ...Object(sent), message: "" }) : undefined;
}
