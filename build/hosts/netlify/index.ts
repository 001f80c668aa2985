// Netlify: `_redirects` maps path and query to files, `_headers` sets the headers.
//
// Relied on: the first matching rule wins, top to bottom; a rule matches if the request has all of its query
// parameters, in any order and with any others; a placeholder takes any value and inserts it into the target
// percent-encoded, including slashes; a rewrite to a missing file ends in 404.html and reaches no later rule.
// https://docs.netlify.com/routing/redirects/ https://docs.netlify.com/routing/redirects/redirect-options/
// https://docs.netlify.com/routing/headers/

import { maxLimit } from "../../../src/paging.ts";
import { type OutputFile, textFile } from "../../file.ts";
import { clashesOf, goTogether, isFilter, subsets } from "../../routing/combinations.ts";
import { fileOfParts, partOf } from "../../routing/parts.ts";
import { errorFolder, itemFile, pathPart } from "../../routing/paths.ts";
import type { Param, RoutingTable, TableOperation } from "../../routing/table.ts";
import type { HostAdapter } from "../host.ts";
import { sharedParams } from "../readings.ts";
import { netlifyDev } from "./dev.ts";
import { gaps, unplaced } from "./gaps.ts";
import { publishing } from "./publishing.ts";

/** The file that Netlify serves if the target of a rewrite does not exist. It holds the JSON of the 404. */
const missing = "404.html";

export const netlify: HostAdapter = {
  name: "netlify",
  signature: ["x-nf-request-id", /./],
  publishing,
  owns: () => ["_redirects", "_headers"],
  reads: () => ["_redirects", "_headers", "netlify.toml", "404.html"],
  files: (table) => [redirects(table), headers(table)],
  limits: [{ what: "files in one folder", most: 54_000, source: "https://docs.netlify.com/site-deploys/overview/" }],
  uses: (table) => [
    {
      what: "rules",
      used: rules(table).length,
      most: mostRules,
      source: "https://docs.netlify.com/manage/routing/redirects/overview/",
    },
  ],
  program: netlifyDev(({ publishRoot, folder }) => ["--cwd", folder, "--dir", publishRoot, "--framework", "#static"]),
  gaps,
  unproven: [
    "A rule matches although the request has parameters that the rule does not name.",
    "A rule with the status 400 is answered with its target and this status, like a rule with 404.",
    "A rewrite to a file that does not exist is answered with 404.html.",
    "A placeholder in the path of a rule matches one part of a path, also if the rule has query parameters.",
    "The gaps are those of Netlify's tools; its servers may treat unusual paths, queries and methods differently.",
    "Headers are set by the path of the file or by the path of the request; if by the request's, an error at an operation's path has the Cache-Control of the operation.",
    "OPTIONS is answered as GET, with a status that browsers accept for a preflight (200 to 299) and the headers set here.",
    "The path of a folder, with or without a slash at its end, is answered with the folder's index.html.",
  ],
};

/** Beyond this number, Netlify recommends other means, and a deployment may fail. */
const mostRules = 10_000;

type Rule = readonly [from: string, ...query: string[], to: string, status: number];

const redirects = (table: RoutingTable): OutputFile =>
  textFile(
    "_redirects",
    rules(table)
      .map((rule) => `${rule.join(" ")}\n`)
      .join(""),
  );

/**
 * Netlify tries rules one after another, so operations with fewer parameters, which have fewer rules, come first. If a
 * file has the request's path, Netlify tries no rule.
 */
function rules(table: RoutingTable): readonly Rule[] {
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
  const { base, operations, documents, notFound } = table;
  const any = sharing.slice(0, 1).map((each) => ({ ...each, name: ":operation", path: `${base}/:operation` }));
  const others = operations.filter((each) => !sharing.includes(each));
  return [
    ...others.flatMap((each) => [...filtered(each), ...limited(each), ...remaining(each)]),
    ...documents.filter(({ path, file }) => path !== `/${file}`).map(({ path, file }): Rule => [path, `/${file}`, 200]),
    ...sharing.flatMap(filtered),
    ...any.flatMap(limited),
    ...sharing.flatMap(remaining),
    ...operations.flatMap(singleItems),
    ["/*", `/${notFound.file}`, notFound.status],
  ];
}

/** One rule for all items of an operation. An unknown key leads to no file, and so to 404.html. */
function singleItems({ path, item }: TableOperation): readonly Rule[] {
  if (item === undefined) return [];
  const key = Array.from({ length: item.parts }, (_, index) => `:key_${"abcdefghijklmnopqrstuvwxyz"[index]}`).join("/");
  return [[`${path}/${key}`, `/${itemFile(path, key)}`, 200]];
}

