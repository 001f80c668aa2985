// Explains in words why answers differ. A wrong answer has one cause, the first that explains all of its mismatches. A
// finding is a sentence about the answers with the same cause, with examples to repeat.
import type { TextAnswer } from "../../address/ask.ts";
import type { Request } from "../../hosts/host.ts";
import { parseJson } from "../../json.ts";
import { escaped } from "../../quote.ts";
import { integer } from "../../words.ts";
import type { Contract, Expected } from "../expected.ts";
import { type Mismatch, mismatches } from "../judge.ts";

/** The end of a sentence about several answers. */
export type CauseText = string;

/** A request with a wrong answer, and the cause. */
export interface Observation {
  readonly request: Request;
  readonly cause: CauseText;
  /** The age of the answer in a cache, in seconds, if the age may explain the difference. */
  readonly age?: number;
  /** Whether an error was expected. */
  readonly isError?: boolean;
}

/** The causes of the mismatches of an answer. */
export function causesOf(
  request: Request,
  expected: Expected,
  response: TextAnswer | string,
  contract: Contract,
): readonly Observation[] {
  const isError = expected.status >= 400;
  const observe = (cause: CauseText): Observation => ({ request, cause, isError });
  if (typeof response === "string") return [observe(`are missing: ${response}`)];
  const found = mismatches(request.method, expected, response);
  const age = Number(response.headers["age"] ?? 0);
  if (found.length === 0) {
    return isError && age > 0 ? [observe("are from a cache, which must not keep them")] : [];
  }
  const isAbout = (kind: Mismatch["kind"]) => found.some((each) => each.kind === kind);
  const whole =
    redirection(request, expected, response) ??
    (isAbout("status") || isAbout("body") ? ignoredQuery(request, response, contract) : undefined) ??
    (isAbout("status") ? statusCause(request, expected, response) : undefined);
  if (whole !== undefined) return [observe(whole)];
  return found.map((mismatch) => {
    const observation = observe(causeOf(mismatch, response));
    return mismatch.kind === "body" && !isError && age > 0 ? { ...observation, age } : observation;
  });
}

const isRedirect = (status: number): boolean => status > 300 && status < 400 && status !== 304;

function redirection({ path }: Request, expected: Expected, { status, headers }: TextAnswer): CauseText | undefined {
  if (!isRedirect(status) || isRedirect(expected.status)) return undefined;
  const to = (headers["location"] ?? "").replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "");
  return `are redirects (${status})${to.endsWith(`${path}/`) ? " to the same path with a slash at its end" : ""}`;
}

function ignoredQuery(
  { method, path, query }: Request,
  { status, body }: TextAnswer,
  contract: Contract,
): CauseText | undefined {
  if (query === "" || method !== "GET" || status !== 200) return undefined;
  if (body !== contract({ method, path, query: "" }).body) return undefined;
  return "are those to the same path without its query: the query is ignored";
}

function statusCause({ method }: Request, expected: Expected, { status, body }: TextAnswer): CauseText {
  const asked = method === "GET" ? "" : ` to ${method}`;
  const sent = [status, codeOf(body) ?? []].flat().join(" ");
  if (status === 404 && expected.status === 200) return `are missing: the status${asked} is ${sent}, not 200`;
  const code = typeof expected.body === "object" ? ` ${expected.body.code}` : "";
  return `have the status ${sent}${asked}, not ${expected.status}${code}`;
}

