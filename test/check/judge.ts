// Compares an answer with the expected one.
import { parseJson } from "../../build/values/json.ts";
import { fieldOf } from "../../src/model/fields.ts";
import type { TextAnswer } from "../ask.ts";
import type { Expected } from "./expected.ts";

/** The differences of an answer from the expected one, in words. Empty if the answer conforms. */
export function mismatches(method: string, expected: Expected, answer: TextAnswer): readonly string[] {
  const { status, headers, body } = answer;
  // Only answers of what will go have the headers of notices, and only an SVG beside the data has a policy.
  const names = new Set([...Object.keys(expected.headers), "deprecation", "sunset", "content-security-policy"]);
  if (names.has("x-content-type-options")) names.add("access-control-allow-origin");
  const wrong = [...names].filter((name) => !isSame(name, headers[name], expected.headers[name]));
  return [
    ...(status === expected.status ? [] : [`status ${status}, not ${expected.status}`]),
    ...wrong.map((name) => `${name}: ${headers[name]}, not ${expected.headers[name]}`),
    ...(method === "HEAD" ? (body === "" ? [] : ["a body in answer to HEAD"]) : bodyMismatch(expected, body)),
  ];
}

/** A server may put its origin before a Location (RFC 9110, section 10.2.2), and add names to Vary. */
const isSame = (name: string, sent: string | undefined, expected: string | undefined): boolean =>
  sent === expected ||
  (name === "vary" && expected !== undefined && (sent ?? "").split(", ").includes(expected)) ||
  (name === "location" && sent?.replace(/^https?:\/\/[^/]*/, "") === expected);

/** For an error, the expected body has its code and parameter, without a message. */
function bodyMismatch({ status, body: wanted }: Expected, body: string): readonly string[] {
  const isText = typeof wanted === "string";
  const text = isText
    ? wanted
    : JSON.stringify({ object: "error", status, code: wanted?.code, message: "", param: wanted?.param });
  if (wanted === undefined || (isText ? body : wordless(body)) === text) return [];
  return [`body ${body.slice(0, 200)}, not ${text.slice(0, 200)}`];
}

/** The body of an error without its message; undefined if it has no message or is not JSON. */
function wordless(body: string): string | undefined {
  const sent = parseJson(body);
  const message = fieldOf(sent, "message");
  const isWorded = typeof message === "string" && message.endsWith(".");
  return isWorded ? JSON.stringify({ ...Object(sent), message: "" }) : undefined;
}
