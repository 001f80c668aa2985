// Netlify's rules: `_redirects`, from paths and queries to files, and `_headers`.
import { everyPageSize } from "../../../src/paging.ts";
import { clashesOf, goTogether, isFilter, subsets } from "../../routing/combinations.ts";
import { fileOfParts, inPathOrder, partOf } from "../../routing/parts.ts";
import { errorFolder, itemFile, missingPage, pathPart } from "../../routing/paths.ts";
import { bodiless } from "../../routing/resolve.ts";
import {
  contentTypeOf,
  type Param,
  type RoutingTable,
  type TableFolder,
  type TableOperation,
} from "../../routing/table.ts";
import { isInFolder } from "../known-paths.ts";
import { sharedParams } from "../readings.ts";
import { unplaced } from "./gaps.ts";

/** Beyond this number, Netlify recommends other means, and a deployment may fail. */
export const mostRules = 10_000;

type Rule = readonly [from: string, ...query: string[], to: string, status: number];

/**
 * Netlify tries rules one after another, so operations with fewer parameters, which have fewer rules, come first. If a
 * file has the request's path, Netlify tries no rule.
 */
export function rules(table: RoutingTable): readonly Rule[] {
  const made = known.get(table) ?? makeRules(table);
  known.set(table, made);
  return made;
}

/** The budget counts the rules that the files list. */
const known = new WeakMap<RoutingTable, readonly Rule[]>();

function makeRules(table: RoutingTable): readonly Rule[] {
  const operations = table.operations.toSorted((a, b) => a.params.length - b.params.length);
  const separate = rulesOf({ ...table, operations }, []);
  return separate.length <= mostRules ? separate : rulesOf({ ...table, operations }, mostAlike(operations));
}

/**
 * A limit needs the most rules: one for each accepted value and each choice of other parameters. The operations of
 * `sharing` have the same page sizes and share the rules without filters, which have a placeholder for the operation. It
 * matches any word, so these rules follow all rules of other operations and documents, and lead to no document.
 */
function rulesOf(table: RoutingTable, sharing: readonly TableOperation[]): readonly Rule[] {
  const { base, operations, documents, folders, notFound } = table;
  const listed = documents.filter((each) => !isInFolder(table, each));
  const any = sharing.slice(0, 1).map((each) => ({ ...each, name: ":operation", path: `${base}/:operation` }));
  const others = operations.filter((each) => !sharing.includes(each));
  return [
    ...others.flatMap((each) => [...filtered(each), ...limited(each), ...remaining(each)]),
    ...listed.filter(({ path, file }) => path !== `/${file}`).map(({ path, file }): Rule => [path, `/${file}`, 200]),
    ...sharing.flatMap(filtered),
    ...any.flatMap(limited),
    ...sharing.flatMap(remaining),
    ...operations.flatMap(singleItems),
    ...folders.flatMap(inFolder),
    ["/*", `/${notFound.file}`, notFound.status],
  ];
}

/** One rule for all items of an operation. An unknown key leads to no file, and so to 404.html. */
function singleItems({ path, item }: TableOperation): readonly Rule[] {
  if (item === undefined) return [];
  const key = placeholders(item.parts);
  return [[`${path}/${key}`, `/${itemFile(path, key)}`, 200]];
}

/** One rule for each number of parts. */
const inFolder = ({ path, least, most }: TableFolder): readonly Rule[] =>
  Array.from({ length: most - least + 1 }, (_, index): Rule => {
    const below = `${path}/${placeholders(least + index)}`;
    return [below, `${below}.html`, 200];
  });

/** The parts of a path. */
const placeholders = (parts: number): string =>
  Array.from({ length: parts }, (_, index) => `:key_${"abcdefghijklmnopqrstuvwxyz"[index]}`).join("/");

/** The largest group of operations with the same page sizes. */
const mostAlike = (operations: readonly TableOperation[]): readonly TableOperation[] =>
  sharedParams(operations)
    .filter(({ param }) => param.kind === "limit")
    .reduce<readonly TableOperation[]>((most, { of }) => (of.length > most.length ? of : most), []);

/**
 * First come filters that do not go together, then the values that must not replace a placeholder, then the rules with
 * filters and a limit. Rules with more parameters precede rules with fewer.
 */
const filtered = (operation: TableOperation): readonly Rule[] => [
  ...clashesOf(operation).map(
    ({ params, error }): Rule => [operation.path, ...params.map(placeholder), `/${error.file}`, error.status],
  ),
  ...othersIn(operation).flatMap((param) => unplaced.map((value) => refuse(operation, param, value))),
  ...limitRules(
    operation,
    choices(operation).filter((chosen) => chosen.some(isFilter)),
  ),
];

/** The rules with a limit and without filters, except for those that lead to the page without parameters. */
const limited = (operation: TableOperation): readonly Rule[] =>
  limitRules(
    operation,
    choices(operation).filter((chosen) => !chosen.some(isFilter)),
  ).filter((rule) => !isBare(operation, rule));

