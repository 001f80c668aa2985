// Answers requests from a built dist like Netlify's tools, in memory; for tests only.
//
// From Netlify: @netlify/redirect-parser and @netlify/headers-parser read the two files, netlify-redirector (the
// compiled matcher of Netlify's command line) finds the rule, and the expressions of the header rules find the headers.
// Written here, after netlify-cli's utils/proxy.js and utils/headers.js: a file at the request's path, a page without
// its .html or the index.html of a folder precedes any rule; a rule whose target is no file ends in 404.html and
// reaches no later rule; methods are ignored; the header rules apply in order, later ones winning, to the path of the
// served file.
import { type Header, parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import redirector, { type Matcher } from "netlify-redirector";
import * as z from "zod";
import type { Answer, Request } from "../../build/routing/resolve.ts";

export interface NetlifyEmulator {
  /** The number of rules. */
  readonly rules: number;
  readonly answer: (request: Request) => Promise<Answer>;
  /** The file at the request's path, which precedes all rules. */
  readonly ownFile: (request: Request) => string | undefined;
  /** The headers for a path, with their names as written. */
  readonly headersFor: (path: string) => Readonly<Record<string, string>>;
}

const notFound = { status: 404, file: "404.html" };

/** `exists` returns whether a path relative to `dist` is a file. Rejects if a line of the two files is invalid. */
export async function loadNetlify(dist: string, exists: (file: string) => boolean): Promise<NetlifyEmulator> {
  const rules = await readRules(`${dist}/_redirects`);
  const headers = await readHeaders(`${dist}/_headers`);
  const matcherFor = matchers(rules);

  const headersFor = (path: string) =>
    Object.assign({}, ...headers.filter(({ forRegExp }) => forRegExp.test(path)).map(({ values }) => values));

  // A double slash leads to no file, unlike in netlify-cli, which asks the file system.
  const fileAt = (path: string): string | undefined =>
    [path, ...alternativesTo(path)]
      .find((candidate) => !candidate.includes("//") && exists(candidate.slice(1)))
      ?.slice(1);

  const serve = async (request: Request): Promise<{ status: number; file: string }> => {
    const url = read(request);
    if (url === undefined) return notFound;
    const served = fileAt(url.path);
    if (served !== undefined) return { status: 200, file: served };
    const matcher = await matcherFor(`${url.path} ${url.query}`);
    const rule = match.parse(matcher.match({ ...url, ...withoutHeaders }));
    if (rule === null) return notFound;
    const file = new URL(rule.to, "http://localhost").pathname.slice(1);
    return exists(file) ? { status: rule.status, file } : notFound;
  };

  return {
    rules: rules.length,
    headersFor,
    ownFile: (request) => fileAt(read(request)?.path ?? "//"),
    answer: async (request) => {
      const { status, file } = await serve(request);
      return { status, file, headers: headersFor(`/${file}`) };
    },
  };
}

/** `alternativePathsFor` of netlify-cli's utils/proxy.js, without its ending .htm. A slash after a file is ignored. */
const alternativesTo = (path: string): readonly string[] => {
  if (path === "/") return ["/index.html"];
  if (path.endsWith("/")) return [path.slice(0, -1), `${path.slice(0, -1)}.html`, `${path}index.html`];
  return /\.(?:html?|png|jpg|js|css|svg|gif|ico|woff|woff2)$/.test(path) ? [] : [`${path}.html`, `${path}/index.html`];
};

/**
 * Netlify's matcher, restricted to the rules that could match a path and its query. It parses the query again for each rule
 * of the path, so rules are omitted if the target lacks a literal word of their path, or a name or a literal value of their
 * parameters, encoded or not.
 */
function matchers(rules: readonly Rule[]): (target: string) => Promise<Matcher> {
  const compiled = new Map<string, Promise<Matcher>>();
  const asked = new Map<string, Promise<Matcher>>();
  // Thousands of rules share a few words.
  const words: string[] = [];
  const numberOf = new Map<string, number>();
  const numbers = rules.map(({ origin, params }) =>
    [...origin.split("/"), ...Object.entries(params).flat()]
      .filter((word) => !/^[:*]/.test(word))
      .map((word) => {
        const number = numberOf.get(word.toLowerCase()) ?? words.push(word.toLowerCase()) - 1;
        numberOf.set(word.toLowerCase(), number);
        return number;
      }),
  );
  const matcherWith = (held: readonly boolean[]) => {
    const possible = [...rules.keys()].filter((at) => numbers[at]?.every((number) => held[number]));
    const key = possible.join();
    const matcher = compiled.get(key) ?? matcherOf(possible.map((at) => rules[at]));
    compiled.set(key, matcher);
    return matcher;
  };
  return (target) => {
    const text = `${target} ${decoded(target)}`.toLowerCase();
    const held = words.map((word) => text.includes(word));
    const key = held.map(Number).join("");
    const matcher = asked.get(key) ?? matcherWith(held);
    asked.set(key, matcher);
    return matcher;
  };
}

const matcherOf = (rules: readonly unknown[]): Promise<Matcher> =>
  redirector.parseJSON(JSON.stringify(rules), { jwtSecret: "", jwtRoleClaim: "" });

const decoded = (target: string): string =>
  target.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Undefined if the target is no URL or its path cannot be decoded. `netlify dev` fails on it. */
function read({ path, query }: Request): { scheme: string; host: string; path: string; query: string } | undefined {
  try {
    const { hostname, pathname, search } = new URL(query === "" ? path : `${path}?${query}`, "http://localhost");
    return { scheme: "http", host: hostname, path: decodeURIComponent(pathname), query: search.slice(1) };
  } catch {
    // No rule can apply in either case.
    return undefined;
  }
}

const withoutHeaders = { headers: {}, cookieValues: {}, getHeader: () => "", getCookie: () => "" };

const match = z.object({ to: z.string(), status: z.int() }).nullable();

interface Rule {
  /** The path. A segment that starts with a colon or an asterisk matches any text. */
  readonly origin: string;
  /** A value that starts with a colon matches any value. */
  readonly params: Readonly<Record<string, string>>;
}

const parsedRule = z.looseObject({ from: z.string(), query: z.record(z.string(), z.string()) });

/** The rules in the shape of netlify-redirector, which renames two properties (netlify-cli, utils/redirects.js). */
async function readRules(file: string): Promise<readonly Rule[]> {
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
