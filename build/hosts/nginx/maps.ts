// nginx: the file for http {}. Its maps classify a request. nginx reads no text of more than 4096 bytes, so each
// document has separate entries.
import { ownField } from "../../../src/model/fields.ts";
import { asset } from "../../files/asset.ts";
import { inPathOrder, type Param, paramsOf } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import { lostPlaces } from "../../routing/resolve.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import {
  deprecatedOperations,
  documentTargets,
  itemKeys,
  namesOf,
  noticedHeaders,
  oneOfPaths,
  startOf,
  targetWith,
} from "../known-paths.ts";
import { conflictReadings, filterNumbers, invalidPart, pairName, targetReadings } from "../readings.ts";
import { filled, literal, variable } from "../syntax.ts";
import { entries, type MapEntry, map, quoted, verbatim } from "./syntax.ts";

export function maps(table: RoutingTable): string {
  const { base, operations, methods, redirects, allow } = table;
  const name = apiName(base);
  const part = partVariables(table);
  const items = itemKeys(table);
  const documents = documentTargets(table);
  return filled(asset("hosts/nginx/maps.conf"), {
    name,
    lists: entries([[`~^${literal(base)}/${named(name, operations)}(?:\\?|$)`, `$${name}_operation`]]),
    refused: `${base}/${invalidPart}`,
    pages: entries([
      canonicalPage(table),
      ...items.map(({ operations: lists, key }): MapEntry => {
        const path = `~^${literal(base)}/${named(name, lists)}/(${key})(?:\\?|$)`;
        return [path, `${base}/$1${itemFolder}$2.json`];
      }),
    ]),
    methods: methods.join("|"),
    items: entries(items.map(({ operations: lists, key }) => [`~${targetWith(`${oneOfPaths(lists)}/${key}`)}`, "1"])),
    parts: targetReadings(table).flatMap((read) => map("$request_uri", part(read), read.entries)),
    anyPages: entries(
      operations.map((operation) => [operation.name, page(operation.path, inPathOrder(operation).map(part))]),
    ),
    filters: filterMaps(table),
    cacheControls: entries(operations.map(({ name: list, cacheControl }) => [list, verbatim(name, cacheControl)])),
    notices: noticeMaps(table),
    ...refusals,
    base,
    methodNotAllowed: table.methodNotAllowed.file,
    places: entries([
      ...documents.map(({ target, kind }): MapEntry => [`~${target}`, documentsPlace(name, kind)]),
      ...redirects.map(
        (redirect, index): MapEntry => [`~${targetWith(oneOfPaths([redirect]))}`, redirectPlace(name, index)],
      ),
    ]),
    documents: entries(documents.map(({ target, file }) => [`~${target}`, file])),
    allow: quoted(verbatim(name, allow)),
    notFound: table.notFound.file,
    lost: entries(lostPlaces(table).map((place) => [`~^\\S+ ${startOf(place)}`, `/${place.answer.file}`])),
  });
}

/**
 * Before the path of a request, these make the addresses to which nginx redirects internally after refusing the request
 * without looking for a location. They are the same for all APIs of a server, so that each answers for its paths.
 */
export const refusals = { traced: "/stillapi_traced", refusedPath: "/stillapi_refused" } as const;

/** The locations of a kind of documents, and of a redirect. */
export const documentsPlace = (name: string, kind: number): string => `@${name}_documents_${kind + 1}`;
export const redirectPlace = (name: string, index: number): string => `@${name}_redirect_${index + 1}`;

/** The value of a header that notices set. */
export const headerVariable = (name: string, index: number): string => `$${name}_header_${index + 1}`;

/** The variables of parameters. Numbered: nginx's hash of variables has no room for names, which have up to 32 letters. */
export function partVariables({ base, operations }: RoutingTable): (param: Pick<Param, "name">) => string {
  const variables = [...new Set(operations.flatMap(paramsOf).map(variable))];
  return (param) => `$${apiName(base)}_part_${variables.indexOf(variable(param)) + 1}`;
}

const page = (path: string, parts: readonly string[]): string => `${path}${parts.join("")}.json`;

const named = (name: string, operations: readonly TableOperation[]): string =>
  `(?<${name}_operation>${namesOf(operations)})`;

/**
 * A target whose words, in order, are the path of a page: the operation, then names and values in the order of the
 * path. The pairs fill the captures from the last one; an unused capture leaves only a slash. A target without a file
 * at this path may still lead to a page.
 */
function canonicalPage({ base, operations }: RoutingTable): MapEntry {
  // nginx has nine captures: two for each pair, and the first for the operation.
  const pairs = Math.min(4, Math.max(...operations.map((operation) => paramsOf(operation).length)));
  const pair = `${pairName(operations)}=([a-z0-9_-]+)`;
  let query = pairs === 0 ? "" : pair;
  for (let count = 1; count < pairs; count++) query = `(?:${query}&)?${pair}`;
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [
    `~^${literal(base)}/${named(apiName(base), operations)}${query && `(?:\\?${query})?`}$`,
    `${base}${captures}.json`,
  ];
}

/**
 * Two maps for the first filter of each operation, two for the second, and so on: the page that has to exist, and the error
 * if it does not. Then a map of the error if the filters that a request sends cannot be combined.
 */
function filterMaps(table: RoutingTable): readonly string[] {
  const { base, operations, notFound } = table;
  const name = apiName(base);
  const part = partVariables(table);
  const numbers = filterNumbers(operations);
  const perFilter = numbers.flatMap((number) => {
    const filters = operations.flatMap((operation) => {
      const filter = operation.filters[number - 1];
      return filter === undefined ? [] : [{ operation, filter }];
    });
    const pages = filters.map(
      ({ operation, filter }): MapEntry => [operation.name, page(operation.path, [part(filter)])],
    );
    const errors = filters.map(({ operation, filter }): MapEntry => [operation.name, `/${filter.error.file}`]);
    return [
      ...map(`$${name}_list`, `$${name}_filter_${number}`, pages, `/${notFound.file}`),
      ...map(`$${name}_list`, `$${name}_wrong_${number}`, errors),
    ];
  });
  if (numbers.length < 2) return perFilter;
  const all = numbers.map((number) => `$${name}_filter_${number} `).join("");
  return [...perFilter, ...map(`"${all}"`, `$${name}_clash`, conflictReadings(operations))];
}

/** The headers that announce a deprecation on pages and items. A header without a value is not sent. */
function noticeMaps(table: RoutingTable): readonly string[] {
  const name = apiName(table.base);
  const deprecated = deprecatedOperations(table);
  return noticedHeaders(table).flatMap(([header, otherwise], index) => {
    const values = deprecated.map(
      ({ operation, headers }): MapEntry => [operation.name, verbatim(name, ownField(headers, header) ?? "")],
    );
    return map(`$${name}_operation`, headerVariable(name, index), values, verbatim(name, otherwise));
  });
}
