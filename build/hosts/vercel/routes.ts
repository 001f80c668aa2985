// Vercel's routes, which map paths and queries to files.
import { clashesOf, goTogether } from "../../routing/combinations.ts";
import { inPathOrder } from "../../routing/parts.ts";
import { itemFolder } from "../../routing/paths.ts";
import { answerHeaders, bodiless } from "../../routing/resolve.ts";
import {
  contentTypeOf,
  type Param,
  type RoutingTable,
  type TableError,
  type TableOperation,
} from "../../routing/table.ts";
import { accepted, choicesOf } from "../choices.ts";
import { folderPath, itemKeys, itemPathsOf, oneOfPaths } from "../known-paths.ts";
import { noticedHeaders } from "../notices.ts";
import { literal } from "../syntax.ts";

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
  const { headers, methods, notFound, errorCacheControl } = table;
  const { operations, documents, folders, redirects, preflight } = table;
  const exactly = { caseSensitive: true, methods } as const;
  return [
    {
      src: oneOf([...operations, ...documents], [...itemPathsOf(table), ...folders.map(folderPath)]),
      caseSensitive: true,
      methods: ["OPTIONS"],
      status: 204,
      headers: { ...bodiless(table), ...preflight },
    },
    ...redirects.map(({ path, to }) => ({
      src: oneOf([{ path }]),
      ...exactly,
      status: 308,
      headers: { ...bodiless(table), "Cache-Control": errorCacheControl, Location: to },
    })),
    { src: everything, headers, continue: true },
    ...documents.map(({ path, file, contentType, cacheControl }) => ({
      src: oneOf([{ path }]),
      ...exactly,
      dest: `/${file}`,
      headers: { "Content-Type": contentType, "Cache-Control": cacheControl },
    })),
    ...(documents.length === 0 ? [] : [{ src: oneOf(documents), caseSensitive: true as const, ...refused(table) }]),
    { handle: "filesystem" },
    ...operations
      .flatMap((operation) => [
        ...clashesOf(operation).map(({ params, error }) => ({
          src: `^${literal(operation.path)}$`,
          has: params.map((param) => given(param)),
          ...answer(table, error),
        })),
        ...operation.params.map((param) => malformed(table, operation, param)),
        ...pages(operation),
        ...operation.params.flatMap((param) => missingPage(table, operation, param)),
      ])
      .map((route) => ({ ...route, ...exactly })),
    // If the item does not exist, only the last routes apply to the path of its file.
    ...itemKeys(table).flatMap(({ operations: own, key }) =>
      own.map((operation) => ({
        src: `^${literal(operation.path)}/(?<key>${key})$`,
        ...exactly,
        dest: `${operation.path}${itemFolder}$key.json`,
        check: true as const,
        headers: answerHeaders(operation, []),
      })),
    ),
    ...folders.map((each) => ({
      src: `^(?<page>${folderPath(each)})$`,
      ...exactly,
      dest: "$page.html",
      check: true as const,
      headers: { "Content-Type": each.contentType, "Cache-Control": each.cacheControl },
    })),
    { src: everything, methods: [...methods, "OPTIONS"], ...answer(table, notFound) },
    { src: everything, ...refused(table) },
  ];
}

const everything = "^/.*$";

/** Matches one of these paths, or one of these expressions. */
const oneOf = (list: readonly { readonly path: string }[], expressions: readonly string[] = []): string =>
  `^(?:${[oneOfPaths(list), ...expressions].join("|")})$`;

function refused(table: RoutingTable) {
  const { headers, ...rest } = answer(table, table.methodNotAllowed);
  return { ...rest, headers: { ...headers, Allow: table.allow } };
}

const answer = (table: RoutingTable, { status, file }: TableError) => ({
  dest: `/${file}`,
  status,
  // A route that has led to no file has set its headers.
  headers: {
    "Content-Type": contentTypeOf(table),
    "Cache-Control": table.errorCacheControl,
    ...Object.fromEntries(noticedHeaders(table).filter(([, otherwise]) => otherwise !== "")),
  },
});

const malformed = (table: RoutingTable, { path }: TableOperation, param: Param): Route => ({
  src: `^${literal(path)}$`,
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
  waysToAsk(operation).map((ways) => {
    const [has, missing] = [ways.flatMap((way) => way.has ?? []), ways.flatMap((way) => way.missing ?? [])];
    return {
      src: `^${literal(operation.path)}$`,
      ...(has.length === 0 ? {} : { has }),
      ...(missing.length === 0 ? {} : { missing }),
      dest: `${operation.path}${ways.map(({ part }) => part).join("")}.json`,
      check: true,
      headers: answerHeaders(
        operation,
        ways.filter((way) => way.has !== undefined).map(({ param }) => param),
      ),
    };
  });

/** A way to send a parameter, or to omit it, and the resulting part of the page's path. */
interface Way {
  readonly param: Param;
  readonly has?: Condition;
  readonly missing?: Condition;
  readonly part: string;
}

/** All combinations of one way for each parameter, with filters that go together. */
function waysToAsk(operation: TableOperation): readonly (readonly Way[])[] {
  let asked: readonly (readonly Way[])[] = [[]];
  for (const param of inPathOrder(operation)) {
    asked = asked
      .flatMap((before) => waysToGive(param).map((way) => [...before, way]))
      .filter((ways) =>
        goTogether(
          operation,
          ways.filter(({ has }) => has !== undefined).map((way) => way.param),
        ),
      );
  }
  return asked;
}

const waysToGive = (param: Param): readonly Way[] => [
  ...choicesOf(param).map(({ pattern, part }) => ({
    param,
    has: given(param, `(?<${param.slot}>${pattern})`),
    part: part(`$${param.slot}`),
  })),
  { param, missing: given(param), part: "" },
];

/** The answer to a page's path without a file: the error of the last parameter in the path. Limits are always known. */
function missingPage(table: RoutingTable, operation: TableOperation, param: Param): readonly Route[] {
  if (param.kind === "limit") return [];
  const later = operation.params.slice(operation.params.indexOf(param) + 1);
  const parts = inPathOrder(operation).map((each) => {
    const part = `/${each.name}/[^/]+`;
    if (each === param) return part;
    return later.includes(each) ? "" : `(?:${part})?`;
  });
  return [{ src: `^${literal(operation.path)}${parts.join("")}\\.json$`, ...answer(table, param.error) }];
}
