// Explains in words why answers differ. Each wrong answer gets one cause, the first that explains all its mismatches.
import type { Response } from "../../address/ask.ts";
import type { Request } from "../../hosts/host.ts";
import { parseJson } from "../../json.ts";
import type { Contract, Expected } from "../expected.ts";
import { type Mismatch, mismatches } from "../judge.ts";

/** The end of a sentence about several answers. */
export type Cause = string;

/** A request with a wrong answer, and the cause. */
export interface Observation {
  readonly request: Request;
  readonly cause: Cause;
  /** The answer's age in a cache, in seconds, if that may explain the difference. */
  readonly age?: number;
  /** Whether an error was expected. */
  readonly isError?: boolean;
}

/** The causes of an answer's mismatches. */
export function causesOf(
  request: Request,
  expected: Expected,
  response: Response | string,
  contract: Contract,
): readonly Observation[] {
  const isError = expected.status >= 400;
  const observe = (cause: Cause): Observation => ({ request, cause, isError });
  if (typeof response === "string") return [observe(`are missing: ${response}`)];
  const found = mismatches(request.method, expected, response);
  const age = Number(response.headers["age"] ?? 0);
  if (found.length === 0) {
    return isError && age > 0 ? [observe("are from a cache, which must not keep them")] : [];
  }
  const isAbout = (kind: Mismatch["kind"]) => found.some((each) => each.kind === kind);
  const whole =
    redirection(request, expected, response) ??
    (isAbout("status") || isAbout("body") ? ignoredQuery(request, response, contract) : undefined);
  if (whole !== undefined) return [observe(whole)];
  if (isAbout("status")) return [observe(statusCause(request, expected, response))];
  return found.map((mismatch) => {
    const observation = observe(causeOf(mismatch, response));
    return mismatch.kind === "body" && !isError && age > 0 ? { ...observation, age } : observation;
  });
}

const isRedirect = (status: number): boolean => status > 300 && status < 400 && status !== 304;

function redirection({ path }: Request, expected: Expected, { status, headers }: Response): Cause | undefined {
  if (!isRedirect(status) || isRedirect(expected.status)) return undefined;
  const to = (headers["location"] ?? "").replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "");
  if (to === `${path}/` || to.endsWith(`${path}/`))
    return `are redirects (${status}) to the same path with a slash at its end`;
  return `are redirects (${status})`;
}

function ignoredQuery(
  { method, path, query }: Request,
  { status, body }: Response,
  contract: Contract,
): Cause | undefined {
  if (query === "" || method !== "GET" || status !== 200) return undefined;
  return body === contract({ method, path, query: "" }).body
    ? "are those to the same path without its query: the query is ignored"
    : undefined;
}

function statusCause({ method }: Request, expected: Expected, { status, body }: Response): Cause {
  const asked = method === "GET" ? "" : ` to ${method}`;
  const code = codeOf(body);
  const sent = code === undefined ? `${status}` : `${status} ${code}`;
  if (status === 404 && expected.status === 200) return `are missing: the status${asked} is ${sent}, not 200`;
  return `have the status ${sent}${asked}, not ${expected.status}${expectedCode(expected)}`;
}

const expectedCode = ({ body }: Expected): string => (typeof body === "object" ? ` ${body.code}` : "");

/** The code of an error's body; undefined if it is no error of the API. */
function codeOf(body: string): string | undefined {
  const code: unknown = Object(parseJson(body))["code"];
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

function causeOf(mismatch: Mismatch, response: Response): Cause {
  switch (mismatch.kind) {
    case "status":
      return `have the status ${mismatch.sent}, not ${mismatch.expected}`;
    case "header":
      return headerCause(mismatch.name, mismatch.sent, mismatch.expected);
    case "body of HEAD":
      return "have a body";
    case "body":
      return bodyCause(mismatch.sent, mismatch.expected, response);
  }
}

function headerCause(name: string, sent: string | undefined, expected: string): Cause {
  const written = headerName(name);
  if (sent === undefined) return `lack the header ${written}`;
  return `have ${written}: ${sent.slice(0, 100)}, not ${expected}`;
}

/** In the usual notation: `X-Content-Type-Options`. */
const headerName = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

function bodyCause(sent: string, expected: string, { status }: Response): Cause {
  if (sent === "") return "have no body";
  if (sent.includes("\u{fffd}") && !expected.includes("\u{fffd}")) {
    return "have a body that is not text: it is compressed twice, or without a Content-Encoding";
  }
  if (expected.startsWith("{") && parseJson(sent) === undefined) return "have a body that is not JSON";
  if (status < 400) return otherData;
  const code = codeOf(sent);
  return `have ${code === undefined ? "an unknown error body" : `the error ${code}`}, not the error ${codeOf(expected)}`;
}

const otherData: Cause = "hold other data: stale, or of another build";
