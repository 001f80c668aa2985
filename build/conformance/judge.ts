import type { Response } from "./ask.ts";
import type { Expected } from "./expected.ts";

/** What is wrong with an answer, a line each; nothing where it conforms. */
export function judge(method: string, expected: Expected, { status, headers, body }: Response): readonly string[] {
  const complaints: string[] = [];
  if (status !== expected.status) complaints.push(`status ${status}, not ${expected.status}`);
  for (const [name, value] of Object.entries(expected.headers)) {
    if (!isSame(name, headers[name], value)) complaints.push(`${name}: ${headers[name]}, not ${value}`);
  }
  if (method === "HEAD") {
    if (body !== "") complaints.push("a body in answer to HEAD");
  } else if (expected.body === undefined) {
    return complaints;
  } else if (typeof expected.body === "string") {
    if (body !== expected.body) complaints.push(`body ${body.slice(0, 200)}, not ${expected.body.slice(0, 200)}`);
  } else {
    complaints.push(...judgeError(expected.status, expected.body, body));
  }
  return complaints;
}

/** A server may name itself in an address that leads to itself (RFC 9110, section 10.2.2). */
const isSame = (name: string, sent: string | undefined, expected: string): boolean =>
  sent === expected || (name === "location" && sent?.replace(/^https?:\/\/[^/]*/, "") === expected);

function judgeError(
  status: number,
  { code, param }: { code: string; param?: string },
  body: string,
): readonly string[] {
  const wanted = { object: "error", status, code, message: "", ...(param === undefined ? {} : { param }) };
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return [`a body that is not JSON: ${body.slice(0, 200)}`];
  }
  const message: unknown = Object(sent).message;
  const worded = typeof message === "string" && message.endsWith(".");
  const same = JSON.stringify({ ...Object(sent), message: "" }) === JSON.stringify(wanted);
  return worded && same ? [] : [`body ${body.slice(0, 200)}, not ${JSON.stringify(wanted)}`];
}
