// Vercel's routes, which map paths and queries to files.
import { mayCombine, type Param } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import { answerHeaders, documentHeaders } from "../../routing/resolve.ts";
import type { ErrorAnswer, RoutingTable, TableError } from "../../routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "../../values/non-empty.ts";
import type { Tables } from "../host.ts";
import { choicesOf } from "../readings.ts";
import { literal, variable } from "../syntax.ts";
import { type HostView, oneOfPaths, type ViewOperation, viewOf } from "../view.ts";

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
export function routes(tables: Tables): readonly (Route | { readonly handle: "filesystem" })[] {
  const views = mapNonEmpty(tables, viewOf);
  const [site, ...others] = views;
  return [
    ...views.flatMap(bodilessRoutes),
    { src: everything, headers: site.table.headers, continue: true },
    ...others.map((view) => ({
      src: pathsOf(view),
      ...caseSensitively,
      headers: view.table.headers,
      continue: true as const,
    })),
    ...views.flatMap(documentRoutes),
    ...otherSpellings(views),
    { handle: "filesystem" },
    ...views.flatMap(pageRoutes),
    ...others.flatMap((view) => [...notFoundRoutes(view), ...unknownOf(view, pathsOf(view))]),
    ...notFoundRoutes(site),
    ...unknown(site, everything),
  ];
}

/** Preflights and redirects. */
const bodilessRoutes = ({ table, common, known }: HostView): readonly Route[] => [
  {
    src: `^(?:${known.join("|")})$`,
    caseSensitive: true,
    methods: ["OPTIONS"],
    status: 204,
    headers: { ...common, ...table.preflight },
  },
  ...table.redirects.map(({ path, to }) => ({
    src: `^${literal(path)}$`,
    ...exactly(table),
    status: 308,
    headers: { ...common, "Cache-Control": table.errorCacheControl, Location: to },
  })),
];

function documentRoutes(view: HostView): readonly Route[] {
  const { table, outputs } = view;
  const { documents } = table;
  if (documents.length === 0) return [];
  return [
    ...documents.map((document) => ({
      src: `^${literal(document.path)}$`,
      ...exactly(table),
      dest: `/${document.file}`,
      headers: documentHeaders(document),
    })),
    { src: `^${oneOfPaths(documents)}$`, caseSensitive: true, ...refusal(view) },
    // If the file does not exist, only the last routes apply to its path.
    ...outputs.map((output) => ({
      src: `^${output.captured.replace("(", "(?<page>")}$`,
      ...exactly(table),
      dest: output.capturedFile.replace("$1", "$page"),
      check: true as const,
      headers: documentHeaders(output),
    })),
    ...outputs.map(({ paths }) => ({ src: `^${paths}$`, caseSensitive: true as const, ...refusal(view) })),
  ];
}

/**
 * The filesystem may find a file at another spelling of its path, such as an encoded one, and sends it without the headers
 * of its route. No path of the API needs one.
 */
function otherSpellings([site, ...others]: NonEmpty<HostView>): readonly Route[] {
  const isServed = ({ kinds }: HostView) => kinds.some(({ headers }) => headers !== undefined);
  if (![site, ...others].some(isServed)) return [];
  const spelling = ".*(?:[^A-Za-z0-9._/-]|//|/\\.{1,2}(?:/|$))";
  return [
    ...others.flatMap((view) => [
      ...notFoundRoutes(view, `(?=${spelling})`),
      ...unknownOf(view, `^(?=${spelling})${pathsOf(view).slice(1)}`),
    ]),
    ...notFoundRoutes(site, `(?=${spelling})`),
    ...unknown(site, `^${spelling}.*$`),
  ];
}

/** Pages and their errors, and single items. */
const pageRoutes = (view: HostView): readonly Route[] => [
  ...view.operations.flatMap((operation) => routesOf(view, operation)),
  // If the item does not exist, only the last routes apply to the path of its file.
  ...view.items.flatMap(({ operations, key }) =>
    operations.map((operation) => ({
      src: `^${literal(operation.path)}/(?<key>${key})$`,
      ...exactly(view.table),
      dest: `${operation.path}${itemFolder}$key.json`,
      check: true as const,
      headers: answerHeaders(operation),
    })),
  ),
];

