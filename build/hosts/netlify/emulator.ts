// Answers requests from a built dist as Netlify's own tools do, in memory; for tests only.
//
// Theirs: @netlify/redirect-parser and @netlify/headers-parser read the two files, netlify-redirector (the compiled
// matcher of Netlify's command line) finds the rule, and the headers' own expressions find the headers.
// Ours, read from netlify-cli's utils/proxy.js and utils/headers.js: a file of the request's own path comes before any
// rule; a rule whose target is no file ends in 404.html and reaches no later rule; no method is looked at; the header
// rules are applied in their order, later ones winning, to the path of the file that is served.
import { type Header, parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import redirector from "netlify-redirector";
import * as z from "zod";
import type { Answer, Request } from "../../routing/resolve.ts";

export interface NetlifyEmulator {
  /** How many rules there are. */
  readonly rules: number;
  readonly answer: (request: Request) => Answer;
  /** The headers that are set for a path, with their names as they are written. */
  readonly headersFor: (path: string) => Readonly<Record<string, string>>;
}

const notFound = { status: 404, file: "404.html" };

/** `exists` tells whether a path relative to `dist` is a file. Rejects where a line of the two files is not understood. */
export async function loadNetlify(dist: string, exists: (file: string) => boolean): Promise<NetlifyEmulator> {
  const rules = await readRules(`${dist}/_redirects`);
  const headers = await readHeaders(`${dist}/_headers`);
  const matcher = await redirector.parseJSON(JSON.stringify(rules), { jwtSecret: "", jwtRoleClaim: "" });

  const headersFor = (path: string) =>
    Object.assign({}, ...headers.filter(({ forRegExp }) => forRegExp.test(path)).map(({ values }) => values));

  const serve = (request: Request): { status: number; file: string } => {
    const url = read(request);
    if (url === undefined) return notFound;
    if (exists(url.path.slice(1))) return { status: 200, file: url.path.slice(1) };
    const rule = match.parse(matcher.match({ ...url, ...withoutHeaders }));
    if (rule === null) return notFound;
    const file = new URL(rule.to, "http://localhost").pathname.slice(1);
    return exists(file) ? { status: rule.status, file } : notFound;
  };

  return {
    rules: rules.length,
    headersFor,
    answer: (request) => {
      const { status, file } = serve(request);
      return { status, file, headers: headersFor(`/${file}`) };
    },
  };
}

/** Undefined where the target is no URL or its path cannot be decoded: there, `netlify dev` ends with an error. */
function read({ path, query }: Request): { scheme: string; host: string; path: string; query: string } | undefined {
  try {
    const { hostname, pathname, search } = new URL(query === "" ? path : `${path}?${query}`, "http://localhost");
    return { scheme: "http", host: hostname, path: decodeURIComponent(pathname), query: search.slice(1) };
  } catch {
    // Either way there is nothing that a rule could be about.
    return undefined;
  }
}

const withoutHeaders = { headers: {}, cookieValues: {}, getHeader: () => "", getCookie: () => "" };

const match = z.object({ to: z.string(), status: z.int() }).nullable();

const parsedRule = z.looseObject({ from: z.string(), query: z.record(z.string(), z.string()) });

/** In the shape of netlify-redirector, which has two names of its own (netlify-cli, utils/redirects.js). */
async function readRules(file: string): Promise<readonly object[]> {
  const { redirects, errors } = await parseAllRedirects({
    redirectsFiles: [file],
    configRedirects: [],
    minimal: false,
  });
  if (errors.length > 0) throw new AggregateError(errors, `${file}: ${errors.join("\n")}`);
  return z
    .array(parsedRule)
    .parse(redirects)
    .map(({ from, query, ...rule }) => ({ ...rule, origin: from, params: query }));
}

async function readHeaders(file: string): Promise<readonly Header[]> {
  const { headers, errors } = await parseAllHeaders({
    headersFiles: [file],
    netlifyConfigPath: undefined,
    configHeaders: [],
    minimal: false,
  });
  if (errors.length > 0) throw new AggregateError(errors, `${file}: ${errors.join("\n")}`);
  return headers.flatMap((header) => ("forRegExp" in header ? [header] : []));
}
