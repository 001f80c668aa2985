// Vercel: a list of routes, in vercel.json for `vercel deploy dist`, and in config.json beside the publish root for sites
// that Vercel builds (Build Output API).
//
// Relied on: routes after `handle: filesystem` are tried in order if no file has the request's path; `has` and
// `missing` are conditions on the decoded query, and the named groups of a value can be used in `dest`; after a route
// with `check` whose `dest` is no file come the routes after the handle, with `dest` as the path; a route with `status`
// answers with the file of its `dest`, and without a `dest` with no body; vercel.json is not published.
// https://vercel.com/docs/build-output-api/configuration https://vercel.com/docs/project-configuration/vercel-json
import { textFile } from "../../file.ts";
import { clashesOf, goTogether } from "../../routing/combinations.ts";
import { inPathOrder } from "../../routing/parts.ts";
import { itemFolder } from "../../routing/paths.ts";
import type { Param, RoutingTable, TableError, TableOperation } from "../../routing/table.ts";
import { accepted, choicesOf } from "../choices.ts";
import type { HostAdapter } from "../host.ts";
import { itemKeys, itemPathsOf, oneOfPaths } from "../known-paths.ts";
import { gaps } from "./gaps.ts";
import { publishing } from "./publishing.ts";

export const vercel: HostAdapter = {
  name: "vercel",
  signature: ["x-vercel-id", /./],
  publishing,
  owns: () => ["vercel.json"],
  reads: () => ["vercel.json", "now.json", ".vercelignore", "package.json"],
  files: (table) => [textFile("vercel.json", json({ ...project, routes: routes(table) }))],
  beside: (table) => [textFile("config.json", json({ version: 3, routes: routes(table) }))],
  limits: [
    { what: "bytes in all", most: 100_000_000, plan: "Hobby", source: "https://vercel.com/docs/limits" },
    { what: "bytes in all", most: 1_000_000_000, plan: "Pro", source: "https://vercel.com/docs/limits" },
  ],
  uses: (table) => [
    { what: "routes", used: routes(table).length, most: 2048, source: "https://vercel.com/docs/limits" },
  ],
  gaps,
  unproven: [
    "A path is matched as sent: not decoded, and with its dot segments and double slashes.",
    "A condition without a value holds also for a parameter that is empty or has no =.",
    "Of a repeated parameter the last one counts, as in Next.js.",
    "Of two routes that set the same header the later one counts.",
    "Content-Type is set by the route and not by the file's name.",
    "A route with the status 204 or 308 and without a `dest` is answered with its headers and no page of Vercel's.",
    "A route before the filesystem whose `dest` is a file is answered with that file, whatever the file's extension.",
  ],
};