/** The limits that lead to the page without parameters, the answer to any other limit, and the rules without a limit. */
const remaining = (operation: TableOperation): readonly Rule[] => [
  ...limitRules(operation, [[]]).filter((rule) => isBare(operation, rule)),
  ...limitsIn(operation).map((limit) => refuse(operation, limit, `:${limit.slot}`)),
  ...choices(operation).map((chosen) => rewrite(operation, chosen)),
];

const isBare = (operation: TableOperation, rule: Rule): boolean =>
  rule.includes(`/${fileOfParts(operation, new Map())}`);

const limitsIn = ({ params }: TableOperation): readonly Param[] => params.filter(({ kind }) => kind === "limit");

const othersIn = ({ params }: TableOperation): readonly Param[] => params.filter(({ kind }) => kind !== "limit");

/** The choices of parameters other than the limit that may be sent together. A choice precedes its subsets. */
const choices = (operation: TableOperation): readonly (readonly Param[])[] =>
  subsets(othersIn(operation)).filter((chosen) => goTogether(operation, chosen));

/** A rule for each choice with each accepted limit. */
const limitRules = (operation: TableOperation, choices: readonly (readonly Param[])[]): readonly Rule[] =>
  choices.flatMap((chosen) =>
    limitsIn(operation).flatMap((param) =>
      everyPageSize.flatMap((limit) => {
        const part = partOf(param, String(limit));
        return part === undefined ? [] : [rewrite(operation, chosen, { param, limit, part })];
      }),
    ),
  );

const placeholder = ({ slot, name }: Param): string => `${name}=:${slot}`;

const refuse = ({ path }: TableOperation, { name, error }: Param, value: string): Rule => [
  path,
  `${name}=${value}`,
  `/${error.file}`,
  error.status,
];

interface GivenLimit {
  readonly param: Param;
  readonly limit: number;
  readonly part: string;
}

function rewrite(operation: TableOperation, chosen: readonly Param[], given?: GivenLimit): Rule {
  const parts = new Map(chosen.map(({ slot, name }) => [slot, pathPart(name, `:${slot}`)]));
  const query = chosen.map(placeholder);
  if (given !== undefined) {
    parts.set(given.param.slot, given.part);
    query.push(`${given.param.name}=${given.limit}`);
  }
  return [operation.path, ...query, `/${fileOfParts(operation, parts)}`, 200];
}

/** The pages and items that will go. A later block overrides an earlier one. */
const noticeBlocks = (operation: TableOperation): readonly string[] =>
  (operation.notices ?? [])
    .toReversed()
    .flatMap(({ param, headers }) => blocks(noticedPaths(operation, param), headers));

/** The parameters before a filter are parts of the paths of its pages. */
function noticedPaths(operation: TableOperation, param: string | undefined): readonly string[] {
  const { path } = operation;
  // Without a placeholder, `*` would also match the rest of a longer name.
  if (param === undefined) return [path, `${path}.json`, `${path}/:part/*`];
  const before = inPathOrder(operation).filter(isFilter);
  const at = before.findIndex(({ name }) => name === param);
  const [own] = before.splice(at);
  return subsets(before)
    .filter((some) => own !== undefined && goTogether(operation, [...some, own]))
    .map(
      (some) =>
        `${path}${some.map(({ name, slot }) => pathPart(name, `:${slot}`)).join("")}${pathPart(param, ":value/*")}`,
    );
}

/**
 * Netlify's tools match headers against the path of the file that a rule leads to. It is not documented whether its
 * servers match this path or the path of the request, so each header is set for both. No path gets a header twice,
 * because the precedence is not documented, except for what is deprecated. Rules cannot match methods, so every answer carries the headers of a
 * preflight.
 */
export function headers(table: RoutingTable): readonly string[] {
  const { base, operations, documents, folders, preflight, errorCacheControl } = table;
  const type = contentTypeOf(table);
  return [
    ...blocks(["/*"], bodiless(table)),
    ...blocks([`/${missingPage}`, `/${errorFolder(base)}/*`], {
      "Content-Type": type,
      "Cache-Control": errorCacheControl,
    }),
    ...operations.flatMap(({ path, cacheControl }) =>
      blocks([path, `${path}.json`, `${path}/*`], {
        "Content-Type": type,
        "Cache-Control": cacheControl,
        ...preflight,
      }),
    ),
    ...operations.flatMap(noticeBlocks),
    ...[
      ...documents
        .filter((each) => !isInFolder(table, each))
        .map(({ path, file, ...rest }) => ({ ...rest, paths: [...new Set([path, `/${file}`])] })),
      ...folders.map(({ path, ...rest }) => ({ ...rest, paths: [`${path}/*`] })),
    ].flatMap(({ paths, contentType, cacheControl }) =>
      blocks(paths, { "Content-Type": contentType, "Cache-Control": cacheControl, ...preflight }),
    ),
  ];
}

const blocks = (paths: readonly string[], headers: RoutingTable["headers"]): readonly string[] =>
  paths.flatMap((path) => [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)]);
