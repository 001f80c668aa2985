// Netlify's rules: `_redirects`, from paths and queries to files, and `_headers`.
import { everyPageSize } from "../../../src/model/paging.ts";
import { clashesOf, fileOfParts, goTogether, partOf, subsets } from "../../routing/params.ts";
import { errorFolder, missingPage, pathPart } from "../../routing/paths.ts";
import { bodiless } from "../../routing/resolve.ts";
import { contentTypeOf, type Param, type RoutingTable, type TableOperation } from "../../routing/table.ts";
import { documentsOutsideFolders, otherNames } from "../known-paths.ts";
import { unplaced } from "./gaps.ts";

/**
 * Netlify tries rules one after another, so operations with fewer parameters, which have fewer rules, come first. If a
 * file has the request's path, Netlify tries no rule. An unknown key or table leads to no file, and so to 404.html.
 */
export function rules(table: RoutingTable): readonly string[] {
  const operations = table.operations.toSorted((a, b) => a.params.length - b.params.length);
  return [
    ...operations.flatMap(listRules),
    ...otherNames(table).map(([path, file]) => rule(path, [], file)),
    rule("/*", [], table.notFound.file, table.notFound.status),
  ];
}

const rule = (path: string, query: readonly string[], file: string, status = 200): string =>
  [path, ...query, `/${file}`, status].join(" ");

/**
 * First come filters that do not go together, then the values that must not replace a placeholder. Rules with more
 * parameters precede rules with fewer. A limit needs a rule for each accepted value and each choice of other parameters.
 */
function listRules(operation: TableOperation): readonly string[] {
  const { path, params } = operation;
  const limits = params.filter(({ kind }) => kind === "limit");
  const others = params.filter(({ kind }) => kind !== "limit");
  // A choice precedes its subsets.
  const choices = subsets(others).filter((chosen) => goTogether(operation, chosen));
  const refuse = ({ name, error }: Param, value: string) => rule(path, [`${name}=${value}`], error.file, error.status);
  const rewrite = (chosen: readonly Param[], query: readonly string[] = [], limitParts: [string, string][] = []) => {
    const parts = new Map([
      ...limitParts,
      ...chosen.map(({ slot, name }) => [slot, pathPart(name, `:${slot}`)] as const),
    ]);
    return rule(path, [...chosen.map(placeholder), ...query], fileOfParts(operation, parts));
  };
  return [
    ...clashesOf(operation).map(({ params, error }) => rule(path, params.map(placeholder), error.file, error.status)),
    ...others.flatMap((param) => unplaced.map((value) => refuse(param, value))),
    ...choices.flatMap((chosen) =>
      limits.flatMap((param) =>
        everyPageSize.flatMap((limit) => {
          const part = partOf(param, String(limit));
          return part === undefined ? [] : rewrite(chosen, [`${param.name}=${limit}`], [[param.slot, part]]);
        }),
      ),
    ),
    ...limits.map((limit) => refuse(limit, `:${limit.slot}`)),
    ...choices.map((chosen) => rewrite(chosen)),
  ];
}

const placeholder = ({ slot, name }: Param): string => `${name}=:${slot}`;

/**
 * Netlify's tools match headers against the path of the file that a rule leads to. It is not documented whether its
 * servers match this path or the path of the request, so each header is set for both. No path gets a header twice,
 * because the precedence is not documented, except for what is deprecated. Rules cannot match methods, so every answer
 * carries the headers of a preflight.
 */
export function headers(table: RoutingTable): readonly string[] {
  const { base, operations, folders, preflight, errorCacheControl } = table;
  const type = contentTypeOf(table);
  const errors = { "Content-Type": type, "Cache-Control": errorCacheControl };
  const places = [
    ...documentsOutsideFolders(table).map((each) => ({ ...each, paths: [...new Set([each.path, `/${each.file}`])] })),
    ...folders.map((each) => ({ ...each, paths: [`${each.path}/*`] })),
  ];
  return [
    ...blocks(["/*"], bodiless(table)),
    ...blocks([`/${missingPage}`, `/${errorFolder(base)}/*`], errors),
    ...operations.flatMap(({ path, cacheControl }) =>
      blocks([path, `${path}.json`, `${path}/*`], {
        "Content-Type": type,
        "Cache-Control": cacheControl,
        ...preflight,
      }),
    ),
    ...operations.flatMap(({ path, headers }) =>
      // Without a placeholder, `*` would also match the rest of a longer name.
      headers === undefined ? [] : blocks([path, `${path}.json`, `${path}/:part/*`], headers),
    ),
    ...places.flatMap(({ paths, contentType, cacheControl }) =>
      blocks(paths, { "Content-Type": contentType, "Cache-Control": cacheControl, ...preflight }),
    ),
  ];
}

const blocks = (paths: readonly string[], headers: RoutingTable["headers"]): readonly string[] =>
  paths.flatMap((path) => [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)]);
