// Vercel's routes, which map paths and queries to files.
import { conflictsOf, inPathOrder, mayCombine, type Param, paramsOf } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import { answerHeaders, bodiless, patternsOf } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable, type TableError, type TableOperation } from "../../routing/table.ts";
import { itemKeys, knownPaths, noticedHeaders, oneOfPaths, patternPath } from "../known-paths.ts";
import { choicesOf } from "../readings.ts";
import { literal, variable } from "../syntax.ts";

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
export function routes(table: RoutingTable): readonly (Route | { readonly handle: "filesystem" })[] {
  const { headers, methods, notFound, methodNotAllowed, errorCacheControl } = table;
  const { operations, documents, redirects, preflight } = table;
  const exactly = { caseSensitive: true, methods } as const;
  // A route that has led to no file has set its headers.
  const steady = Object.fromEntries(noticedHeaders(table).filter(([, otherwise]) => otherwise !== ""));
  const failing = { "Content-Type": contentTypeOf(table), "Cache-Control": errorCacheControl, ...steady };
  const fail = ({ status, file }: TableError) => ({ dest: `/${file}`, status, headers: failing });
  const refused = { ...fail(methodNotAllowed), headers: { ...failing, Allow: table.allow } };
  return [
    {
      src: `^(?:${knownPaths(table).join("|")})$`,
      caseSensitive: true,
      methods: ["OPTIONS"],
      status: 204,
      headers: { ...bodiless(table), ...preflight },
    },
    ...redirects.map(({ path, to }) => ({
      src: `^${literal(path)}$`,
      ...exactly,
      status: 308,
      headers: { ...bodiless(table), "Cache-Control": errorCacheControl, Location: to },
    })),
    { src: everything, headers, continue: true },
    ...documents.map(({ path, file, contentType, cacheControl }) => ({
      src: `^${literal(path)}$`,
      ...exactly,
      dest: `/${file}`,
      headers: { "Content-Type": contentType, "Cache-Control": cacheControl },
    })),
    ...(documents.length === 0
      ? []
      : [{ src: `^${oneOfPaths(documents)}$`, caseSensitive: true as const, ...refused }]),
    { handle: "filesystem" },
    ...operations.flatMap((operation) => routesOf(operation, fail)).map((route) => ({ ...route, ...exactly })),
    // If the item does not exist, only the last routes apply to the path of its file.
    ...itemKeys(table).flatMap(({ operations: own, key }) =>
      own.map((operation) => ({
        src: `^${literal(operation.path)}/(?<key>${key})$`,
        ...exactly,
        dest: `${operation.path}${itemFolder}$key.json`,
        check: true as const,
        headers: answerHeaders(operation),
      })),
    ),
    ...patternsOf(table).map((each) => ({
      src: `^(?<page>${patternPath(each)})$`,
      ...exactly,
      dest: `$page${each.ending}`,
      check: true as const,
      headers: { "Content-Type": each.contentType, "Cache-Control": each.cacheControl },
    })),
    { src: everything, methods: [...methods, "OPTIONS"], ...fail(notFound) },
    { src: everything, ...refused },
  ];
}

const everything = "^/.*$";

/** The routes of an operation's errors and pages. */
function routesOf(operation: TableOperation, fail: (error: TableError) => Pick<Route, "dest" | "headers">) {
  const { path } = operation;
  const params = paramsOf(operation);
  const src = `^${literal(path)}$`;
  return [
    ...conflictsOf(operation).map(({ filters, error }) => ({
      src,
      has: filters.map((filter) => given(filter)),
      ...fail(error),
    })),
    ...params.map((param) => {
      const patterns = choicesOf(param).map(({ pattern }) => pattern);
      return { src, has: [given(param)], missing: [given(param, `(?:${patterns.join("|")})`)], ...fail(param.error) };
    }),
    ...waysToAsk(operation).map(({ has, missing, page }) => ({
      src,
      ...(has.length > 0 && { has }),
      ...(missing.length > 0 && { missing }),
      dest: `${page}.json`,
      check: true as const,
      headers: answerHeaders(operation),
    })),
    ...params
      .filter(({ kind }) => kind !== "limit")
      .map((param) => ({ src: missingPage(operation, param), ...fail(param.error) })),
  ];
}

const given = ({ name }: Pick<Param, "name">, pattern?: string): Condition => ({
  type: "query",
  key: name,
  ...(pattern !== undefined && { value: `^${pattern}$` }),
});

interface Asked {
  readonly has: readonly Condition[];
  readonly missing: readonly Condition[];
  readonly sent: readonly Param[];
  /** The path of the page, in which `$` and a variable stand for a value. */
  readonly page: string;
}

/** All combinations of a choice of each parameter, or none, with filters that can be combined. No request matches two. */
function waysToAsk(operation: TableOperation): readonly Asked[] {
  let ways: readonly Asked[] = [{ has: [], missing: [], sent: [], page: operation.path }];
  for (const param of inPathOrder(operation)) {
    const value = variable(param);
    ways = ways.flatMap((way) => [
      ...choicesOf(param).map(({ pattern, part }) => ({
        ...way,
        has: [...way.has, given(param, `(?<${value}>${pattern})`)],
        sent: [...way.sent, param],
        page: way.page + part(`$${value}`),
      })),
      { ...way, missing: [...way.missing, given(param)] },
    ]);
    ways = ways.filter(({ sent }) =>
      mayCombine(
        operation,
        sent.filter(({ kind }) => kind === "filter"),
      ),
    );
  }
  return ways;
}

/** Matches the path of a page without a file, whose last parameter is this one. Limits are always known. */
function missingPage(operation: TableOperation, param: Param): string {
  const params = paramsOf(operation).map(({ name }) => name);
  const later = params.slice(params.indexOf(param.name) + 1);
  const parts = inPathOrder(operation).map((each) => {
    const part = `/${each.name}/[^/]+`;
    if (each.name === param.name) return part;
    return later.includes(each.name) ? "" : `(?:${part})?`;
  });
  return `^${literal(operation.path)}${parts.join("")}\\.json$`;
}