/** For paths below the base of an API that is not the first. */
const unknownOf = (view: HostView, src: string): readonly Route[] =>
  unknown(view, src).map((route) => ({ ...route, ...caseSensitively }));

/** Matches the paths of an API. Vercel adds an end to an expression that has none. */
const pathsOf = ({ own }: HostView): string => `${own}.*$`;

const caseSensitively = { caseSensitive: true } as const;

const exactly = ({ methods }: RoutingTable) => ({ caseSensitive: true, methods }) as const;

/** The answer with an error. A route that has led to no file has set its headers, so this one resets them. */
function failure(
  { table, type, notices }: HostView,
  { status, file, contentType = type }: ErrorAnswer,
): Pick<Route, "dest" | "status" | "headers"> {
  const restored = Object.fromEntries(
    notices.flatMap(({ header, otherwise }) => (otherwise === "" ? [] : [[header, otherwise]])),
  );
  const headers = { "Content-Type": contentType, "Cache-Control": table.errorCacheControl, ...restored };
  return { dest: `/${file}`, status, headers };
}

/** The answer to a method that the API does not have. */
function refusal(view: HostView): Pick<Route, "dest" | "status" | "headers"> {
  const { headers, ...answer } = failure(view, view.table.methodNotAllowed);
  return { ...answer, headers: { ...headers, Allow: view.table.allow } };
}

/** The answers to paths that the API does not have. */
const unknown = (view: HostView, src: string): readonly Route[] => [
  { src, methods: [...view.table.methods, "OPTIONS"], ...failure(view, view.table.notFound) },
  { src, ...refusal(view) },
];

/** The answers to some paths at which there is nothing. `condition` is an expression that the path meets, too. */
const notFoundRoutes = (view: HostView, condition = ""): readonly Route[] =>
  view.notFoundPlaces.map(({ start, answer }) => ({
    src: `^${condition}${start}.*$`,
    ...caseSensitively,
    methods: [...view.table.methods, "OPTIONS"],
    ...failure(view, answer),
  }));

const everything = "^/.*$";

/** The routes of an operation's errors and pages. */
function routesOf(view: HostView, operation: ViewOperation): readonly Route[] {
  const { path, params } = operation;
  const src = `^${literal(path)}$`;
  const fail = (error: TableError) => failure(view, error);
  const routes = [
    ...operation.conflicts.map(({ filters, error }) => ({
      src,
      has: filters.map((filter) => paramCondition(filter)),
      ...fail(error),
    })),
    ...params.map((param) => {
      const patterns = choicesOf(param).map(({ pattern }) => pattern);
      return {
        src,
        has: [paramCondition(param)],
        missing: [paramCondition(param, `(?:${patterns.join("|")})`)],
        ...fail(param.error),
      };
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
  return routes.map((route) => ({ ...route, ...exactly(view.table) }));
}

/** A request has the parameter, with a value that the pattern matches if there is one. */
const paramCondition = ({ name }: Pick<Param, "name">, pattern?: string): Condition => ({
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
function waysToAsk(operation: ViewOperation): readonly Asked[] {
  let ways: readonly Asked[] = [{ has: [], missing: [], sent: [], page: operation.path }];
  for (const param of operation.pathParams) {
    const value = variable(param);
    ways = ways.flatMap((way) => [
      ...choicesOf(param).map(({ pattern, part }) => ({
        ...way,
        has: [...way.has, paramCondition(param, `(?<${value}>${pattern})`)],
        sent: [...way.sent, param],
        page: way.page + part(`$${value}`),
      })),
      { ...way, missing: [...way.missing, paramCondition(param)] },
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
function missingPage(operation: ViewOperation, param: Param): string {
  const names = operation.params.map(({ name }) => name);
  const later = names.slice(names.indexOf(param.name) + 1);
  const parts = operation.pathParams.map(({ name }) => {
    const part = `/${name}/[^/]+`;
    if (name === param.name) return part;
    return later.includes(name) ? "" : `(?:${part})?`;
  });
  return `^${literal(operation.path)}${parts.join("")}\\.json$`;
}
