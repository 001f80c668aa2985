// Explains in words why answers differ. A wrong answer has one cause, the first that explains all of its differences. A
// finding is a sentence about the answers with the same cause, with examples to repeat.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../address/ask.ts";
import { groupBy } from "../group-by.ts";
import type { Request } from "../hosts/host.ts";
import { parseJson } from "../json.ts";
import { escaped } from "../text/quote.ts";
import { integer } from "../text/words.ts";
import type { Expected } from "./expected.ts";

/** A request with a wrong answer. */
export interface Observation {
  readonly request: Request;
  /** The end of a sentence about several answers. */
  readonly cause: string;
  /** The age of the answer in a cache, in seconds. Absent or 0 if no cache explains the difference. */
  readonly age?: number;
  /** Whether an error was expected. */
  readonly isError?: boolean;
}

export function causesOf(request: Request, expected: Expected, answer: HttpAnswer | string): readonly Observation[] {
  const isError = expected.status >= 400;
  const observe = (cause: string, age = 0): Observation => ({ request, cause, isError, age });
  if (typeof answer === "string") return [observe(`are missing: ${answer}`)];
  const { status, headers, body } = answer;
  const age = Number(headers["age"] ?? 0);
  const isBody = expected.body?.equals(body) !== false;
  const isRight = status === expected.status && isBody;
  if (!isRight && status === 200 && expected.withoutQuery?.()?.equals(body)) {
    return [observe("are the same as without the query: the query is ignored")];
  }
  if (status !== expected.status) return [observe(statusCause(request, expected, answer))];
  const causes = [...headerCauses(expected, headers), ...(isBody ? [] : [bodyCause(expected, body)])];
  if (causes.length === 0 && isError && age > 0) return [observe("are from a cache, which must not keep them")];
  return causes.map((cause) => observe(cause, isError ? 0 : age));
}

