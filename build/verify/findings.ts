// How answers differ from the expected ones, in words. A finding is a sentence about the answers that differ in the same
// way, with examples to repeat.
import type { HttpAnswer } from "../address/ask.ts";
import { groupBy } from "../group-by.ts";
import type { Request } from "../hosts/host.ts";
import { parseJson } from "../json.ts";
import { escaped } from "../text/quote.ts";
import { integer, plural } from "../text/words.ts";
import type { Expected } from "./expected.ts";

/** A request with a wrong answer. */
export interface Observation {
  readonly request: Request;
  /** A sentence without its full stop. */
  readonly fault: string;
  /** The age of the answer in a cache, in seconds. */
  readonly age?: number;
  /** Whether an error was expected. */
  readonly isError?: boolean;
}

export const otherData = "The data is stale, or of another build";

/** `bare` is the body of the page at the same path without the query of the request. */
export function faultsOf(
  request: Request,
  { status, headers, body }: Expected,
  answer: HttpAnswer | string,
  bare: () => Buffer | undefined = () => undefined,
): readonly Observation[] {
  const isError = status >= 400;
  if (typeof answer === "string") return [{ request, isError, fault: `There is no answer: ${answer}` }];
  const age = Number(answer.headers["age"] ?? 0);
  const isBody = body === undefined || body.equals(answer.body);
  const isSent = status !== answer.status || !isBody;
  const faults =
    isSent && answer.status === 200 && bare()?.equals(answer.body)
      ? ["The query is ignored"]
      : status === answer.status
        ? [...headerFaults(status, headers, answer), ...(isBody ? [] : [bodyFault(body, answer.body)])]
        : [statusFault(request, status, answer)];
  return faults.map((fault) => ({ request, isError, fault, age }));
}

function statusFault({ method, headers = {} }: Request, status: number, answer: HttpAnswer): string {
  const asked = "if-none-match" in headers ? " to a known ETag" : method === "GET" ? "" : ` to ${method}`;
  const to = answer.headers["location"];
  const code: unknown = Object(parseJson(String(answer.body)))["code"];
  const detail =
    to !== undefined ? `, a redirect to ${to.slice(0, 100)}` : typeof code === "string" ? ` ${code.slice(0, 40)}` : "";
  return `The status${asked} is ${answer.status}${detail}, not ${status}`;
}

/** `X-Content-Type-Options` */
const written = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

function headerFaults(status: number, expected: Expected["headers"], { headers }: HttpAnswer): readonly string[] {
  const extra = ["deprecation", "sunset"].filter((name) => status === 200 && name in headers && !(name in expected));
  return [
    ...Object.entries(expected).flatMap(([name, value]) => {
      const sent = headers[name];
      if (sent === undefined)
        return `The header ${written(name)} is missing${status === 304 ? " with status 304" : ""}`;
      return sent === value ? [] : `${written(name)} is ${sent.slice(0, 100)}, not ${value}`;
    }),
    ...extra.map((name) => `There is a header ${written(name)}, although the build has no notice`),
  ];
}

function bodyFault(wanted: Buffer, body: Buffer): string {
  if (wanted.length === 0 || body.length === 0) return `The body is ${body.length === 0 ? "empty" : "not empty"}`;
  const isJson = (bytes: Buffer) => parseJson(String(bytes)) !== undefined;
  return isJson(wanted) && !isJson(body) ? "The body is not JSON, or is compressed twice" : otherData;
}

export interface Finding {
  /** `The header X-Content-Type-Options is missing: 48 answers, all of them errors.` */
  readonly message: string;
  readonly count: number;
  readonly examples: readonly (Request & {
    /** The command that repeats the request. */
    readonly curl: string;
  })[];
}

const mostExamples = 3;

/** The faults of most answers come first. */
export const findingsOf = (root: string, observations: readonly Observation[]): readonly Finding[] =>
  [...groupBy(observations, ({ fault }) => fault)]
    .map(([fault, group]) => {
      const requests = [...new Map(group.map(({ request }) => [JSON.stringify(request), request])).values()];
      return {
        message: escaped(`${fault}: ${plural(requests.length, "answer")}${scopeOf(group)}.${ageOf(group)}`),
        count: requests.length,
        examples: requests.slice(0, mostExamples).map((each) => ({ ...each, curl: escaped(curl(root, each)) })),
      };
    })
    .sort((one, other) => other.count - one.count);

/** The scope that several answers share. */
function scopeOf(group: readonly [Observation, ...Observation[]]): string {
  if (group.length === 1) return "";
  if (group.every(({ isError }) => isError)) return ", all of them errors";
  const { path } = group[0].request;
  return group.every(({ request }) => request.path === path) ? `, all of them at ${path}` : "";
}

function ageOf(group: readonly Observation[]): string {
  const oldest = group.reduce((most, { age = 0 }) => Math.max(most, age), 0);
  return oldest > 0 ? ` A cache answered, up to ${integer(oldest)} s old: verify again when it has expired.` : "";
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
