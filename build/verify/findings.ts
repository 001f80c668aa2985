// Explains in words why answers differ. A wrong answer has one cause, the first that explains all of its differences. A
// finding is a sentence about the answers with the same cause, with examples to repeat.
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
  /** The age of the answer in a cache, in seconds, if the age may explain the difference. */
  readonly age?: number;
  /** Whether an error was expected. */
  readonly isError?: boolean;
}

/** `pageAt` is the body of the page at a path without a query. */
export function causesOf(
  request: Request,
  expected: Expected,
  answer: HttpAnswer | string,
  pageAt: (path: string) => Buffer | undefined = () => undefined,
): readonly Observation[] {
  const isError = expected.status >= 400;
  const observe = (cause: string): Observation => ({ request, cause, isError });
  if (typeof answer === "string") return [observe(`are missing: ${answer}`)];
  const { status, headers, body } = answer;
  const age = Number(headers["age"] ?? 0);
  const isWrong = status !== expected.status || expected.body?.equals(body) === false;
  if (isWrong && isRedirect(status) && !isRedirect(expected.status)) return [observe(redirection(request, answer))];
  if (isWrong && request.query !== "" && status === 200 && body.length > 0 && pageAt(request.path)?.equals(body)) {
    return [observe("are those to the same path without its query: the query is ignored")];
  }
  if (status !== expected.status) return [observe(statusCause(request, expected, answer))];
  const found = Object.entries(expected.headers)
    .filter(([name, value]) => !isSame(name, headers[name], value))
    .map(([name, value]) => observe(headerCause(name, headers[name], value)));
  const stale = ["deprecation", "sunset"].filter((name) => name in headers && !(name in expected.headers));
  if (expected.status === 200)
    found.push(
      ...stale.map((name) => observe(`have the header ${written(name)}, although this build has no notice for them`)),
    );
  if (isWrong) {
    const cause = bodyCause(request, expected, body.toString());
    found.push(isError || age === 0 ? observe(cause) : { ...observe(cause), age });
  }
  if (found.length === 0 && isError && age > 0) return [observe("are from a cache, which must not keep them")];
  return found;
}

const isRedirect = (status: number): boolean => status > 300 && status < 400 && status !== 304;

/** A server may put its origin before a Location (RFC 9110, section 10.2.2). */
const isSame = (name: string, sent: string | undefined, expected: string): boolean =>
  sent === expected || (name === "location" && sent?.replace(/^https?:\/\/[^/]*/, "").endsWith(expected) === true);

function redirection({ path }: Request, { status, headers }: HttpAnswer): string {
  const to = (headers["location"] ?? "").replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "");
  return `are redirects (${status})${to.endsWith(`${path}/`) ? " to the same path with a slash at its end" : ""}`;
}

function statusCause({ method }: Request, expected: Expected, { status, body }: HttpAnswer): string {
  const asked = method === "GET" ? "" : ` to ${method}`;
  const named = (code: number, text: Buffer | undefined) => [code, codeOf(text?.toString()) ?? []].flat().join(" ");
  const [sent, wanted] = [named(status, body), named(expected.status, expected.body)];
  if (status === 404 && expected.status === 200) return `are missing: the status${asked} is ${sent}, not 200`;
  return `have the status ${sent}${asked}, not ${wanted}`;
}

/** The code in the body of an error; undefined if the body is no error of the API. */
function codeOf(body = ""): string | undefined {
  const code: unknown = Object(parseJson(body))["code"];
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

/** `X-Content-Type-Options` */
const written = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

function headerCause(name: string, sent: string | undefined, expected: string): string {
  if (sent === undefined) return `lack the header ${written(name)}`;
  return `have ${written(name)}: ${sent.slice(0, 100)}, not ${expected}`;
}

export const otherData = "hold other data: stale, or of another build";

function bodyCause({ method }: Request, expected: Expected, sent: string): string {
  const wanted = expected.body?.toString() ?? "";
  if (method === "HEAD" || wanted === "") return "have a body";
  if (sent === "") return "have no body";
  if (sent.includes("\u{fffd}") && !wanted.includes("\u{fffd}")) {
    return "have a body that is not text: it is compressed twice, or without a Content-Encoding";
  }
  if (wanted.startsWith("{") && parseJson(sent) === undefined) return "have a body that is not JSON";
  if (expected.status < 400) return otherData;
  const [code, right] = [codeOf(sent), codeOf(wanted)];
  if (code === right) return `have another message for the error ${right}`;
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
  const ages = group.flatMap(({ age }) => age ?? []);
  if (ages.length === 0) return "";
  const which = ages.length === group.length ? "They come" : `${integer(ages.length)} of them come`;
  return ` ${which} from a cache, up to ${integer(Math.max(...ages))} s old, which may explain it: verify again when the cache has expired.`;
}

/** The shell command that repeats a request and shows the whole answer. */
export function curl(root: string, { method, path, query, headers = {} }: Request): string {
  const options = [
    ...(method === "HEAD" ? ["-I"] : ["-i"]),
    "-g",
    ...(method === "GET" || method === "HEAD" ? [] : ["-X", method]),
    "--path-as-is",
    ...(headers["accept-encoding"] === undefined ? ["--compressed"] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]),
  ];
  return ["curl", ...options, quoted(root + path + (query === "" ? "" : `?${query}`))].join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