/** The publish root is deployed as it is: Vercel installs and builds nothing. */
const project = {
  $schema: "https://openapi.vercel.sh/vercel.json",
  framework: null,
  buildCommand: null,
  outputDirectory: ".",
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

interface Condition {
  readonly type: "query";
  readonly key: string;
  /** A regular expression. It is anchored, because the documentation does not say whether Vercel anchors it. */
  readonly value?: string;
}

interface Route {
  readonly src: string;
  readonly caseSensitive?: true;
  readonly methods?: readonly string[];
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
  readonly dest?: string;
  readonly check?: true;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly continue?: true;
}

/**
 * Every answer that is not a page comes first, because documents are files of the publish root, which would be served
 * for any method. The routes of pages follow the filesystem, so that a page is served wherever `check` resumes. The
 * last routes answer other paths and other methods.
 */
function routes(table: RoutingTable): readonly (Route | { readonly handle: "filesystem" })[] {
  const { headers, methods, notFound } = table;
  return [
    ...bodiless(table),
    { src: everything, headers, continue: true },
    ...documents(table),
    { handle: "filesystem" },
    ...table.operations
      .flatMap((operation) => [
        ...clashesOf(operation).map(({ params, error }) => ({
          src: `^${operation.path}$`,
          has: params.map((param) => given(param)),
          ...answer(table, error),
        })),
        ...operation.params.map((param) => malformed(table, operation, param)),
        ...pages(operation),
        ...operation.params.flatMap((param) => missingPage(table, operation, param)),
      ])
      .map((route) => ({ ...route, caseSensitive: true as const, methods })),
    ...singleItems(table),
    { src: everything, methods: [...methods, "OPTIONS"], ...answer(table, notFound) },
    { src: everything, ...refused(table) },
  ];
}

const everything = "^/.*$";

/** Preflights for operations and documents, and redirects. */
function bodiless(table: RoutingTable): readonly Route[] {
  const { operations, documents, redirects, methods, preflight, errorCacheControl } = table;
  const { "Content-Type": _, ...headers } = table.headers;
  return [
    {
      src: oneOf([...operations, ...documents], itemPathsOf(table)),
      caseSensitive: true,
      methods: ["OPTIONS"],
      status: 204,
      headers: { ...headers, ...preflight },
    },
    ...redirects.map(({ path, to }) => ({
      src: oneOf([{ path }]),
      caseSensitive: true as const,
      methods,
      status: 308,
      headers: { ...headers, "Cache-Control": errorCacheControl, Location: to },
    })),
  ];
}

/** If there is no such item, only the last routes apply to the path of its file. */
const singleItems = ({ methods, ...table }: RoutingTable): readonly Route[] =>
  itemKeys(table).flatMap(({ operations, key }) =>
    operations.map(({ path, cacheControl }) => ({
      src: `^${path.replaceAll(".", "\\.")}/(?<key>${key})$`,
      caseSensitive: true as const,
      methods,
      dest: `${path}${itemFolder}$key.json`,
      check: true as const,
      headers: { "Cache-Control": cacheControl },
    })),
  );

function documents(table: RoutingTable): readonly Route[] {
  if (table.documents.length === 0) return [];
  const { documents, methods } = table;
  return [
    ...documents.map(({ path, file, contentType, cacheControl }) => ({
      src: oneOf([{ path }]),
      caseSensitive: true as const,
      methods,
      dest: `/${file}`,
      headers: { "Content-Type": contentType, "Cache-Control": cacheControl },
    })),
    { src: oneOf(documents), caseSensitive: true, ...refused(table) },
  ];
}

/** Matches one of these paths, or one of these expressions. */
const oneOf = (list: readonly { readonly path: string }[], expressions: readonly string[] = []): string =>
  `^(?:${[oneOfPaths(list), ...expressions].join("|")})$`;

function refused(table: RoutingTable) {
  const { headers, ...rest } = answer(table, table.methodNotAllowed);
  return { ...rest, headers: { ...headers, Allow: table.allow } };
}

const answer = ({ errorCacheControl }: RoutingTable, { status, file }: TableError) => ({
  dest: `/${file}`,
  status,
  headers: { "Cache-Control": errorCacheControl },
});

const malformed = (table: RoutingTable, { path }: TableOperation, param: Param): Route => ({
  src: `^${path}$`,
  has: [given(param)],
  missing: [given(param, accepted(param))],
  ...answer(table, param.error),
});

const given = ({ name }: Param, pattern?: string): Condition => ({
  type: "query",
  key: name,
  ...(pattern === undefined ? {} : { value: `^${pattern}$` }),
});

/** A route for each way to ask for a page. Each route distinguishes all parameters, so no request matches two. */
const pages = (operation: TableOperation): readonly Route[] =>
  waysToAsk(operation).map((ways) => ({
    src: `^${operation.path}$`,
    ...conditions("has", ways),
    ...conditions("missing", ways),
    dest: `${operation.path}${ways.map(({ part }) => part).join("")}.json`,
    check: true,
    headers: { "Cache-Control": operation.cacheControl },
  }));

/** A way to send a parameter, or to omit it, and the resulting part of the page's path. */
interface Way {
  readonly param: Param;
  readonly has?: Condition;
  readonly missing?: Condition;
  readonly part: string;
}

const waysToGive = (param: Param): readonly Way[] => [
  ...choicesOf(param).map(({ pattern, part }) => ({
    param,
    has: given(param, `(?<${param.slot}>${pattern})`),
    part: part(`$${param.slot}`),
  })),
  { param, missing: given(param), part: "" },
];

function conditions(kind: "has" | "missing", ways: readonly Way[]): Pick<Route, "has" | "missing"> {
  const all = ways.flatMap((way) => way[kind] ?? []);
  return all.length === 0 ? {} : { [kind]: all };
}

/** All combinations of one way for each parameter, with filters that go together. */
const waysToAsk = (operation: TableOperation): readonly (readonly Way[])[] =>
  inPathOrder(operation).reduce<readonly (readonly Way[])[]>(
    (asked, param) =>
      asked
        .flatMap((before) => waysToGive(param).map((way) => [...before, way]))
        .filter((ways) => isAsked(operation, ways)),
    [[]],
  );

const isAsked = (operation: TableOperation, ways: readonly Way[]): boolean =>
  goTogether(
    operation,
    ways.flatMap(({ param, has }) => (has === undefined ? [] : [param])),
  );

/** The answer to a page's path without a file: the error of the last parameter in the path. Limits are always known. */
function missingPage(table: RoutingTable, operation: TableOperation, param: Param): readonly Route[] {
  if (param.kind === "limit") return [];
  const later = operation.params.slice(operation.params.indexOf(param) + 1);
  const parts = inPathOrder(operation).map((each) => {
    const part = `/${each.name}/[^/]+`;
    if (each === param) return part;
    return later.includes(each) ? "" : `(?:${part})?`;
  });
  return [{ src: `^${operation.path}${parts.join("")}\\.json$`, ...answer(table, param.error) }];
}
