// Netlify's rules: `_redirects`, from paths and queries to files, and `_headers`.
import { filledPath } from "../../../src/model/output-path.ts";
import { everyPageSize } from "../../../src/model/paging.ts";
import { fileOfParts, mayCombine, type Param, partOf, subsets } from "../../routing/params.ts";
import { errorFolder, missingPage, pathPart } from "../../routing/paths.ts";
import { documentHeaders, notFoundPlaces } from "../../routing/resolve.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import { onceFor } from "../../values/once.ts";
import type { Tables } from "../host.ts";
import { variable } from "../syntax.ts";
import { type HostView, otherNames, type ViewOperation, viewOf } from "../view.ts";

/**
 * Values that lead out of their folder in a path: with `..` as `:region` the target would be the page of all regions.
 * Separate rules refuse them.
 */
export const unplaced: readonly string[] = ["", ".", ".."];

/**
 * Netlify tries rules one after another, so operations with fewer parameters, which have fewer rules, come first. If a
 * file has the request's path, Netlify tries no rule. An unknown key leads to no file, and so to 404.html.
 */
export function rules(tables: Tables): readonly string[] {
  const [first, ...others] = tables;
  const lists = tables.flatMap(rulesOfLists).toSorted((one, other) => one.params - other.params);
  const missing = (path: string, { notFound }: RoutingTable) => rule(path, [], notFound.file, notFound.status);
  return [
    ...lists.flatMap(({ lines }) => lines),
    ...tables.flatMap(otherNames).map(([path, file]) => rule(path, [], file)),
    ...others.flatMap((table) => [...notFoundRules(table), missing(`${table.base}/*`, table)]),
    ...notFoundRules(first),
    ...(first.lost?.outside === undefined ? [missing("/*", first)] : []),
  ];
}

/** The limit of the host counts the rules that the build has printed. */
const rulesOfLists = onceFor((table: RoutingTable) =>
  viewOf(table).operations.map((operation) => ({ params: operation.params.length, lines: listRules(operation) })),
);

/** `/api/*` also matches `/api`. */
const notFoundRules = (table: RoutingTable): readonly string[] =>
  notFoundPlaces(table).map(({ path, answer }) => rule(path.replace(/\/?$/, "/*"), [], answer.file, answer.status));

const rule = (path: string, query: readonly string[], file: string, status = 200): string =>
  [path, ...query, `/${file}`, status].join(" ");

/**
 * First come filters that cannot be combined, then the values that must not replace a placeholder. Rules with more
 * parameters precede rules with fewer. A limit needs a rule for each accepted value and each choice of other parameters.
 */
function listRules(operation: ViewOperation): readonly string[] {
  const { path, params } = operation;
  const limits = params.filter(({ kind }) => kind === "limit");
  const others = params.filter(({ kind }) => kind !== "limit");
  const isFilter = ({ kind }: Param) => kind === "filter";
  // A choice precedes its subsets.
  const choices = subsets(others).filter((chosen) => mayCombine(operation, chosen.filter(isFilter)));
  const refuse = ({ name, error }: Param, value: string) => rule(path, [`${name}=${value}`], error.file, error.status);
  const rewrite = (chosen: readonly Param[], query: readonly string[] = [], limitParts: [string, string][] = []) => {
    const parts = new Map([
      ...limitParts,
      ...chosen.map((param) => [param.name, pathPart(param.name, `:${variable(param)}`)] as const),
    ]);
    return rule(path, [...chosen.map(placeholder), ...query], fileOfParts(operation, parts));
  };
  return [
    ...operation.conflicts.map(({ filters, error }) => rule(path, filters.map(placeholder), error.file, error.status)),
    ...others.flatMap((param) => unplaced.map((value) => refuse(param, value))),
    ...choices.flatMap((chosen) =>
      limits.flatMap((param) =>
        everyPageSize.flatMap((limit) => {
          const part = partOf(param, String(limit));
          return part === undefined ? [] : rewrite(chosen, [`${param.name}=${limit}`], [[param.name, part]]);
        }),
      ),
    ),
    ...limits.map((limit) => refuse(limit, `:${variable(limit)}`)),
    ...choices.map((chosen) => rewrite(chosen)),
  ];
}

const placeholder = (param: Pick<Param, "name">): string => `${param.name}=:${variable(param)}`;

/**
 * Netlify's tools match headers against the path of the file that a rule leads to. It is not documented whether its
 * servers match this path or the path of the request, so each header is set for both. No path gets a header twice,
 * because the precedence is not documented, except for what is deprecated. Rules cannot match methods, so every answer
 * carries the headers of a preflight.
 */
export function headers(tables: Tables): readonly string[] {
  const views = mapNonEmpty(tables, viewOf);
  const [first, ...others] = views;
  return [
    ...blocks(["/*"], first.common),
    // The links of an API replace those of the first.
    ...others.flatMap((view) => blocks(placesOf(view), view.common)),
    ...views.flatMap(headersOfApi),
  ];
}

/** The paths of an API, as a block of headers has them. */
const placesOf = ({ base, outside }: HostView): readonly string[] => [
  base,
  `${base}/*`,
  ...outside.paths,
  ...outside.outputs.map(({ wildcard }) => wildcard),
];

function headersOfApi({ table, base, type, outputs }: HostView): readonly string[] {
  const { operations, documents, errorCacheControl } = table;
  // Of a preflight that allows nothing. Netlify sets it itself.
  const { Allow: _, ...preflight } = table.preflight;
  const errors = { "Content-Type": type, "Cache-Control": errorCacheControl };
  const places = [
    // A document whose path is one of an output's has a later block.
    ...outputs
      .toReversed()
      .map((output) => ({ ...output, file: filledPath(output.file, () => "*"), path: output.wildcard })),
    ...documents,
  ];
  return [
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
    ...places.flatMap((place) =>
      blocks([...new Set([place.path, `/${place.file}`])], { ...documentHeaders(place), ...preflight }),
    ),
  ];
}

const blocks = (paths: readonly string[], headers: RoutingTable["headers"]): readonly string[] =>
  paths.flatMap((path) => [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)]);