/** The largest group of operations with the same page sizes. */
function mostAlike(operations: readonly TableOperation[]): readonly TableOperation[] {
  const limits = sharedParams(operations).filter(({ param }) => param.kind === "limit");
  return limits.reduce<readonly TableOperation[]>((most, { of }) => (of.length > most.length ? of : most), []);
}

/**
 * First come filters that do not go together, then the values that must not replace a placeholder, then the rules with
 * filters and a limit. Rules with more parameters precede rules with fewer.
 */
const filtered = (operation: TableOperation): readonly Rule[] => [
  ...clashesOf(operation).map(
    ({ params, error }): Rule => [operation.path, ...params.map(placeholder), `/${error.file}`, error.status],
  ),
  ...othersIn(operation).flatMap((param) => unplaced.map((value) => refuse(operation, param, value))),
  ...choices(operation)
    .filter((chosen) => chosen.some(isFilter))
    .flatMap((chosen) => limitRules(operation, chosen)),
];

/** The rules with a limit and without filters, except for those that lead to the page without parameters. */
const limited = (operation: TableOperation): readonly Rule[] =>
  choices(operation)
    .filter((chosen) => !chosen.some(isFilter))
    .flatMap((chosen) => limitRules(operation, chosen))
    .filter((rule) => !isBare(operation, rule));

/** The limits that lead to the page without parameters, the answer to any other limit, and the rules without a limit. */
const remaining = (operation: TableOperation): readonly Rule[] => [
  ...limitRules(operation, []).filter((rule) => isBare(operation, rule)),
  ...operation.params.filter(({ kind }) => kind === "limit").map((limit) => refuse(operation, limit, `:${limit.slot}`)),
  ...choices(operation).map((chosen) => rewrite(operation, chosen)),
];

const isBare = (operation: TableOperation, rule: Rule): boolean =>
  rule.includes(`/${fileOfParts(operation, new Map())}`);

const othersIn = ({ params }: TableOperation): readonly Param[] => params.filter(({ kind }) => kind !== "limit");

/** The choices of parameters other than the limit that may be sent together. A choice precedes its subsets. */
const choices = (operation: TableOperation): readonly (readonly Param[])[] =>
  subsets(othersIn(operation)).filter((chosen) => goTogether(operation, chosen));

/** A rule for each accepted limit. */
const limitRules = (operation: TableOperation, chosen: readonly Param[]): readonly Rule[] =>
  operation.params
    .filter(({ kind }) => kind === "limit")
    .flatMap((limit) =>
      Array.from({ length: maxLimit }, (_, index) => String(index + 1)).flatMap((value) => {
        const part = partOf(limit, value);
        return part === undefined ? [] : [rewrite(operation, chosen, { param: limit, value, part })];
      }),
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
  readonly value: string;
  readonly part: string;
}

function rewrite(operation: TableOperation, chosen: readonly Param[], limit?: GivenLimit): Rule {
  const parts = new Map(chosen.map(({ slot, name }) => [slot, pathPart(name, `:${slot}`)]));
  const query = chosen.map(placeholder);
  if (limit !== undefined) {
    parts.set(limit.param.slot, limit.part);
    query.push(`${limit.param.name}=${limit.value}`);
  }
  return [operation.path, ...query, `/${fileOfParts(operation, parts)}`, 200];
}

/**
 * Netlify's tools match headers against the path of the file that a rule leads to. It is not documented whether its
 * servers match this path or the path of the request, so each header is set for both. No path gets a header twice,
 * because the precedence is not documented. Rules cannot match methods, so every answer carries the headers of a
 * preflight.
 */
function headers({ base, headers, operations, documents, preflight, errorCacheControl }: RoutingTable): OutputFile {
  const { "Content-Type": type = "", ...common } = headers;
  const kept = (contentType: string, cacheControl: string) => ({
    "Content-Type": contentType,
    "Cache-Control": cacheControl,
  });
  const blocks = [
    block("/*", common),
    ...[`/${missing}`, `/${errorFolder(base)}/*`].map((path) => block(path, kept(type, errorCacheControl))),
    ...operations.flatMap(({ path, cacheControl }) =>
      [path, `${path}.json`, `${path}/*`].map((each) => block(each, { ...kept(type, cacheControl), ...preflight })),
    ),
    ...documents.flatMap(({ path, file, contentType, cacheControl }) =>
      [...new Set([path, `/${file}`])].map((each) => block(each, { ...kept(contentType, cacheControl), ...preflight })),
    ),
  ];
  return textFile("_headers", `${blocks.join("\n")}\n`);
}

const block = (path: string, headers: Readonly<Record<string, string>>): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join("\n");