function statusCause(request: Request, expected: Expected, { status, headers, body }: HttpAnswer): string {
  const { method, path, headers: { "if-none-match": etag, "accept-encoding": encoding } = {} } = request;
  if (expected.status === 304) {
    const isOther = status === 200 && headers["etag"] !== undefined && headers["etag"] !== etag;
    if (isOther) return "have another ETag each time, although the body is the same";
    return `are not 304 to the ETag they gave${encodedAs(encoding)}: the status is ${status}`;
  }
  if (status === 304) return "are 304 to an ETag that they never had";
  if (status > 300 && status < 400 && expected.status !== 308) {
    const isToSlash = /^[^?#]*/.exec(headers["location"] ?? "")?.[0].endsWith(`${path}/`);
    return `are redirected (${status})${isToSlash ? " to the same path with a slash at its end" : ""}`;
  }
  const asked = method === "GET" ? "" : ` to ${method}`;
  const sent = named(status, body) + asked;
  if (status !== 404 || expected.status !== 200)
    return `have the status ${sent}, not ${named(expected.status, expected.body)}`;
  return `are missing: the status${asked} is ${named(status, body)}, not 200`;
}

const named = (status: number, body: Buffer | undefined): string => [status, codeOf(body) ?? []].flat().join(" ");

/** The code in the body of an error; undefined if the body is no error of the API. */
function codeOf(body: Buffer | undefined): string | undefined {
  const code: unknown = Object(parseJson(String(body)))["code"];
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

/** How the answers to requests with an Accept-Encoding are encoded, as the end of a clause. */
export const encodedAs = (accepted: string | undefined): string =>
  accepted === undefined ? "" : accepted === "identity" ? ", not compressed" : ", compressed";

/** `X-Content-Type-Options` */
const written = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

function headerCauses({ status, headers: expected }: Expected, headers: HttpAnswer["headers"]): readonly string[] {
  const notices = ["deprecation", "sunset"].filter((name) => status === 200 && name in headers && !(name in expected));
  return [
    ...Object.entries(expected).flatMap(([name, value]) => {
      const sent = headers[name];
      if (sent === undefined) return `${status === 304 ? "with status 304 " : ""}lack the header ${written(name)}`;
      return sent === value ? [] : `have ${written(name)}: ${sent.slice(0, 100)}, not ${value}`;
    }),
    ...notices.map((name) => `have the header ${written(name)}, although this build has no notice for them`),
  ];
}

export const otherData = "hold other data: stale, or of another build";

function bodyCause({ status, headers, body: wanted = Buffer.of() }: Expected, body: Buffer): string {
  if (wanted.length === 0) return "have a body";
  if (body.length === 0) return "have no body";
  if (isUtf8(wanted) && !isUtf8(body)) {
    return "have a body that is not text: it is compressed twice, or without a Content-Encoding";
  }
  const lines = headers["content-type"] === "application/x-ndjson" ? String(body).split("\n", 1) : [String(body)];
  if (String(wanted).startsWith("{") && parseJson(lines[0] ?? "") === undefined) return "have a body that is not JSON";
  const [code, right] = [codeOf(body), codeOf(wanted)];
  if (status < 400 || code === right) return otherData;
  return `have ${code === undefined ? "an unknown error body" : `the error ${code}`}, not the error ${right}`;
}

export interface Finding {
  /** `48 answers lack the header X-Content-Type-Options, all of them errors.` */
  readonly message: string;
  readonly count: number;
  readonly examples: readonly (Request & {
    /** The command that repeats the request. */
    readonly curl: string;
  })[];
}

const mostExamples = 3;

/** The causes of most answers come first. */
export const findingsOf = (root: string, observations: readonly Observation[]): readonly Finding[] =>
  [...groupBy(observations, ({ cause }) => cause)]
    .map(([cause, group]) => {
      const requests = [...new Map(group.map(({ request }) => [JSON.stringify(request), request])).values()];
      return {
        message: escaped(`${subject(requests.length, cause)}${scopeOf(group, cause)}.${ageOf(group)}`),
        count: requests.length,
        examples: requests.slice(0, mostExamples).map((each) => ({ ...each, curl: escaped(curl(root, each)) })),
      };
    })
    .sort((one, other) => other.count - one.count);

const singular: Readonly<Record<string, string>> = { are: "is", have: "has", lack: "lacks", hold: "holds" };

/** `1 answer is …` or `2 answers are …`, for a cause in the plural. */
function subject(count: number, cause: string): string {
  if (count !== 1) return `${integer(count)} answers ${cause}`;
  return `1 answer ${cause.replace(/\b(?:are|have|lack|hold)\b/, (verb) => singular[verb] ?? verb)}`;
}

/** The scope that several answers share. */
function scopeOf(group: readonly [Observation, ...Observation[]], cause: string): string {
  const { method, path } = group[0].request;
  if (group.length === 1 || cause.includes(` to ${method}`)) return "";
  if (group.every(({ isError }) => isError)) return ", all of them errors";
  if (method !== "GET" && group.every(({ request }) => request.method === method)) return `, all of them to ${method}`;
  return group.every(({ request }) => request.path === path) ? `, all of them at ${path}` : "";
}

function ageOf(group: readonly Observation[]): string {
  const ages = group.map(({ age = 0 }) => age).filter((age) => age > 0);
  if (ages.length === 0) return "";
  const which = ages.length === group.length ? "They come" : `${integer(ages.length)} of them come`;
  const oldest = integer(ages.reduce((one, other) => Math.max(one, other)));
  return ` ${which} from a cache, up to ${oldest} s old, which may explain it: verify again when the cache has expired.`;
}

/** The shell command that repeats a request and shows the whole answer. */
export function curl(root: string, { method, path, query, headers = {} }: Request): string {
  const options = [
    method === "HEAD" ? "-I -g" : method === "GET" ? "-i -g" : `-i -g -X ${method}`,
    "--path-as-is",
    ...(headers["accept-encoding"] === undefined ? ["--compressed"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  return ["curl", ...options, quoted(root + path + (query === "" ? "" : `?${query}`))].join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
