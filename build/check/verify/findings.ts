// Groups observations by cause: a sentence for each cause, with examples to repeat.
import type { Request } from "../../hosts/host.ts";
import { escaped } from "../../quote.ts";
import { integer } from "../../words.ts";
import type { Cause, Observation } from "./causes.ts";

export interface Finding {
  /** `48 answers lack the header X-Content-Type-Options, all of them errors.` */
  readonly message: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

export interface Example extends Request {
  /** The command that repeats the request. */
  readonly curl: string;
}

const mostExamples = 3;

/** The causes of most answers come first. */
export function findingsOf(root: string, observations: readonly Observation[]): readonly Finding[] {
  const groups = new Map<Cause, Observation[]>();
  for (const observation of observations) {
    const group = groups.get(observation.cause) ?? [];
    group.push(observation);
    groups.set(observation.cause, group);
  }
  return [...groups]
    .map(([cause, group]) => findingOf(root, cause, group))
    .sort((one, other) => other.count - one.count);
}

function findingOf(root: string, cause: Cause, group: readonly Observation[]): Finding {
  const requests = [...new Map(group.map(({ request }) => [JSON.stringify(request), request])).values()];
  return {
    message: escaped(`${subject(requests.length, cause)}${scopeOf(group, cause)}.${ageOf(group)}`),
    count: requests.length,
    examples: requests.slice(0, mostExamples).map((request) => ({ ...request, curl: escaped(curl(root, request)) })),
  };
}

const singular: Readonly<Record<string, string>> = { are: "is", have: "has", lack: "lacks", hold: "holds" };

/** `1 answer is …` or `2 answers are …`, for a cause in the plural. */
function subject(count: number, cause: Cause): string {
  if (count !== 1) return `${integer(count)} answers ${cause}`;
  return `1 answer ${cause.replace(/\b(?:are|have|lack|hold)\b/, (verb) => singular[verb] ?? verb)}`;
}

/** The scope that several answers share. */
function scopeOf(group: readonly Observation[], cause: Cause): string {
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
