// Functions that the gaps of several hosts share. Names and values of parameters are compared as sent, as in resolve.ts.
import { type Param, partOf } from "../routing/params.ts";
import type { Gap, Request } from "./host.ts";

export const withPairs = (request: Request, change: (pairs: readonly string[]) => readonly string[]): Request => ({
  ...request,
  query: change(request.query.split("&")).join("&"),
});

/** The last pair of each name. */
export const lastPairs = (pairs: readonly string[]): readonly string[] => [
  ...new Map(pairs.map((pair) => [pair.replace(/=.*/, ""), pair])).values(),
];

/** The values of a parameter, in the order of the request. A name without "=" has an empty value. */
export const paramValues = (request: Request, { name }: Param): readonly string[] =>
  request.query
    .split("&")
    .filter((pair) => isOf(pair, name))
    .map((pair) => pair.slice(name.length + 1));

/** The parameter whose error has this file. Errors about filters that cannot be combined do not count. */
export const wrongParam = (file: string | undefined, params: readonly Param[]): Param | undefined =>
  params.find(({ error }) => error.file === file);

/** Whether a pair of a query, as sent, sets the parameter of this name. */
export const isOf = (pair: string, name: string): boolean => pair === name || pair.startsWith(`${name}=`);

/** Whether a request has a parameter once, with a value of the right form. */
export function isWellFormed(request: Request, param: Param): boolean {
  const [value, ...repeated] = paramValues(request, param);
  return repeated.length === 0 && value !== undefined && partOf(param, value) !== undefined;
}

/** Whether a request has a parameter, and none of its values has the right form. */
export const isMalformed = (request: Request, param: Param): boolean =>
  paramValues(request, param).length > 0 && !isWellFormed(request, param);

/** A letter, digit, "-", ".", "_" or "~" is the same encoded or not (RFC 3986, section 6.2.2.2). */
export const decodeUnreserved = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
  });

/** `reason` says why the host cannot do better. */
export const noNotFoundPage = (reason: string): Gap => ({
  requests: "what does not exist below the reference, or outside of the API if it has the front page",
  happens: "404 with the JSON body of not_found, not with the page for people",
  reason,
  covers: ({ answer, table }) => answer.status === 404 && answer.file === table.lost?.file,
  gives: ({ table }) => table.notFound,
});

/** The header with which a browser that opens a file beside the data runs nothing. */
const policy = "Content-Security-Policy";

/** Of a host without this gap, every such file has the header. */
export const noPolicies: Gap = {
  requests: "an SVG beside the data",
  happens: `answered without ${policy}, so an SVG that may run something is a fault`,
  reason: "nothing can be configured",
  covers: ({ answer: { status, headers } }) => status === 200 && headers[policy] !== undefined,
};

/** The longest request line that nginx and Apache read by default, in bytes. */
const longestLine = 8_192;

/** `setting` determines the length. */
export const longRequest = (server: string, setting: string): Gap => ({
  requests: `a request line of more than ${longestLine} bytes`,
  happens: `414 with ${server}'s error page`,
  reason: `${server} reads no longer request line (${setting}), which limits the time that the rules take`,
  covers: ({ request: { method, path, query } }) => `${method} ${path}?${query} HTTP/1.1`.length > longestLine,
});

/** RFC 9110, section 10.1.1, leaves the answer to the server. */
export const unknownExpectation = (server: string): Gap => ({
  requests: "the header `Expect` with anything but `100-continue`",
  happens: "417 with the server's error page, or without one",
  reason: `${server} refuses it before it applies any rule`,
  covers: ({ request: { headers } }) => headers?.["expect"] !== undefined && headers["expect"] !== "100-continue",
});
