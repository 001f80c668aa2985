// How answers differ from the expected ones, in words. A finding is a sentence with the actual and the expected value, and
// examples of the requests.
import { ownField } from "../../src/model/fields.ts";
import type { Request } from "../hosts/host.ts";
import type { HttpAnswer } from "../published/request.ts";
import { escaped } from "../text/quote.ts";
import { plural } from "../text/words.ts";
import { groupBy } from "../values/group-by.ts";
import type { Expected } from "./expected.ts";

/** A request with a wrong answer. */
export interface Observation {
  readonly request: Request;
  /** A sentence without its full stop. */
  readonly fault: string;
}

export const otherData = "The data is stale, or belongs to another build";

/** For an answer from a cache of the host. Its age is not part of the sentence, which groups the answers. */
const ofCache = " (a cache answered: verify again when it has expired)";

export function observationsOf(
  request: Request,
  expected: Expected,
  answer: HttpAnswer | string,
): readonly Observation[] {
  if (typeof answer === "string") return [{ request, fault: `There is no answer: ${answer}` }];
  const isCached = Number(answer.headers["age"] ?? 0) > 0;
  return differences(expected, answer).map((fault) => ({ request, fault: fault + (isCached ? ofCache : "") }));
}

function differences({ status, headers, body }: Expected, answer: HttpAnswer): readonly string[] {
  if (status !== answer.status) {
    const to = answer.headers["location"];
    const redirect = to === undefined ? "" : `, a redirect to ${to.slice(0, 100)}`;
    return [`The status is ${answer.status}${redirect}, not ${status}`];
  }
  // Headers that only answers with a notice have, and those that no answer has if no other origin may read.
  const names = new Set([
    ...Object.keys(headers),
    ...(status === 200 ? ["deprecation", "sunset"] : []),
    ...(Object.keys(headers).length > 0 ? ["access-control-allow-origin"] : []),
  ]);
  const ofHeaders = [...names].flatMap((name) => {
    const sent = ownField(answer.headers, name);
    const value = ownField(headers, name);
    return isSame(name, sent, value)
      ? []
      : [`${written(name)} is ${sent?.slice(0, 100) ?? "absent"}, not ${value ?? "absent"}`];
  });
  return [...ofHeaders, ...(body === undefined || body.equals(answer.body) ? [] : [otherData])];
}

/** A server may add names to Vary, such as Accept-Encoding. */
const isSame = (name: string, sent: string | undefined, value: string | undefined): boolean =>
  sent === value ||
  (name === "vary" && value !== undefined && sent?.toLowerCase().split(/ *, */).includes(value.toLowerCase()) === true);

/** `X-Content-Type-Options` */
const written = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

export interface Finding {
  /** `X-Content-Type-Options is absent, not nosniff: 48 answers.` */
  readonly message: string;
  readonly count: number;
  readonly examples: readonly (Request & {
    /** The command that repeats the request. */
    readonly curl: string;
  })[];
}

const maxExamples = 3;

/** The faults of most answers come first. */
export const findingsOf = (root: string, observations: readonly Observation[]): readonly Finding[] =>
  [...groupBy(observations, ({ fault }) => fault)]
    .map(([fault, group]) => ({
      message: escaped(`${fault}: ${plural(group.length, "answer")}.`),
      count: group.length,
      examples: group.slice(0, maxExamples).map(({ request }) => ({ ...request, curl: escaped(curl(root, request)) })),
    }))
    .sort((one, other) => other.count - one.count);

/** The shell command that repeats a request and shows the whole answer. */
export function curl(root: string, { method, path, query, headers = {} }: Request): string {
  const options = [
    methodOption(method),
    "--path-as-is",
    ...(headers["accept-encoding"] === undefined ? ["--compressed"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  return ["curl", ...options, quoted(root + path + (query === "" ? "" : `?${query}`))].join(" ");
}

/** `-g` takes brackets and braces in the address literally. */
function methodOption(method: string): string {
  if (method === "HEAD") return "-I -g";
  return method === "GET" ? "-i -g" : `-i -g -X ${method}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
