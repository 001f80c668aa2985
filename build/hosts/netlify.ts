// Netlify: `_redirects` maps path and query to files, `_headers` sets the headers.
//
// Relied on: the first matching rule wins, top to bottom; a rule matches when the request has all of its query
// parameters, whatever others there are and in whatever order; a placeholder takes any value; a rewrite to a file that
// does not exist ends in 404.html and reaches no later rule.
// https://docs.netlify.com/routing/redirects/ https://docs.netlify.com/routing/redirects/redirect-options/
// https://docs.netlify.com/routing/headers/
import { apiFolder, pageFile } from "../../src/files.ts";
import { maxLimit, sizeFor } from "../../src/paging.ts";
import { type OutputFile, textFile } from "../file.ts";
import type { Param, RoutingTable } from "../routing/table.ts";
import type { Gap, HostAdapter } from "./host.ts";

/** What Netlify serves where a rewrite leads to no file. It holds the JSON of the 404 all the same. */
const missing = "404.html";

export const netlify: HostAdapter = {
  name: "netlify",
  owns: ["_redirects", "_headers"],
  files: (table) => [redirects(table), headers(table)],
  get gaps() {
    return gaps;
  },
};

type TableOperation = RoutingTable["operations"][number];

function redirects(table: RoutingTable): OutputFile {
  const rules = table.operations.flatMap((operation) => operationRules(operation));
  const { status, file } = table.notFound;
  const lines = [...rules, ["/*", `/${file}`, status]].map((rule) => rule.join(" "));
  return textFile("_redirects", `${lines.join("\n")}\n`);
}

type Rule = readonly (string | number)[];

/**
 * The most specific rules first: those with a limit, one for each integer that has a page size, then the answer to any
 * other limit, then those without one; in each group those with more parameters before those with fewer.
 */
function operationRules(operation: TableOperation): readonly Rule[] {
  const { path, params } = operation;
  const limit = params.find((param) => param.kind === "limit");
  const combinations = subsets(params.filter((param) => param.kind !== "limit"));
  const limits = Array.from({ length: maxLimit }, (_, index) => index + 1);
  const withLimit =
    limit === undefined
      ? []
      : combinations.flatMap((chosen) =>
          limits.flatMap((value) => {
            const size = sizeFor(value, limit.sizes);
            return size === undefined ? [] : [rewrite(operation, chosen, `${limit.name}=${value}`, size)];
          }),
        );
  const otherLimits =
    limit === undefined ? [] : [[path, `${limit.name}=:${limit.name}`, `/${limit.error.file}`, limit.error.status]];
  return [...withLimit, ...otherLimits, ...combinations.map((chosen) => rewrite(operation, chosen))];
}

function rewrite({ name, path }: TableOperation, chosen: readonly Param[], limitQuery?: string, limit?: number): Rule {
  const filter = chosen.find((param) => param.kind === "filter");
  const cursor = chosen.find((param) => param.kind === "cursor");
  const file = pageFile({
    operation: name,
    filter: filter && { param: filter.name, value: `:${filter.name}` },
    limit,
    cursor: cursor && `:${cursor.name}`,
  });
  const query = chosen.map((param) => `${param.name}=:${param.name}`);
  return [path, ...query, ...(limitQuery === undefined ? [] : [limitQuery]), `/${file}`, 200];
}

/** All subsets of a list, larger ones before those that they contain. */
function subsets<T>(list: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = list;
  if (first === undefined) return [[]];
  const others = subsets(rest);
  return [...others.map((subset) => [first, ...subset]), ...others];
}

/**
 * Netlify's own tools match headers against the path that a rule rewrote to; whether its servers take that or the
 * path of the request is not documented. Each header is therefore set for both, which is the same value twice at most.
 */
function headers(table: RoutingTable): OutputFile {
  const common = Object.entries(table.headers);
  const cached = (paths: readonly string[], cacheControl: string) =>
    paths.map((path) => block(path, [["Cache-Control", cacheControl]]));
  const blocks = [
    block(`${table.base.slice(0, table.base.lastIndexOf("/"))}/*`, common),
    block(`/${missing}`, [...common, ["Cache-Control", table.errorCacheControl]]),
    ...table.operations.flatMap(({ path, cacheControl }) => cached([path, `${path}.json`, `${path}/*`], cacheControl)),
    ...cached([`/${apiFolder}/errors/*`], table.errorCacheControl),
  ];
  return textFile("_headers", `${blocks.join("\n")}\n`);
}

const block = (path: string, headers: readonly (readonly [string, string])[]): string =>
  [path, ...headers.map(([name, value]) => `  ${name}: ${value}`)].join("\n");

const gaps: readonly Gap[] = [];