/** The code in the body of an error; undefined if the body is no error of the API. */
function codeOf(body: string): string | undefined {
  const code: unknown = Object(parseJson(body))["code"];
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

function causeOf(mismatch: Mismatch, response: TextAnswer): CauseText {
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

function headerCause(name: string, sent: string | undefined, expected: string): CauseText {
  // `X-Content-Type-Options`
  const written = name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  if (sent === undefined) return `lack the header ${written}`;
  return `have ${written}: ${sent.slice(0, 100)}, not ${expected}`;
}

function bodyCause(sent: string, expected: string, { status }: TextAnswer): CauseText {
  if (sent === "") return "have no body";
  if (sent.includes("\u{fffd}") && !expected.includes("\u{fffd}")) {
    return "have a body that is not text: it is compressed twice, or without a Content-Encoding";
  }
  if (expected.startsWith("{") && parseJson(sent) === undefined) return "have a body that is not JSON";
  if (status < 400) return "hold other data: stale, or of another build";
  const code = codeOf(sent);
  return `have ${code === undefined ? "an unknown error body" : `the error ${code}`}, not the error ${codeOf(expected)}`;
}

export interface Finding {
  /** `48 answers lack the header X-Content-Type-Options, all of them errors.` */
  readonly message: string;
  readonly count: number;
  readonly examples: readonly ExampleRequest[];
}

export interface ExampleRequest extends Request {
  /** The command that repeats the request. */
  readonly curl: string;
}

const mostExamples = 3;

/** The causes of most answers come first. */
export function findingsOf(root: string, observations: readonly Observation[]): readonly Finding[] {
  const groups = new Map<CauseText, Observation[]>();
  for (const observation of observations) {
    const group = groups.get(observation.cause) ?? [];
    group.push(observation);
    groups.set(observation.cause, group);
  }
  return [...groups]
    .map(([cause, group]) => findingOf(root, cause, group))
    .sort((one, other) => other.count - one.count);
}

function findingOf(root: string, cause: CauseText, group: readonly Observation[]): Finding {
  const requests = [...new Map(group.map(({ request }) => [JSON.stringify(request), request])).values()];
  return {
    message: escaped(`${subject(requests.length, cause)}${scopeOf(group, cause)}.${ageOf(group)}`),
    count: requests.length,
    examples: requests.slice(0, mostExamples).map((request) => ({ ...request, curl: escaped(curl(root, request)) })),
  };
}

const singular: Readonly<Record<string, string>> = { are: "is", have: "has", lack: "lacks", hold: "holds" };

/** `1 answer is …` or `2 answers are …`, for a cause in the plural. */
function subject(count: number, cause: CauseText): string {
  if (count !== 1) return `${integer(count)} answers ${cause}`;
  return `1 answer ${cause.replace(/\b(?:are|have|lack|hold)\b/, (verb) => singular[verb] ?? verb)}`;
}

/** The scope that several answers share. */
function scopeOf(group: readonly Observation[], cause: CauseText): string {
  const [first] = group;
  if (first === undefined || group.length === 1 || cause.includes(` to ${first.request.method}`)) return "";
  if (group.every(({ isError }) => isError)) return ", all of them errors";
  const { method, path } = first.request;
  if (method !== "GET" && group.every(({ request }) => request.method === method)) return `, all of them to ${method}`;
  return group.every(({ request }) => request.path === path) ? `, all of them at ${path}` : "";
}

function ageOf(group: readonly Observation[]): string {
  const ages = group.flatMap(({ age }) => age ?? []);
  if (ages.length === 0) return "";
  const which = ages.length === group.length ? "They come" : `${integer(ages.length)} of them come`;
  return ` ${which} from a cache, up to ${integer(Math.max(...ages))} s old, which may explain it: verify again when the cache has expired.`;
}

/** The shell command that repeats a request and shows the whole answer. */
export function curl(root: string, { method, path, query, headers = {} }: Request): string {
  const encoding = Object.keys(headers).includes("accept-encoding") ? [] : ["--compressed"];
  const options = [
    ...(method === "HEAD" ? ["-I"] : ["-i"]),
    "-g",
    ...(method === "GET" || method === "HEAD" ? [] : ["-X", method]),
    "--path-as-is",
    ...encoding,
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]),
  ];
  return ["curl", ...options, quoted(root + path + (query === "" ? "" : `?${query}`))].join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
